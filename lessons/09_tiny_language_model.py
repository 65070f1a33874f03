# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A tiny language model
#
# *Attention, Graded · lesson 09 · PyTorch · about <!-- minutes -->119<!-- end --> minutes of exercises<!-- with: repaired-evaluate -->, core 74<!-- end --> · <!-- points -->25<!-- end --> points*
#
# In this lesson a causal attention layer becomes a language model. It learns a made-up language whose **entropy is known**, so you know the best loss that any model can reach on average, and you can see how close yours comes. If a mean loss falls clearly *below* this limit, that is not a success but a bug, and you will meet some of these bugs.
#
# Nothing is downloaded. This lesson builds on lesson 04, whose layer is given here.

# %% [markdown]
# ## How to work through this notebook
#
# Run the cells from top to bottom, including the collapsed ones: click a cell, then press **Shift+Enter**. In each exercise, replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. The test prints ✓, or what is wrong and, in its last line, what to do.
#
# <details><summary><b>More on tests, hints and points</b></summary>
#
# If a test fails, the lines above its last one show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# Test cells are collapsed, and you don't need to read them. In them, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests use small inputs and weights of their own, and never train a model. Grading also tries larger random inputs. A question that is answered in words is read by a person. If you are stuck on an exercise, skip it and come back later: *needs* in the line below a heading names the exercises whose code it uses. <!-- with: repaired-evaluate -->Exercises marked **★ core** carry the main idea of the lesson; nothing in them needs those marked **more**.<!-- end --> Cells that train, draw or print call your functions, so they fail or show wrong results until those work. Reading, and running such cells, takes about an hour in addition to the minutes of the exercises. One model is trained; on a quiet machine this takes ten to twenty seconds and shows its progress.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **Tokens are integers** | `tokens` is a `LongTensor` `(batch, seq)`; each row is one sequence |
# | **Row t predicts token t + 1** | `logits` is `(batch, seq, vocab)`: `logits[b, t]` holds the scores of the token *after* token `t`, and the last row has no target |
# | **Losses are in nats** | natural logarithms; the perplexity is `exp` of the loss |
# | **Padding is a token, too** | it has a number, and it never counts as a target |
# | **Each row of the attention weights sums to 1** | `weights` is `(batch, num_heads, seq, seq)`, row = query, column = key; query `t` sees the keys `0 … t` |
# | **Shapes of weights** | as in `nn.Linear`, `(out, in)`: a layer computes `x @ weight.T + bias` |
# | **Heads** | head `h` owns the features `h·head_size … (h+1)·head_size − 1` |
# | **Layers and the loss can be trained** | gradients flow through every layer and through the loss, to all parameters and inputs: no `.detach()`, `.data`, `.item()`, `no_grad` or NumPy there |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% locked imports
import copy
import math
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# **What you build.** This is the training loss of the model that you write, in our run. Its language is made up, so you can compute the best loss on average: the solid line. Half a minute of training brings a model with two layers close to it.

# %% alt="The training loss over 800 steps: it starts above 2, crosses the dashed line at 1.50 within 50 steps, and flattens just above the solid line at 0.96." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_training():
    means = [2.06, 1.5, 1.41, 1.31, 1.24, 1.15, 1.09, 1.1, 1.09, 1.05, 1.03, 1.06, 1.04, 1.03,
        1.04, 1.04, 1.02, 1.02, 1.03, 1.04, 1.01, 1.03, 1.03, 1.04, 1.0, 1.01, 1.01, 1.01, 1.02,
        1.02, 1.0, 1.0, 1.0, 1.01, 1.0, 0.99, 0.99, 1.02, 1.0, 1.01]
    _, ax = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    ax.plot(range(10, 800, 20), means, label="the model")
    for nats, style, name in [(1.4953, "--", "best loss, knowing one letter"),
            (0.9624, "-", "best loss, knowing two letters")]:
        ax.axhline(nats, color="0.4", linestyle=style, linewidth=1, label=name)
    ax.set(xlabel="training step", ylabel="loss, nats (mean of 20 steps)", ylim=(0.8, 2.2))
    ax.legend()
    plt.show()


draw_training()


# %% [markdown]
# ## A language whose entropy is known
#
# The model will learn a made-up language. It has 11 letters: a space, four vowels and six consonants. A twelfth token is padding. **Each letter depends on the two letters before it**, by a table of probabilities: `table[a, b, c]` is the probability of `c` after `a` and `b`. `pairs[a, b]` is the share of the pair `a`, `b` among all pairs of neighbours in a long text.

# %% [markdown]
# ## 9.1 The best possible loss
#
# **★ core · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●○○**
#
# If the next letter has the probability $p$, its *surprise* is $-\ln p$. Even a reader who knows the table can't predict every letter, but no other reader does better on average. This reader's mean surprise is the **entropy** of the source:
#
# $$H_2 = -\sum_{a, b} \mathrm{pairs}[a, b] \sum_c \mathrm{table}[a, b, c]\, \ln \mathrm{table}[a, b, c]$$
#
# On average, over much new text, no model can have a lower loss. Where the table is 0, the term is 0, because such a letter never occurs. A pair that never occurs has a row of zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# What does `0 * torch.log(torch.tensor(0.0))` return? Which value should the term have here?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.special.xlogy(a, b)` is `a * log(b)`, and 0 where `a` is 0. `sum(dim=-1)`, and `float` to return a plain number.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `entropy[a, b]` = minus the sum over `c` of `xlogy(table, table)`
# 2. return the sum of `pairs * entropy` as a float
# </details>

# %% solution source-entropy edition="core"
def source_entropy(pairs, table):
    """Return the entropy of the next letter, given the two before it, in nats.

    pairs: (vocab, vocab), the share of each pair.
    table: (vocab, vocab, vocab), P(c | a, b), 0 allowed.
    Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
    return float((pairs * of_each_pair).sum())
    ### END SOLUTION


# %% [markdown]
# The first language of the test can be done on paper. It has two letters. After the pair (0, 0), which makes up half of all pairs, both letters are equally likely. After (0, 1) and (1, 0), a quarter each, a 0 is certain, and (1, 1) never occurs: the entropy is ½ ln 2 = 0.3466.

# %% test source-entropy points=2
# Test of 9.1 The best possible loss (2 points). Run the checks cell first.
returns("source-entropy", entropies="language")
check("source-entropy", "two letters, as on paper, and three letters", entropies_of_two,
    *two_letter_language, *example_language(1, 3))
returns("source-entropy", entropy="")
check("source-entropy", "five letters", source_entropy, *example_language(7, 5))
### BEGIN HIDDEN TESTS
for seed, vocab in [(80, 4), (81, 7), (82, 12), (83, 1), (84, 2), (85, 43), (86, 60), (80, 4)]:
    rng = np.random.default_rng(seed)
    often, counts = rng.random((vocab, vocab)), rng.random((vocab, vocab, vocab)) * (rng.random((vocab, vocab, vocab)) < 0.6)
    counts[..., -1] += 0.01
    often[1:2], counts[1:2] = 0, 0
    counts[vocab // 2, 0] = np.where(np.arange(vocab) == 0, 1, 0.001)    # nearly certain
    often, chances = often / often.sum(), counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    expected = -(often[..., None] * chances * np.log(np.where(chances > 0, chances, 1))).sum()
    given = torch.tensor(often), torch.tensor(chances)
    check_numbers(source_entropy(*given), expected, "in the entropy of another language", f"with {vocab} letters, ", 1e-6)
    check_unchanged(given, (torch.tensor(often), torch.tensor(chances)))
### END HIDDEN TESTS

# %% [markdown]
# ## The language
#
# Now the language itself. After a consonant comes a vowel, after a vowel a consonant or a space, and after a space anything else. The next cells define it, draw texts from it, and print three of them.

# %% locked language
LETTERS = "·_aeiokmnrst"  # 0 is padding, 1 a space, 2 to 5 vowels, 6 to 11 consonants
PAD, VOCAB = 0, 12


def make_language(seed=8):
    """Return (pairs, table) of the language, (12, 12) and (12, 12, 12), in float64."""
    logits = 2.0 * torch.tensor(np.random.default_rng(seed).normal(size=(VOCAB, VOCAB, VOCAB)))
    kind = torch.tensor([0] + 4 * [1] + 6 * [2])  # of the letters 1 to 11: space, vowel, consonant
    # row: kind of a letter, column: of the next
    follows = torch.tensor([[0, 1, 1], [1, 0, 1], [0, 1, 0]]).bool()
    allowed = F.pad(follows[kind][:, kind], (1, 0, 1, 0))  # no padding anywhere
    table = torch.zeros(VOCAB, VOCAB, VOCAB, dtype=torch.float64)
    table[1:, 1:, 1:] = logits.masked_fill(~allowed, -math.inf)[1:, 1:, 1:].softmax(dim=-1)
    pairs = allowed.double() / allowed.sum()
    for _ in range(1000):  # until the shares of the pairs no longer change
        pairs = torch.einsum("ab,abc->bc", pairs, table)
    return pairs, table


# %% locked sample-language
def sample_language(pairs, table, lengths, seq, generator):
    """Return sequences (batch, seq) of the language: as many letters as `lengths` says,
    then padding."""
    first = torch.multinomial(pairs.flatten(), len(lengths), replacement=True, generator=generator)
    letters = [first // VOCAB, first % VOCAB]
    while len(letters) < seq:
        letters.append(torch.multinomial(table[letters[-2], letters[-1]], 1, generator=generator)[:,
            0])
    return torch.stack(letters, dim=1).masked_fill(torch.arange(seq) >= lengths[:, None], PAD)


# %% locked pairs-and-table
pairs, table = make_language()
given_one = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1e-30)  # P(b | a)

# %% tags=["demonstration"]
text = sample_language(pairs, table, torch.tensor([70, 70, 40]), 70,
    torch.Generator().manual_seed(0))
for row in text.tolist():
    print("".join(LETTERS[token] for token in row))
after = table[LETTERS.index("a"), LETTERS.index("n")]
print("after “an”:", ", ".join(f"{LETTERS[c]} {after[c]:.2f}" for c in range(VOCAB)
    if after[c] > 0))

# %% [markdown] with=["source-entropy"]
# ## How surprised is a reader who knows less?
#
# The next cell computes four limits. Predict their order: a reader who guesses at random, one who knows how often each letter occurs, one who sees the last letter, and one who sees the last two.

# %% tags=["demonstration"]
single = pairs.sum(dim=0)
LIMITS = {
    "11 letters at random": math.log(11),
    "each letter alone, H0": float(-torch.special.xlogy(single, single).sum()),
    "given one letter, H1": float(-torch.special.xlogy(pairs, given_one).sum()),
    "given two letters, H2": source_entropy(pairs, table),
}
for name, nats in LIMITS.items():
    print(f"{name:22} {nats:.4f} nats per letter, perplexity {math.exp(nats):.3f}")


# %% [markdown]
# The first letter of a sequence is never predicted. For the second, at position 1, only one letter is known, and the floor is H1 = 1.4953 nats. For the third and all later ones, from position 2 on, it is H2 = 0.9624 nats. A perplexity of 2.618 means: as uncertain as a choice between 2.618 equally likely letters.

# %% [markdown]
# ## 9.2 The loss
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●○**
#
# The loss of one prediction is the surprise at the next token: $-\ln$ of the probability that the model gave it. Write two functions:
#
# - `token_losses(logits, tokens)` returns the loss of every prediction, `(batch, seq − 1)`: row `t` of the logits against token `t + 1`. Padding is not treated specially.
# - `next_token_loss(logits, tokens, pad)` returns the mean over all predictions whose **target** is not `pad`. Each of them counts once, whichever sequence it belongs to. The result is a tensor with one number, and gradients flow back through it to the logits.
#
# | operation | what | shape |
# |---|---|---|
# | predictions | all rows but the last | `(batch, seq − 1, vocab)` |
# | targets | all tokens but the first | `(batch, seq − 1)` |
# | losses | $-\ln \mathrm{softmax}(\mathrm{logits})[\mathrm{target}]$ | `(batch, seq − 1)` |
# | mean | over targets that are not padding | one number |
#
# Logits may be as large as ±1000. `pad` may be any token. At least one target is not padding.
#
# <details><summary>Hint 1: a question</summary>
#
# Sequence 0 has 2 real targets, sequence 1 has 6. How many numbers is the mean taken over: 2, 6, 7 or 8?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `F.cross_entropy(..., reduction="none")` takes logits, not probabilities, and expects the vocabulary on axis 1: `transpose(1, 2)`. Or `log_softmax(dim=-1)` and `gather`. A boolean tensor as an index selects the entries that are True.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `token_losses`: `predictions` = all rows of the logits but the last; `targets` = all tokens but the first
# 2. transpose `predictions` so that the vocabulary is axis 1, and return `cross_entropy` without a reduction
# 3. `next_token_loss`: a boolean mask of the `targets` that differ from `pad`
# 4. index the token losses with the mask and return their mean
# </details>
#
# <details><summary>I get “Expected target size …”</summary>
#
# `F.cross_entropy` takes axis 1 of the logits for the vocabulary. Transpose the last two axes; don't reshape: a `view` would mix letters and positions.
# </details>

# %% solution next-token-loss edition="core"
def token_losses(logits, tokens):
    """Return the loss of every prediction: row t of the logits against token t + 1.

    logits: (batch, seq, vocab). tokens: (batch, seq). Returns (batch, seq - 1).
    """
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    ### END SOLUTION


def next_token_loss(logits, tokens, pad):
    """Return the mean loss over all targets that are not pad, as a tensor with one number.

    logits: (batch, seq, vocab). tokens: (batch, seq). pad: the padding token.
    No input is changed.
    """
    ### BEGIN SOLUTION
    real = tokens[:, 1:] != pad
    return token_losses(logits, tokens)[real].mean()
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the loss of each prediction (1 point).** The first call has three letters, and all logits are 0 except one: on paper, the loss is ln 3 = 1.0986 almost everywhere.

# %% test token-losses points=1
# Test of 9.2 The loss, 1 of 2 (1 point). Run the checks cell first.
returns("next-token-loss", losses="sequence prediction")
check("next-token-loss", "3 letters, as on paper", token_losses, paper_logits, paper_tokens)
check("next-token-loss", "2 sequences, 6 tokens, 5 letters", token_losses,
    example_tensor(1, 2, 6, 5), padded_tokens)
check("next-token-loss", "4 sequences, 3 tokens, 7 letters", token_losses,
    example_tensor(5, 4, 3, 7), example_tokens(2, 4, 3, 7))
check("next-token-loss", "logits of ±1000", token_losses, large_logits, padded_tokens)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size in [(180, 3, 5, 7, 1), (181, 2, 9, 4, 1), (182, 5, 2, 6, 300), (183, 1, 2, 2, 1), (184, 1, 2, 1, 1), (185, 9, 41, 43, 1), (186, 2, 300, 3, 1), (187, 4, 4, 4, 1), (188, 1, 6, 300, 1), (189, 10, 2, 5, 0), (180, 3, 5, 7, 1)]:
    rng = np.random.default_rng(seed)
    given = size * random_tensor(rng, batch, seq, vocab), torch.tensor(rng.integers(vocab, size=(batch, seq)))
    before, (logits, tokens) = [one.clone() for one in given], map(as_array, given)
    rows = logits - logits.max(axis=-1, keepdims=True)
    expected = np.log(np.exp(rows).sum(axis=-1))[:, :-1] - np.take_along_axis(rows[:, :-1], tokens[:, 1:, None].astype(int), -1)[..., 0]
    check_numbers(token_losses(*given), expected, "in the losses of larger logits", f"with {batch=}, {seq=}, {vocab=}, ", 1e-4)
    check_unchanged(given, before)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mean over real targets, and its gradient (2 points).**

# %% test next-token-loss points=2
# Test of 9.2 The loss, 2 of 2 (2 points). Run the checks cell first.
returns("next-token-loss", loss="")
check("next-token-loss", "mean, 3 is padding, 2 and 5 real targets", next_token_loss,
    example_tensor(1, 2, 6, 5), padded_tokens, 3)
check("next-token-loss", "mean, 0 is padding, in the middle and at the beginning", next_token_loss,
    example_tensor(1, 2, 6, 5), padded_tokens, 0)
check("next-token-loss", "mean, nothing is padding", next_token_loss, example_tensor(5, 4, 3, 7),
    example_tokens(2, 4, 3, 7), 9)
check("next-token-loss", "mean, logits of ±1000, 4 is padding", next_token_loss, large_logits,
    padded_tokens, 4)
check_gradients("next-token-loss", "gradients of the losses", token_losses,
    logits=example_tensor(1, 2, 6, 5), tokens=padded_tokens)
check_gradients("next-token-loss", "gradients of the mean", next_token_loss,
    logits=example_tensor(1, 2, 6, 5), tokens=padded_tokens, pad=3)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size, pad in [(190, 3, 6, 7, 1, 0), (191, 4, 9, 5, 1, 4), (192, 2, 4, 6, 300, 2), (193, 3, 4, 5, 1, 5), (194, 2, 5, 6, 1, 6), (195, 9, 41, 43, 1, 42), (196, 1, 2, 2, 1, 1), (197, 1, 2, 1, 1, 50_000),
                                           (198, 5, 5, 5, 1, 3), (199, 40, 2, 3, 1, 0), (189, 2, 300, 4, 1, 2), (188, 3, 6, 5, 1, 1), (187, 3, 6, 5, 1, 99), (186, 1, 6, 5, 1, 2), (190, 3, 6, 7, 1, 0)]:
    rng = np.random.default_rng(seed)
    logits, tokens = as_array(size * random_tensor(rng, batch, seq, vocab)), rng.integers(vocab, size=(batch, seq))
    if 0 <= pad < vocab:
        tokens[0, 2:], tokens[-1, -1:], tokens[seed % 2:, 0] = pad, pad, pad
        tokens[1:] = pad if seed == 188 else tokens[1:]    # a single target is left
        tokens[0, 1] = (pad + 1) % vocab
    rows, targets = logits - logits.max(axis=-1, keepdims=True), tokens[:, 1:]
    found = np.log(np.exp(rows).sum(axis=-1))[:, :-1] - np.take_along_axis(rows[:, :-1], targets[..., None], -1)[..., 0]
    given = torch.tensor(logits).float(), torch.tensor(tokens)
    check_numbers(next_token_loss(*given, pad), found[targets != pad].mean(), "in the mean loss", f"with {batch=}, {seq=}, {vocab=}, {pad=}, ", 1e-4)
    check_unchanged(given, (torch.tensor(logits).float(), torch.tensor(tokens)))
    if size == 1 and 1 < vocab < 9 and seq < 9:
        check_gradients("next-token-loss", "gradients, with other arrays", next_token_loss,
                        logits=given[0], tokens=given[1], pad=pad, right=lambda logits, tokens, pad:
                        F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad))
### END HIDDEN TESTS

# %% [markdown]
# Three checks that need no model. If all logits are equal, every loss must be the logarithm of the number of tokens, ln 12 = 2.4849. If the logit of the right token is 1000 and all others are 0, the loss must be 0; with a softmax too many, it would be ln(e + 11) − 1 = 1.62. And the loss must have a gradient in each row that has a real target: 8 rows in one sequence and 19 in the other.

# %% tags=["demonstration"]
tokens = sample_language(pairs, table, torch.tensor([9, 20]), 20, torch.Generator().manual_seed(1))
logits = torch.zeros(2, 20, VOCAB, requires_grad=True)
loss = next_token_loss(logits, tokens, PAD)
print(f"{loss.item():.4f}, and ln 12 is {math.log(12):.4f}")
# in row t, token t + 1 has the logit 1000
certain = 1000.0 * F.one_hot(tokens.roll(-1, dims=1), VOCAB)
loss_if_certain = next_token_loss(certain, tokens, PAD).item()
print(f"the right token has the logit 1000: loss {loss_if_certain:.4f}")
loss.backward()  # fails if the loss is not a tensor with a graph
print(f"gradients: not 0 in {(logits.grad != 0).any(dim=-1).sum(dim=1).tolist()} rows of the two "
    "sequences")

# %% [markdown]
# ## The model, piece by piece
#
# The model is a *decoder*: a stack of blocks. Each block has two branches. In the attention branch, tokens read from each other; in the MLP branch, a small network works on each token separately. Neither branch replaces its input. Each **adds** its output to its input. So the vectors of the tokens run through the whole stack and are only ever added to: they are called the **residual stream**.

# %% alt="Diagram of one block. A thick horizontal arrow, the residual stream x, runs from left to right through two plus signs. Before each plus sign a thin arrow branches off, runs up through the boxes norm1, attn and dropout, or norm2, mlp and dropout, and comes back down into the plus sign." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5.4, 2.3), layout="constrained")
ax.annotate("", (10.4, 0), (-0.4, 0), arrowprops={"arrowstyle": "-|>", "linewidth": 4,
    "color": "C0"})
for left, parts in [(0.4, ("norm1", "attn", "drop")), (5.4, ("norm2", "mlp", "drop"))]:
    path = [(left, 0), (left, 1.6), (left + 4, 1.6), (left + 4, 0.3)]
    ax.plot(*zip(*path), color="0.3", zorder=0)
    ax.annotate("", path[-1], path[-2], arrowprops={"arrowstyle": "-|>", "color": "0.3"})
    for n, part in enumerate(parts):
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": "0.3"}
        ax.text(left + 0.75 + 1.25 * n, 1.6, part, ha="center", va="center", bbox=box)
    ax.plot(left + 4, 0, "o", markersize=17, markerfacecolor="white", markeredgecolor="C0",
        markeredgewidth=2)
    ax.text(left + 4, 0, "+", ha="center", va="center", fontsize=14)
    ax.plot(left, 0, "o", color="C0")
ax.text(-0.4, -0.75, "x enters", ha="left")
ax.text(4.9, -0.75, "the residual stream", ha="center", color="C0")
ax.text(10.4, -0.75, "x leaves", ha="right")
ax.set(xlim=(-0.7, 10.7), ylim=(-1.1, 2.3))
ax.axis("off")
plt.show()


# %% [markdown]
# ## 9.3 Layer norm
#
# **★ core · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●○○**
#
# A *layer norm* works on the vector of each token separately: it subtracts the mean of the vector, divides by its standard deviation, then scales and shifts each feature by two learned vectors.
#
# $$\mathrm{norm}(x) = \frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \mathrm{eps}}} \odot \mathrm{weight} + \mathrm{bias}$$
#
# Mean and variance run over the last axis; there may be any number of axes before it. The variance is the plain mean of squares: divide by `d_model`, not by `d_model − 1`. `eps` is **inside** the root and prevents a division by 0 for a constant vector. The parameters are `weight`, initially ones, and `bias`, initially zeros. Gradients must reach both, and `x`.
#
# <details><summary>Hint 1: a question</summary>
#
# By default, `x.var(dim=-1)` divides by `d_model − 1`. Which argument changes that?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Parameter(torch.ones(d_model))`, `mean(dim=-1, keepdim=True)`, `var(dim=-1, keepdim=True, unbiased=False)`, `torch.sqrt`. Don't call `F.layer_norm`: the exercise is to write it.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `__init__`: two `nn.Parameter`s, `weight` of ones and `bias` of zeros; store `eps`
# 2. `forward`: `mean` and `var` over the last axis, with `keepdim`
# 3. `(x - mean) / sqrt(var + eps)`, times `weight`, plus `bias`
# </details>

# %% solution layer-norm edition="core"
class LayerNorm(nn.Module):
    """Normalize each vector to mean 0 and variance 1, then scale it by weight and add bias.

    forward(x): x (..., d_model). Returns (..., d_model). No input is changed.
    """

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        centred = x - x.mean(dim=-1, keepdim=True)  # [..., d_model]
        variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
        return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias  # [..., d_model]
        ### END SOLUTION


# %% test layer-norm points=2
# Test of 9.3 Layer norm (2 points). Run the checks cell first.
returns("layer-norm", normed="sequence token feature")
check("layer-norm", "2 sequences, 3 tokens, 5 features", apply_norm, 1 + example_tensor(0, 2, 3, 5),
    *norm_state(3, 5).values())
check("layer-norm", "small numbers, so that eps counts", apply_norm,
    0.003 * example_tensor(2, 3, 2, 4), *norm_state(1, 4).values())
check("layer-norm", "eps = 0.1", apply_norm, example_tensor(4, 2, 2, 6), *norm_state(2, 6).values(),
    eps=0.1)
check("layer-norm", "a new LayerNorm", apply_new_norm, example_tensor(7, 3, 2, 4) + 3)
returns("layer-norm", normed="token feature")
check("layer-norm", "one leading axis", apply_norm, example_tensor(9, 4, 3),
    *norm_state(4, 3).values())
check_gradients("layer-norm", "gradients", norm_with_weights(3, 5), ["weight", "bias"],
    x=example_tensor(0, 2, 3, 5))
### BEGIN HIDDEN TESTS
for seed, front, d_model, size, eps in [(280, (3, 4), 6, 1, 1e-5), (281, (5,), 7, 0.003, 1e-5), (282, (2, 3, 4), 5, 1, 0.1), (283, (2, 2), 9, 40, 1e-5), (284, (), 6, 1, 1e-5), (285, (1,), 2, 1, 2.0), (286, (9, 41), 43, 1, 1e-5),
                                        (287, (2, 3, 4, 2), 3, 1, 1e-5), (288, (4, 4), 4, 1, 1e-3), (289, (1, 1), 2, 1, 1e-5), (290, (2,), 300, 1, 1e-5), (291, (3, 2), 5, 1e3, 1e-5), (292, (3, 2), 5, 0, 1e-5), (293, (3,), 4, 1, 1e-5), (280, (3, 4), 6, 1, 1e-5)]:
    rng = np.random.default_rng(seed)
    x, weight, bias = size * random_tensor(rng, *front, d_model) + size, 1 + 0.2 * random_tensor(rng, d_model), random_tensor(rng, d_model)
    x = 3 + 0 * x if seed == 293 else x    # constant vectors
    row = as_array(x)
    expected = (row - row.mean(axis=-1, keepdims=True)) / np.sqrt(row.var(axis=-1, keepdims=True) + eps) * as_array(weight) + as_array(bias)
    norm = module_with_weights({"weight": weight, "bias": bias}, LayerNorm(d_model) if eps == 1e-5 else LayerNorm(d_model, eps))
    given = x.clone()
    check_numbers(norm(given), expected, "in larger rows", f"with rows {in_words(front)}, {d_model=}, ", 1e-4)
    norm((2 * x + 3)[None]), norm.eval()    # another call, which must not count
    check_numbers(norm(x.clone()), expected, "in larger rows in eval mode, after another call", f"with rows {in_words(front)}, {d_model=}, ", 1e-4)
    check_unchanged([given], [x])
    if size == 1 and 2 < d_model < 9 and seed != 293:
        check_gradients("layer-norm", "gradients, in larger rows", norm, {"weight": weight, "bias": bias}, x=x,
                        right=lambda w, x: F.layer_norm(x, x.shape[-1:], w["weight"], w["bias"], eps))
### END HIDDEN TESTS

# %% [markdown]
# End each line of `forward` that makes a tensor with a comment that gives its axes in brackets, such as `# [batch, seq, d_model]`. If a line makes two tensors, write one bracket for each: `# [batch, seq], [seq]`. Then run the next cell. It reports which of these comments are true. This earns no points.

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 5}, LayerNorm(5), torch.randn(2, 3, 5)),
              ({"batch": 4, "seq": 2, "d_model": 7}, LayerNorm(7), torch.randn(4, 2, 7)))


# %% [markdown]
# ## Given: attention, and a network for each token
#
# You have written attention before, so one layer of causal attention is given. It is the layer of lesson 04 with `causal=True`, without the arguments for padding and dropout: padding is at the end of a sequence here, where the causal mask hides it from all real tokens.

# %% locked given
class CausalAttention(nn.Module):
    """Attention of each token to itself and the tokens before it.
    Returns the output and the weights."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q, self.k, self.v, self.mix = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.q, self.k, self.v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, num_heads, seq, seq]
        future = torch.ones_like(scores[0, 0]).triu(1).bool()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% [markdown]
# The network for each token is given, too. It is called *MLP* (multi-layer perceptron) and has one hidden layer:
#
# $$\mathrm{MLP}(x) = \mathrm{down}(\mathrm{GELU}(\mathrm{up}(x))) \qquad \mathrm{GELU}(h) = h \cdot \Phi(h) = \frac{h}{2}\Big(1 + \mathrm{erf}\big(h / \sqrt 2\big)\Big)$$
#
# $\Phi(h)$ is the probability that a standard normal number is below $h$. So the GELU is almost $h$ for large $h$, almost 0 for very negative $h$, and smooth in between.

# %% locked given-mlp
class MLP(nn.Module):
    """Two linear layers with a GELU between them, for each token separately: (...,
    d_model) in and out."""

    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


# %% [markdown]
# ## 9.4 A block
#
# **★ core · <!-- points -->3 points<!-- end --> · about 12 minutes · difficulty ●●○ · needs 9.3**
#
# Now the block of the diagram:
#
# $$x \leftarrow x + \mathrm{drop}\big(\mathrm{attn}(\mathrm{norm}_1(x))\big) \qquad x \leftarrow x + \mathrm{drop}\big(\mathrm{mlp}(\mathrm{norm}_2(x))\big)$$
#
# The second branch reads what the first has added. The norms are at the beginning of each branch (*pre-norm*), so nothing rescales the residual stream $x$ itself. In the Transformer of 2017, the norm came after the sum.
#
# In training mode, *dropout* sets each entry of a branch's output to 0 with the probability `dropout`, and divides the others by `1 − dropout`. It is never applied to $x$ itself. In eval mode it does nothing. `nn.Dropout` does all this.
#
# | part | what it is |
# |---|---|
# | `norm1`, `norm2` | your `LayerNorm` |
# | `attn` | the given `CausalAttention`, which returns its output *and* its weights |
# | `mlp` | the given `MLP`, with `d_hidden` |
#
# <details><summary>Hint 1: a question</summary>
#
# With `dropout=1.0`, everything in both branches is dropped. What must the block return then?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Dropout(dropout)` has no parameters, so it may have any name. `out, weights = self.attn(...)`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `__init__`: the four parts of the table, and a dropout
# 2. `forward`: `attended` = the output of `attn` on `norm1(x)`, without the weights
# 3. `x` = `x` plus the dropout of `attended`
# 4. return this new `x` plus the dropout of `mlp(norm2(x))`
# </details>
#
# <details><summary>I get “unsupported operand” or “must be Tensor, not tuple”</summary>
#
# `CausalAttention` returns a pair, its output and its weights. Unpack it.
# </details>

# %% solution block builds_on=["layer-norm"] edition="core"
class Block(nn.Module):
    """Pre-norm attention and MLP, each added to the residual stream.

    forward(x): x (batch, seq, d_model). Returns (batch, seq, d_model). No input is changed.
    Dropout, in training mode only, on the output of each branch.
    """

    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        attended, _ = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
        x = x + self.drop(attended)  # [batch, seq, d_model]
        return x + self.drop(self.mlp(self.norm2(x)))  # [batch, seq, d_model]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the numbers (2 points).**

# %% test block points=2
# Test of 9.4 A block, 1 of 2 (2 points). Run the checks cell first.
returns("block", output="sequence token feature")
check("block", "2 sequences, 3 tokens, 6 features, 2 heads", apply_block,
    example_tensor(0, 2, 3, 6), block_state(1, 6, 10), 2, 10)
check("block", "3 sequences, 5 tokens, 4 features, 1 head", apply_block, example_tensor(4, 3, 5, 4),
    block_state(6, 4, 3), 1, 3)
check("block", "in eval mode, with dropout 0.5", apply_block, example_tensor(2, 2, 2, 6),
    block_state(3, 6, 4), 3, 4, dropout=0.5)
check("block", "in training mode, with the default dropout", apply_block,
    example_tensor(6, 2, 3, 4), block_state(5, 4, 6), 2, 6, training=True)
### BEGIN HIDDEN TESTS
def slow_block(x, w, heads):
    """A block, token by token; x (seq, d), w by names."""
    d, norm = x.shape[-1], lambda row, n: (row - row.mean()) / math.sqrt(row.var() + 1e-5) * w[f"norm{n}.weight"] + w[f"norm{n}.bias"]
    rows, size, made = [norm(row, 1) for row in x], d // heads, np.zeros(x.shape)
    q, k, v = ([w[f"attn.{one}.weight"] @ row + w[f"attn.{one}.bias"] for row in rows] for one in "qkv")
    for t in range(len(x)):
        mixed = np.zeros(d)
        for h in range(heads):
            own = slice(h * size, (h + 1) * size)
            dots = np.array([q[t][own] @ k[j][own] / size**0.5 for j in range(t + 1)])
            grown = np.exp(dots - max(dots))
            mixed[own] = sum(g * v[j][own] for j, g in enumerate(grown)) / grown.sum()
        made[t] = x[t] + w["attn.mix.weight"] @ mixed + w["attn.mix.bias"]
        h = w["mlp.up.weight"] @ norm(made[t], 2) + w["mlp.up.bias"]
        h = np.array([one * 0.5 * math.erfc(-one / math.sqrt(2)) for one in h])
        made[t] += w["mlp.down.weight"] @ h + w["mlp.down.bias"]
    return made


for seed, d_model, heads, d_hidden, batch, seq in [(480, 6, 2, 10, 3, 5), (481, 12, 3, 7, 2, 4), (482, 10, 5, 13, 2, 6), (483, 6, 1, 1, 1, 1), (484, 6, 6, 6, 6, 6), (485, 24, 8, 43, 9, 3), (486, 8, 2, 3, 1, 41), (487, 6, 1, 300, 2, 1), (480, 6, 2, 10, 3, 5)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, batch, seq, d_model)
    kept, given = {name: as_array(value) for name, value in state.items()}, x.clone()
    block = module_with_weights(state, Block(d_model, heads, d_hidden))
    expected = np.stack([slow_block(one, kept, heads) for one in as_array(x)])
    for made in (block(given), block(x[:1, :1].clone()), block.eval()(x.clone())):
        if len(made[0]) < seq or len(made) < batch:
            continue    # a call with a shorter text, which must not count
        check_numbers(made, expected, "in the output of another block", f"with {d_model=}, {heads=}, {d_hidden=}, ", 1e-4)
    check_unchanged([given], [x])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: dropout and gradients (1 point).** Grading also compares the numbers in eval mode, so this test needs both branches. With `dropout=1.0` in training mode, the block must return its input. The next two tests look at one branch at a time: the other branch outputs 0, and a quarter of this branch's numbers are dropped. Each added number must be 0 or the branch's number divided by 0.75. The last two tests require that gradients reach the parameters of both norms, of attention and of the MLP, and `x`, also if both branches are dropped.

# %% test block-dropout points=1
# Test of 9.4 A block, 2 of 2 (1 point). Run the checks cell first.
returns("block", output="sequence token feature")
check("block", "all dropped", apply_block_all_dropped, example_tensor(0, 2, 3, 6),
    block_state(1, 6, 10), 2, 10)
returns("block", as_expected="place")
check("block", "a quarter of the attention branch dropped", check_dropout,
    example_tensor(1, 3, 5, 8), block_state(2, 8, 4), 2, 4, "attn")
check("block", "a quarter of the MLP branch dropped", check_dropout, example_tensor(5, 3, 5, 8),
    block_state(7, 8, 6), 2, 6, "mlp")
check_gradients("block", "gradients (if Test 1 fails, fix that first)", new_block(6, 2, 10),
    can_learn(block_shapes(6, 10)), x=example_tensor(0, 2, 3, 6))
check_gradients("block", "gradients, in training mode with dropout 0.25",
    new_block(6, 2, 10, dropout=0.25).train(), can_learn(block_shapes(6, 10)),
    x=example_tensor(0, 2, 3, 6))
check_gradients("block", "gradients, with all dropped", new_block(6, 2, 10, dropout=1.0).train(),
    x=example_tensor(0, 2, 3, 6))
### BEGIN HIDDEN TESTS
def given_block(x, state, heads, d_hidden):
    """Output of a block that is made of the given attention and MLP."""
    def output_of(layer, at, x):
        layer.load_state_dict({name.removeprefix(at): value for name, value in state.items() if name.startswith(at)})
        with torch.no_grad():
            return layer(x)
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], state[name + ".weight"], state[name + ".bias"])
    x = x + output_of(CausalAttention(x.shape[-1], heads), "attn.", norm(x, "norm1"))[0]
    return x + output_of(MLP(x.shape[-1], d_hidden), "mlp.", norm(x, "norm2"))


for seed, d_model, heads, d_hidden in [(485, 6, 2, 10), (486, 12, 2, 7), (488, 24, 2, 41)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, *((9, 3) if d_model > 12 else (4, 6)), d_model)
    check_numbers(apply_block_all_dropped(x.clone(), state, heads, d_hidden), x, "with all dropped", f"with {d_model=}, {heads=}, ", 0)
    for branch, silent in [("attn", "mlp.down"), ("mlp", "attn.mix"), ("both", "none")]:
        states = {name: 0 * value if name.startswith(silent) else value for name, value in state.items()}
        given, expected = x.clone(), given_block(x, states, heads, d_hidden)
        check_numbers(apply_block(given, states, heads, d_hidden, dropout=0.7), expected, "in eval mode, with dropout", f"with {d_model=}, {heads=}, {branch=}, ", 1e-4)
        for rate in (0.25, 0.75, 0.9, 0.5) if branch != "both" else ():
            check_dropout(given, state, heads, d_hidden, branch, rate)
        check_unchanged([given], [x])
    if d_model > 12:
        continue
    learning = {name: state[name] for name in can_learn(block_shapes(d_model, d_hidden))}
    check_gradients("block", "gradients of another block", module_with_weights(state, Block(d_model, heads, d_hidden, dropout=0.1)).eval(), learning, x=x,
                    right=lambda w, x: given_block(x, state | w, heads, d_hidden))
    check_gradients("block", "gradients of another block in training mode", new_block(d_model, heads, d_hidden, dropout=0.1).train(), [*learning], x=x)
# With 4 features there are 16 ways to drop a token's attention. After one of them, the MLP's numbers are added, dropped or doubled.
rng = np.random.default_rng(487)
state, x = fill_state(block_shapes(4, 6), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, 5, 6, 4)
kept = 2.0 * torch.cartesian_prod(*4 * [torch.arange(2)])[:, None, None]
sums = x + kept * given_block(x, {name: 0 * one if name.startswith("mlp.down") else one for name, one in state.items()}, 2, 6).sub(x)
added = module_with_weights(state, Block(4, 2, 6, dropout=0.5)).train()(x.clone()) - sums
whole = torch.stack([given_block(one, {name: 0 * part if name.startswith("attn.mix") else part for name, part in state.items()}, 2, 6) - one for one in sums])
fits = (added.abs() < 1e-3) | ((added - 2 * whole).abs() < 1e-3)
assert fits.all(dim=-1).any(dim=0).all(), "with dropout=0.5, the two branches together don't add what each one's dropout leaves"
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "num_heads": 4, "d_hidden": 7}, Block(8, 4, 7),
    torch.randn(2, 3, 8)),
              ({"batch": 4, "seq": 5, "d_model": 6, "num_heads": 2, "d_hidden": 9}, Block(6, 2, 9),
              torch.randn(4, 5, 6)))


# %% [markdown]
# ## 9.5 The model
#
# **★ core · <!-- points -->4 points<!-- end --> · about 18 minutes · difficulty ●●● · needs 9.3, 9.4**
#
# Now the whole decoder. Each token has a learned vector, and so does each position; their sum enters the stack of blocks. At the end there is one more norm, and the logits are dot products with the **same token vectors** as at the beginning:
#
# $$x = \mathrm{token}[\mathrm{tokens}] + \mathrm{position}[0, 1, \dots] \qquad \mathrm{logits} = \mathrm{norm}(\mathrm{blocks}(x))\; \mathrm{token.weight}^\top$$
#
# So one matrix is used at both ends: the weights are **tied**. There is no separate output layer, no output bias and no scale.
#
# | part | what it is | shape |
# |---|---|---|
# | `token` | `nn.Embedding(vocab, d_model)` | `(batch, seq, d_model)` |
# | `position` | `nn.Embedding(context, d_model)`, for the positions from 0 on | `(seq, d_model)` |
# | `blocks` | a list of `num_layers` blocks with hidden size `4 · d_model` and `dropout` | `(batch, seq, d_model)` |
# | `norm` | your `LayerNorm` | the same |
# | logits | the product with the tied matrix | `(batch, seq, vocab)` |
#
# There is no dropout on the embeddings. If there are more than `context` tokens, raise a `ValueError` whose text contains both numbers. Exactly `context` tokens are allowed. Use the names of the table, and add nothing else that appears in `state_dict()`.
#
# <details><summary>Hint 1: a question</summary>
#
# In which kind of list does PyTorch find the blocks, so that their parameters are trained and saved?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.ModuleList([...])`, `torch.arange(seq)`, `self.token.weight.T`, `@`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `__init__`: store `context`; two embeddings, an `nn.ModuleList` of `num_layers` new blocks, a norm
# 2. `forward`: if `seq > context`, raise the `ValueError`
# 3. `x` = token embedding of `tokens` + position embedding of `arange(seq)`
# 4. `x` = `block(x)` for each block in turn
# 5. return `norm(x)` times the transpose of the token matrix
# </details>
#
# <details><summary>I get “index out of range in self”</summary>
#
# An embedding was asked for a position beyond the context, or for a token beyond the vocabulary.
# </details>

# %% solution tiny-lm builds_on=["layer-norm", "block"] edition="core"
class TinyLM(nn.Module):
    """A decoder: token and position vectors, blocks, a norm, and logits
    by the tied token matrix.

    forward(tokens): (batch, seq), seq at most context.
    Returns logits (batch, seq, vocab).
    Raises a ValueError that contains seq and context if there are more
    tokens than the context.
    """

    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        ### BEGIN SOLUTION
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        seq = tokens.shape[1]
        if seq > self.context:
            raise ValueError(f"{seq} tokens are more than the context of {self.context}")
        x = self.token(tokens) + self.position(torch.arange(seq))  # [batch, seq, d_model]
        for block in self.blocks:
            x = block(x)  # [batch, seq, d_model]
        return self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: the logits (2 points).**

# %% test tiny-lm points=2
# Test of 9.5 The model, 1 of 3 (2 points). Run the checks cell first.
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "2 sequences, 3 of 5 positions, 7 letters", logits_of, example_tokens(1, 2, 3, 7),
    lm_state(0, 7, 5, 6, 2), 7, 5, 6, 2, 2)
check("tiny-lm", "a full context, one block of one head", logits_of, example_tokens(3, 3, 4, 5),
    lm_state(4, 5, 4, 4, 1), 5, 4, 4, 1, 1)
check("tiny-lm", "one token", logits_of, example_tokens(2, 3, 1, 7), lm_state(0, 7, 5, 6, 2), 7, 5,
    6, 2, 2)
### BEGIN HIDDEN TESTS
def slow_lm(tokens, w, heads, layers):
    """Logits of one sequence, from a loop over tokens; w by names, as arrays."""
    norm = lambda row, name: (row - row.mean()) / math.sqrt(row.var() + 1e-5) * w[name + ".weight"] + w[name + ".bias"]
    x = [w["token.weight"][token] + w["position.weight"][t] for t, token in enumerate(tokens)]
    for layer in range(layers):
        at = f"blocks.{layer}."
        rows, size = [norm(row, at + "norm1") for row in x], len(x[0]) // heads
        q, k, v = ([w[f"{at}attn.{one}.weight"] @ row + w[f"{at}attn.{one}.bias"] for row in rows] for one in "qkv")
        for t in range(len(x)):
            mixed = []
            for own in (slice(h * size, (h + 1) * size) for h in range(heads)):
                grown = np.exp([q[t][own] @ k[j][own] / size**0.5 for j in range(t + 1)])
                mixed.append(sum(g * v[j][own] for j, g in enumerate(grown)) / grown.sum())
            row = x[t] + w[at + "attn.mix.weight"] @ np.concatenate(mixed) + w[at + "attn.mix.bias"]
            h = w[at + "mlp.up.weight"] @ norm(row, at + "norm2") + w[at + "mlp.up.bias"]
            h = np.array([one * 0.5 * math.erfc(-one / math.sqrt(2)) for one in h])
            x[t] = row + w[at + "mlp.down.weight"] @ h + w[at + "mlp.down.bias"]
    return np.stack([w["token.weight"] @ norm(row, "norm") for row in x])


for seed, sizes, shape in [(580, (11, 9, 6, 2, 2), (3, 5)), (581, (7, 5, 12, 3, 3), (2, 5)), (582, (5, 8, 4, 1, 1), (4, 3)), (583, (6, 3, 8, 2, 1), (1, 2)), (584, (43, 44, 24, 8, 4), (9, 3)), (585, (2, 1, 6, 1, 1), (1, 1)),
                           (586, (6, 6, 6, 6, 6), (6, 6)), (587, (3_000, 3, 6, 1, 1), (1, 3)), (588, (3, 60, 24, 1, 1), (1, 20)), (589, (1, 2, 6, 2, 7), (1, 2))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: as_array(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    given, expected = tokens.clone(), [slow_lm(row, kept, heads, layers) for row in tokens.tolist()]
    where = f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, "
    check_numbers(logits_of(given, state, *sizes), expected, "in the logits of another model", where, 2e-4)
    check_unchanged([given], [tokens])
    model = module_with_weights(state, TinyLM(*sizes))
    # After a call in training mode, and one with fewer tokens.
    model.train()(tokens[:1, :1].clone()), model.eval()(tokens[:1, :max(1, shape[1] - 1)].clone())
    check_numbers(model(tokens.clone()), expected, "in the logits of another model, after a shorter text", where, 2e-4)
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: tied weights, dropout passed on to the blocks, and gradients (1 point).** Grading also compares the logits, so this test needs the blocks. The token matrix is used twice, and no gradient may be cut at either end. In the last two tests it can get a gradient at one end only: in the first of them every logit is 0, because the vectors that enter the last norm are constant; in the second the last norm has the weight 0.

# %% test tiny-lm-tied points=1
# Test of 9.5 The model, 2 of 3 (1 point). Run the checks cell first.
assert len(new_model(7, 5, 6, 2, 3).blocks) == 3, "blocks must contain num_layers blocks"
returns("tiny-lm", change="sequence position letter")
check("tiny-lm",
    "a change of the vector of a letter that does not occur changes only its own logit",
    logit_changes, torch.tensor([[0, 2, 3], [4, 1, 0]]), 5, 7, 5, 6, 2, 2)
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "in training mode, with dropout=1.0", training_logits, example_tokens(1, 2, 4, 7),
    7, 5, 6, 2, 2, dropout=1.0)
check("tiny-lm", "in training mode, with the default dropout", training_logits,
    example_tokens(3, 3, 2, 7), 7, 5, 6, 2, 2)
check_gradients("tiny-lm", "gradients", new_model(7, 5, 6, 2, 2), can_learn(lm_shapes(7, 5, 6, 2)),
    tokens=example_tokens(1, 2, 4, 7))
check_gradients("tiny-lm", "gradient of the tied matrix at the beginning",
    model_of_constant_vectors(7, 5, 4, 2, 2), ["token.weight"], tokens=torch.tensor([[0, 1, 2]]))
check_gradients("tiny-lm", "gradient of the tied matrix at the end",
    model_without_last_norm(7, 5, 6, 2, 2), ["token.weight"], tokens=example_tokens(1, 2, 4, 7))
### BEGIN HIDDEN TESTS
def given_logits(tokens, state, heads, layers):
    """Logits of a model that is made of the given attention and MLP."""
    def output_of(layer, at, x):
        layer.load_state_dict({name.removeprefix(at): value for name, value in state.items() if name.startswith(at)})
        with torch.no_grad():
            return layer(x)
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], state[name + ".weight"], state[name + ".bias"])
    x = state["token.weight"][tokens] + state["position.weight"][:tokens.shape[1]]
    for at in (f"blocks.{n}." for n in range(layers)):
        x = x + output_of(CausalAttention(x.shape[-1], heads), at + "attn.", norm(x, at + "norm1"))[0]
        x = x + output_of(MLP(x.shape[-1], 4 * x.shape[-1]), at + "mlp.", norm(x, at + "norm2"))
    return norm(x, "norm") @ state["token.weight"].T


for seed, sizes, shape in [(585, (11, 9, 6, 2, 2), (3, 5)), (586, (7, 5, 12, 2, 3), (2, 5))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    tokens = torch.tensor(rng.integers(vocab, size=shape))
    whole, without_blocks = given_logits(tokens, state, heads, layers), given_logits(tokens, state, heads, 0)
    got = module_with_weights(state, TinyLM(*sizes, dropout=1.0)).train()(tokens.clone())
    check_numbers(got, without_blocks, "in training mode, with dropout=1.0", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    got = module_with_weights(state, TinyLM(*sizes)).train()(tokens.clone())
    check_numbers(got, whole, "in training mode, with the default dropout", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    model = module_with_weights(state, TinyLM(*sizes, dropout=0.5)).train()
    assert not np.allclose(as_array(model(tokens.clone())), whole, atol=1e-3), "in training mode, with dropout=0.5, the logits are those without dropout"
    got = model.eval()(tokens.clone())
    check_numbers(model(tokens[:, :2].clone()), whole[:, :2], "in eval mode, after a longer text", "with 2 tokens, ", 2e-4)
    silent = {name: value * (".mix." not in name and ".down." not in name) for name, value in state.items()}
    model = module_with_weights(silent, TinyLM(*sizes, dropout=0.5)).train()
    check_numbers(model(tokens.clone()), without_blocks, "in training mode, with dropout=0.5 and blocks that add nothing", "", 2e-4)
    check_numbers(got, whole, "in eval mode, with dropout=0.5", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    learning = {name: state[name] for name in can_learn(lm_shapes(vocab, context, d_model, layers))}
    check_gradients("tiny-lm", "gradients of another model in eval mode", module_with_weights(state, TinyLM(*sizes)).eval(), learning, tokens=tokens,
                    right=lambda w, tokens: given_logits(tokens, state | w, heads, layers))
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: too many tokens (1 point).**

# %% test tiny-lm-context points=1
# Test of 9.5 The model, 3 of 3 (1 point). Run the checks cell first.
returns("tiny-lm", shape="axis")
check("tiny-lm", "7 tokens, and a context of 6", logits_shape, 7, 6)
check_error_names_both(7, 6)
check("tiny-lm", "the shape with 6 tokens, and a context of 6", logits_shape, 6, 6)
### BEGIN HIDDEN TESTS
for batch, seq, context in [(1, 4, 3), (2, 19, 12), (3, 2, 1), (9, 65, 64), (1, 300, 2), (13, 13, 12)]:
    try:
        TinyLM(7, context, 6, 3, 2)(torch.zeros(batch, seq, dtype=torch.long))
        raise AssertionError(f"{seq} tokens must raise a ValueError if the context is {context}")
    except ValueError as error:
        assert str(seq) in str(error) and str(context) in str(error), f"the error must contain {seq} and {context}"
for seq, context in [(3, 3), (1, 1), (11, 12), (64, 64), (2, 300), (300, 300)]:
    check_numbers(logits_shape(seq, context), (2, seq, 5), "in the shape of the logits, within the context", f"with {seq=}, {context=}, ")
    # With all other parameters 0, each position holds the last norm's bias, and its logits are the bias times the token vectors.
    rng = np.random.default_rng(86 + seq)
    state = {"token.weight": random_tensor(rng, 5, 4), "norm.bias": random_tensor(rng, 4)}
    right = as_array(state["token.weight"]) @ as_array(state["norm.bias"]) + np.zeros((2, seq, 1))
    model = TinyLM(5, context, 4, 2, 1).eval()
    model.load_state_dict({name: state[name].clone() if name in state else 0 * value for name, value in model.state_dict().items()})
    got = as_array(model(example_tokens(0, 2, seq, 5)))
    check_numbers(got, right, "in the logits within the context, with blocks that add nothing", f"with {seq=}, {context=}, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "vocab": 11}, TinyLM(11, 5, 8, 2, 2),
    torch.randint(11, (2, 3))),
              ({"batch": 4, "seq": 5, "d_model": 6, "vocab": 13}, TinyLM(13, 7, 6, 3, 1),
              torch.randint(13, (4, 5))))


# %% [markdown]
# How large is the loss of a model that has learned nothing? Predict it: what is the loss if all logits are equal? Then run the next cells. `start_small` initializes all weights with small numbers, so that the model begins without preferences.

# %% locked start-small
def start_small(model, std):
    """Initialize weights of linear layers and embeddings from a normal distribution,
    biases with 0."""
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


# %% tags=["demonstration"] with=["tiny-lm", "next-token-loss"]
torch.manual_seed(0)
untrained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
full = torch.full((200,), 32)
held_out = sample_language(pairs, table, full, 32, torch.Generator().manual_seed(7))
with torch.no_grad():
    logits = untrained(held_out)
print(f"loss {next_token_loss(logits, held_out, PAD).item():.3f}, ln 12 = {math.log(12):.3f}; "
      f"{sum(one.numel() for one in untrained.parameters()):,} parameters")
print("the most probable next letter is the letter itself at "
    f"{(logits.argmax(dim=-1) == held_out).float().mean():.0%} of positions")


# %% [markdown] with=["tiny-lm", "next-token-loss"]
# The loss is a little *above* ln 12, because of the tied matrix: the residual stream still contains the letter's own vector at the end, so its product with that vector is large. So each letter begins with a preference for itself as its own successor, and in this language no letter ever follows itself.

# %% [markdown]
# ## 9.6 Does the future leak?
#
# **★ core · <!-- points -->1 point<!-- end --> · about 6 minutes · difficulty ●○○**
#
# A language model that sees the token it has to predict is worthless, and its loss looks excellent. So test it from outside: replace the tokens from position `start` on, and see whether any logit **before** `start` changes. `leak(model, tokens, start, replacement)` returns the largest absolute change, as a float. It is 0 if the model is causal.
#
# `model` is any function of tokens. `replacement` is `(batch, seq − start)`.
#
# <details><summary>Hint 1: a question</summary>
#
# The logits at `start` and after it may change. Are they part of your comparison?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.cat([..., replacement], dim=1)`, or `tokens.clone()` and an assignment. `abs()`, `max()`, `item()`.
# </details>

# %% solution leak edition="core"
def leak(model, tokens, start, replacement):
    """Return the largest absolute change of any logit before start when the
    tokens from start on are replaced.

    model: a function that maps tokens (batch, seq) to logits (batch, seq, vocab).
    replacement: (batch, seq - start). Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    changed = torch.cat([tokens[:, :start], replacement], dim=1)
    return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
    ### END SOLUTION


# %% test leak points=1
# Test of 9.6 Does the future leak? (1 point). Run the checks cell first.
returns("leak", leak="model")
tokens, others = example_tokens(6, 2, 7, 9), example_tokens(7, 2, 3, 9)
check("leak", "models that see 0, 1, 2 and 6 tokens ahead", leaks_of_models, (0, 1, 2, 6), tokens,
    4, others)
check("leak", "models in which only position 0, only position 1 or only position 3 sees ahead",
    leaks_of_positions, (0, 1, 3), tokens, 4, others)
returns("leak", leak="")
check("leak", "a model that sees nothing ahead", leak, model_that_sees(0), tokens, 4, others)
check("leak", "a model that sees the next token", leak, model_that_sees(1), tokens, 4, others)
check("leak", "a model that sees two tokens ahead", leak, model_that_sees(2, 0),
    example_tokens(3, 3, 5, 9), 2, example_tokens(5, 3, 3, 9))
### BEGIN HIDDEN TESTS
for seed, batch, seq, start, ahead in [(680, 3, 7, 4, 2), (681, 2, 9, 3, 0), (682, 4, 5, 1, 4), (683, 2, 6, 5, 1), (684, 1, 2, 1, 1), (685, 10, 43, 41, 1), (686, 12, 5, 3, 2), (687, 41, 4, 1, 2), (688, 1, 100, 3, 50), (689, 5, 5, 4, 1), (680, 3, 7, 4, 2)]:
    rng = np.random.default_rng(seed)
    tokens, others = torch.tensor(rng.integers(20, size=(batch, seq))), torch.tensor(rng.integers(20, size=(batch, seq - start)))
    if seed > 684:    # only one sequence changes
        others[torch.arange(batch) != (batch - 1) * (seed % 2)] = tokens[torch.arange(batch) != (batch - 1) * (seed % 2)][:, start:]
    old, new = tokens.double(), torch.cat([tokens[:, :start], others], dim=1).double()
    expected = 0.0
    for b, t in np.ndindex(batch, start):
        seen = range(max(0, t - 3), min(seq, t + ahead + 1))
        expected = max(expected, abs(math.fsum((1.0 + j) / 20 * float(new[b, j] - old[b, j]) for j in seen)))
    given = tokens.clone(), others.clone()
    check_numbers(leak(model_that_sees(ahead), given[0], start, given[1]), expected, "in the leak", f"with {batch=}, {seq=}, {start=}, ")
    small = leak(lambda tokens: model_that_sees(ahead)(tokens) / 1e4, tokens.clone(), start, others.clone())
    check_numbers(1e4 * small, expected, "in the leak of a model with small logits", f"with {batch=}, {seq=}, {start=}, ")
    check_unchanged(given, (tokens, others))
    for position in range(start):  # a model that sees ahead at one position only
        expected = max(abs(math.fsum((1.0 + j) / 20 * float(row[j]) for j in range(seq))) for row in new - old)
        seen = model_in_which_one_sees_ahead(position)
        got = leak(lambda given: torch.cat([seen(given) / 3, *40 * [seen(given)[..., :1] / 5], seen(given)], dim=-1)[..., :45], tokens.clone(), start, others.clone())
        check_numbers(got, expected, "in the leak of a model in which one position sees ahead", f"with {position=}, {seq=}, {start=}, ")
### END HIDDEN TESTS

# %% [markdown] with=["leak", "tiny-lm", "next-token-loss"]
# Is your model causal? And what if its mask is removed? Predict: does a leak show in a model that has not learned anything yet?

# %% locked no-mask
class NoMask(CausalAttention):
    """The same layer without its mask."""

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.q, self.k, self.v))
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% tags=["demonstration"] with=["leak", "tiny-lm", "next-token-loss"]
open_model = copy.deepcopy(untrained)
for block in open_model.blocks:
    layer = NoMask(48, 4)
    layer.load_state_dict(block.attn.state_dict())
    block.attn = layer
others = sample_language(pairs, table, torch.full((200,), 22), 22, torch.Generator().manual_seed(8))
with torch.no_grad():
    for name, model in [("with its mask", untrained), ("without a mask", open_model)]:
        print(f"{name:14}: leak {leak(model, held_out, 10, others):.4g}")


# %% [markdown] with=["leak", "tiny-lm", "next-token-loss"]
# With its mask, the leak is exactly 0: not small, but 0. Without the mask, even the untrained model leaks. So this bug can be found before any training.

# %% [markdown] with=["next-token-loss", "tiny-lm"]
# ## Training
#
# All parts are ready. The next cells train your model on the made-up language for 800 steps, with 32 new sequences of 8 to 32 letters in each step. The learning rate rises for 50 steps, because early gradients are unreliable, then falls along half a cosine wave. Predict the final loss. Can it fall below 0.96? (The training takes ten to twenty seconds and prints its progress.)

# %% locked training-step
def training_step(model, optimizer, loss, rate):
    """Do one step with this learning rate, gradients clipped to norm 1. Return the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


# %% locked train
def train(model, loss_of, steps, peak=1e-2, seed=0):
    """Train, printing the loss eight times. loss_of: a function of the model and a generator.
    Return the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.99), weight_decay=0.01)
    generator, losses, began = torch.Generator().manual_seed(seed), [], time.perf_counter()
    for step in range(steps):
        cosine = (1 + math.cos(math.pi * max(step - 50, 0) / (steps - 50))) / 2
        rate = peak * min((step + 1) / 50, 0.1 + 0.9 * cosine)
        losses.append(training_step(model, optimizer, loss_of(model, generator), rate))
        if (step + 1) % (steps // 8) == 0:
            left = (time.perf_counter() - began) / (step + 1) * (steps - step - 1)
            print(f"step {step + 1:4} of {steps}: loss {np.mean(losses[-20:]):.3f}, {left:3.0f} s "
                "left", flush=True)
    return losses


# %% locked language-loss
def language_loss(model, generator):
    """Return the loss on 32 new sequences of 8 to 32 letters."""
    lengths = torch.randint(8, 33, (32,), generator=generator)
    tokens = sample_language(pairs, table, lengths, 32, generator)
    return next_token_loss(model(tokens), tokens, PAD)


# %% tags=["demonstration"]
torch.manual_seed(0)
trained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
losses = train(trained, language_loss, steps=800)


# %% locked held-out
def evaluate_by_position(model, count=1000):
    """Return (mean losses of the model, mean surprises of the source) by position,
    on new sequences of 32 letters."""
    tokens = sample_language(pairs, table, torch.full((count,), 32), 32,
        torch.Generator().manual_seed(10_000))
    with torch.no_grad():
        by_model = token_losses(model.eval()(tokens), tokens).mean(dim=0)
    second = -given_one[tokens[:, 0], tokens[:, 1]].log()  # letter 1 is known from letter 0 alone
    later = -table[tokens[:, :-2], tokens[:, 1:-1], tokens[:, 2:]].log()
    return by_model, torch.cat([second[:, None], later], dim=1).mean(dim=0)


# %% tags=["demonstration"]
by_model, by_source = evaluate_by_position(trained)
first, later, source = by_model[0], by_model[1:].mean(), by_source[1:].mean()
print(f"first prediction: model {first:.4f}, source {by_source[0]:.4f}, limit H1 1.4953")
print(f"all later ones:   model {later:.4f}, source {source:.4f}, limit H2 0.9624")
print(f"all later ones:   model minus source {later - source:.4f} nats, perplexity "
    f"{later.exp():.3f} against {source.exp():.3f}")

# %% alt="Three panels. Top: the training loss, smoothed, starts above 2, crosses the dashed line H1 = 1.50 within 50 steps and flattens just above the line H2 = 0.96. Middle: mean loss by position on new text; model and source can hardly be told apart: 1.5 at position 1, about 0.96 at all later ones. Bottom: model minus source by position, on an axis up to 0.02 nats: all bars are above 0, and a line marks their mean from position 2 on, 0.0085. The last bar, at position 31, is the longest, 0.020." tags=["demonstration"]
fig, (top, middle, bottom) = plt.subplots(3, 1, figsize=(6.4, 8), layout="constrained")
top.plot(np.convolve(losses, np.ones(20) / 20, mode="valid"))
for nats, style, name in [(math.log(12), ":", "ln 12: knowing no letter"),
        (1.4953, "--", "H1: knowing one letter"), (0.9624, "-", "H2: knowing two")]:
    top.axhline(nats, color="0.4", linestyle=style, linewidth=1, label=name)
top.set(xlabel="training step", ylabel="loss, nats (mean of 20 steps)", ylim=(0.8, 2.7))
middle.plot(range(1, 32), by_model.numpy(), "o", markersize=4, label="the model")
middle.plot(range(1, 32), by_source.numpy(), "_", color="black", markersize=9, label="the source")
middle.set(xlabel="position of the predicted letter", ylabel="mean loss on new text, nats",
    ylim=(0.8, 1.6))
gap = (by_model - by_source).numpy()
bottom.bar(range(1, 32), gap)
bottom.axhline(gap[1:].mean(), color="C1", label=f"mean from position 2 on: {gap[1:].mean():.4f}")
bottom.axhline(0, color="black", linewidth=1)
bottom.set(xlabel="position of the predicted letter", ylabel="model minus source, nats")
for ax in (top, middle, bottom):
    ax.legend()
plt.show()

# %% [markdown]
# In the middle panel, model and source can hardly be told apart. Their difference, at the bottom, shows what is left to learn: from the third letter on (position 2), the model ends less than 0.01 nats above the source's own surprise at the same text (0.0085 in our run, 0.0080 to 0.0094 over five seeds). It has learned the table, and that two letters are enough. The rest of the loss is the randomness of the language, and no training removes it. The training loss stays a little above H2, because a short sequence has a larger share of first predictions. Its curve begins at 2.06, the mean of the first 20 steps.
#
# The last bar is the longest, 0.020. Letter 31 exists only in sequences of the full 32 letters, so only one training sequence in 25 has this target.
#
# The limit holds for means over much text. A few letters may happen to be easier: in our training, 52 of the 800 batches had a loss below 0.9624 (the lowest 0.88), and in the middle panel some of the source's own dashes are below H2. No *mean* over many thousands of letters is clearly below it. Now you know what it would mean if one were.

# %% [markdown]
# Which letters does the model use? The next cell shows the attention weights of one head of layer 0 on a text of 8 letters, and averages over 500 texts for all four heads. Predict: which keys should a query attend to in this language?

# %% alt="Heatmap of the attention weights of layer 0, head 0, on 8 letters, row = query, column = key, future keys hatched. In each row, nearly all weight is on the letter itself or on the letter before it." tags=["demonstration"]
text = sample_language(pairs, table, torch.full((500,), 31), 31, torch.Generator().manual_seed(5))
with torch.no_grad():
    x = trained.token(text) + trained.position(torch.arange(31))
    _, weights = trained.blocks[0].attn(trained.blocks[0].norm1(x))
own, before = (weights.diagonal(-back, -2, -1)[..., 5:].mean(dim=(0, 2)) for back in (0, 1))
for head in range(4):
    print(f"layer 0, head {head}: own letter {own[head]:.2f}, letter before it {before[head]:.2f}, "
        f"together {own[head] + before[head]:.2f}")
fig, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
few, letters = weights[0, 0, :8, :8].numpy(), [LETTERS[token] for token in text[0, :8].tolist()]
image = ax.imshow(np.ma.masked_where(np.triu(np.ones((8, 8)), 1) > 0, few), vmin=0, vmax=1,
    cmap="cividis")
ax.patch.set(hatch="///", edgecolor="0.7")
for query, key in zip(*np.tril_indices(8)):
    ax.text(key, query, f"{few[query, key]:.2f}", ha="center", va="center", fontsize=9,
        color="black" if few[query, key] > 0.5 else "white")
ax.set(xticks=range(8), xticklabels=letters, yticks=range(8), yticklabels=letters, xlabel="key",
    ylabel="query", title="layer 0, head 0")
fig.colorbar(image, ax=ax, label="weight")
plt.show()


# %% [markdown]
# Each head of layer 0 puts most of its weight on the letter itself and on the letter before it: together 0.84 to 0.95 on average in our run. The model has found the two letters that matter in this language.

# %% task three-reports [markdown] points=2 edition="core"
# ## 9.7 In your own words: three reports
#
# **★ core · <!-- points -->2 points<!-- end --> · about 10 minutes · difficulty ●●○ · read by a person**
#
# Three classmates have trained a `TinyLM` on the language of this lesson. Each reports the training loss:
#
# 1. "2.1, and it won't fall."
# 2. "0.000 after a few minutes!"
# 3. "0.74. That is better than the entropy!"
#
# Which bug is it in each case, and which check of one line would have found it? If a report fits two bugs, say which check distinguishes them. Three to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **Report 1:** softmax before the cross-entropy. Twelve probabilities, taken as logits, can't give a loss below ln(e + 11) − 1 = 1.619. Checks: do the rows that enter `cross_entropy` sum to 1? Is the loss of logits of ±1000 near 0 or near 1000?
#
# **Report 2:** no shift, so that each token predicts itself (tied weights make it easy), or no mask, so that the next token is visible. `leak` distinguishes them: without the shift it is 0, without the mask it is not. A loss far below the entropy can't be honest.
#
# **Report 3:** padding is counted: easy targets enter the mean. Check: count the targets, or compare with the mean over real ones only. No honest model is better than the source.
#
# **2 points** for all three bugs with checks, **1 point** for two of the three, or for all three without checks.
#
# **Half right (1 point of 2):** "1 is a softmax too many, 2 is a missing mask, 3 has overfitted." Report 2 fits two bugs, and each step draws new text, so a model can't overfit.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 9.7** (double-click here, and write in place of this line)

# %% [markdown]
# ## 9.8 Bug hunt: an evaluation that lies
#
# **more · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●○ · needs 9.2**
#
# A colleague evaluates models with the next function. `batches` is a list of token tensors, with different numbers of sequences and letters, and padding anywhere: a batch may even be padding alone. The function runs and prints a number. It has **five** bugs that make this number wrong, and none of them raises an error.

# %% locked lying-evaluate
def lying_evaluate(model, batches, pad):
    losses = []
    for tokens in batches:
        probs = model(tokens).softmax(dim=-1)
        loss = F.cross_entropy(probs[:, 1:].transpose(1, 2), tokens[:, :-1])
        losses.append(loss.item())
    return sum(losses) / len(losses)


# %% [markdown]
# The correct result is the mean loss over **all** real targets of **all** batches, each counting once. During the evaluation, the model must be in eval mode, so that nothing is dropped. Afterwards it must be in the mode in which it came: the caller may be in the middle of a training. Your function may use your 9.2.
#
# `model` is a module; `model.training` is its mode.
#
# <details><summary>Hint 1: a question</summary>
#
# For each line: what does it do with dropout, with the order of rows and targets, with padding, and with batches of different sizes? What does `F.cross_entropy` do to its first argument before it takes a logarithm?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `was = model.training`, `model.eval()`, `model.train(was)`. `torch.no_grad()`. `token_losses` of 9.2, a sum, and a count.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. store `model.training`, then call `model.eval()`
# 2. for each batch: the token losses of the model's logits, and a mask of the real targets
# 3. add the sum of the masked losses to a total, and the number of real targets to a count
# 4. restore the mode; return the total divided by the count
# </details>

# %% solution repaired-evaluate builds_on=["next-token-loss"]
def repaired_evaluate(model, batches, pad):
    """Return the mean loss over all real targets of all batches, in eval mode.
    Leaves the model in the mode in which it came.

    model: a module that maps tokens (batch, seq) to logits.
    batches: a list of tokens. pad: the padding token.
    Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    mode = model.training
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for tokens in batches:
            losses = F.cross_entropy(model(tokens)[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
            real = tokens[:, 1:] != pad
            total += losses[real].sum().item()
            count += real.sum().item()
    model.train(mode)
    return total / count
    ### END SOLUTION


# %% [markdown]
# The tests use a small model with dropout 0.5 between an embedding and a linear layer. **Test 1 of 2: the number (2 points).**

# %% locked toy-model
def toy_model(vocab):
    """Return a small model with dropout, whose logits depend on one token only."""
    return nn.Sequential(nn.Embedding(vocab, 8), nn.Dropout(0.5), nn.Linear(8, vocab))


# %% test repaired-evaluate points=2
# Test of 9.8 Bug hunt: an evaluation that lies, 1 of 2 (2 points). Run the checks cell first.
returns("repaired-evaluate", loss="")
check("repaired-evaluate", "one full batch, a model in eval mode", evaluate_twice,
    [example_tokens(1, 3, 5, 4)], 9, 4, False)
check("repaired-evaluate", "one batch with padding 3", evaluate_twice, [uneven_batches[0]], 3, 5,
    False)
check("repaired-evaluate", "three batches of different sizes, padding 3", evaluate_twice,
    uneven_batches, 3, 5, False)
check("repaired-evaluate", "a model in training mode", evaluate_twice, uneven_batches, 3, 5, True,
    4)
check("repaired-evaluate", "three batches, the last one padding alone", evaluate_twice,
    [*uneven_batches[:2], torch.full((2, 4), 3)], 3, 5, False)
### BEGIN HIDDEN TESTS
for seed, vocab, pad, sizes in [(880, 6, 0, [(3, 5), (2, 9)]), (881, 9, 8, [(4, 3), (1, 7), (2, 6)]), (882, 5, 2, [(2, 4)]), (883, 43, 42, [(9, 41), (1, 2)]), (884, 4, 1, [(n % 4 + 1, n % 5 + 2) for n in range(23)]), (885, 2, 0, [(1, 2)]),
                                (886, 6, 5, [(2, 4), (3, 5), (1, 3)])]:
    rng = np.random.default_rng(seed)
    shapes = {"0.weight": (vocab, 8), "2.weight": (vocab, 8), "2.bias": (vocab,)}
    state = {name: random_tensor(rng, *shape) for name, shape in shapes.items()}
    batches = [rng.integers(vocab, size=size) for size in sizes]
    for batch in batches:
        batch[0, 2:], batch[-1, -1], batch[0, 1] = pad, pad, (pad + 1) % vocab
    batches[1:2] = [pad + 0 * one if seed == 886 else one for one in batches[1:2]]    # a batch of padding alone
    E, W, b = (as_array(state[name]) for name in shapes)
    rows = E @ W.T + b
    found = [math.log(math.fsum(np.exp(rows[one]))) - rows[one, other]
             for batch in batches for row in batch for one, other in zip(row, row[1:]) if other != pad]
    for training in (True, False):
        given = [torch.tensor(batch) for batch in batches]
        got = repaired_evaluate(toy_model_with_weights(state, vocab, training), given, pad)
        check_numbers(got, math.fsum(found) / len(found), "in the mean loss of all batches", f"with {vocab=}, {pad=}, {training=}, batches {', '.join(map(in_words, sizes))}, ")
        check_unchanged(given, [torch.tensor(batch) for batch in batches])
    # Another kind of model.
    other = nn.Sequential(nn.Embedding(vocab, vocab), nn.Sequential(nn.Identity(), nn.Sequential(nn.Dropout(0.5)))).requires_grad_(False)
    rows, given = as_array(other[0].weight), [torch.tensor(batch) for batch in batches]
    found = [math.log(math.fsum(np.exp(rows[one]))) - rows[one, following]
             for batch in batches for row in batch for one, following in zip(row, row[1:]) if following != pad]
    check_numbers(repaired_evaluate(other, given, pad), math.fsum(found) / len(found), "in the mean loss of another model", f"with {vocab=}, {pad=}, ")
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mode (1 point).**

# %% test repaired-evaluate-mode points=1
# Test of 9.8 Bug hunt: an evaluation that lies, 2 of 2 (1 point). Run the checks cell first.
returns("repaired-evaluate", training_mode="module")
check("repaired-evaluate", "a model that came in training mode", mode_after_evaluation, True)
check("repaired-evaluate", "a model that came in eval mode", mode_after_evaluation, False)
### BEGIN HIDDEN TESTS
for training in (False, True):
    state = toy_state(3, 4)
    model = toy_model_with_weights(state, 4, training)
    got = repaired_evaluate(model, [torch.full((2, 5), 1)], 3)
    E, W, b = (as_array(state[name]) for name in ("0.weight", "2.weight", "2.bias"))
    row = W @ E[1] + b
    check_numbers(got, math.log(math.fsum(np.exp(row))) - row[1], "in the loss of a text of one letter", f"with {training=}, ")
    assert [part.training for part in (model, *model)] == 4 * [training], f"the model came with training={training}, and should have it afterwards"
### END HIDDEN TESTS

# %% [markdown]
# How bad can such bugs be? We trained a copy of the model for 300 steps with one bug at a time, and compared the loss that the buggy program prints with the true loss on new text. Without a bug, both are about 1.01. (This is a little above H2, because these texts have 8 to 32 letters, and each has a first prediction.) With three bugs of this lesson, the printed losses were 0.000, 0.74 and 2.1. The true losses were about 10.5, 1.05 and 5.
#
# Two of these three look **better** than the best possible loss. Only a known limit exposes them.

# %% [markdown] with=["repaired-evaluate", "tiny-lm", "next-token-loss"]
# The next cell runs both evaluations of your trained model on the same text. With all five bugs of `lying_evaluate` at once, the number is too large: the bugs don't cancel, and the number says nothing about the model.

# %% tags=["demonstration"] with=["repaired-evaluate", "tiny-lm", "next-token-loss"]
generator = torch.Generator().manual_seed(5)
batches = [sample_language(pairs, table, torch.randint(8, 33, (size,), generator=generator), 32,
    generator) for size in (200, 20)]
print(f"repaired: {repaired_evaluate(trained, batches, PAD):.3f}, lying: "
    f"{lying_evaluate(trained, batches, PAD):.3f}")


# %% [markdown]
# ## 9.9 From logits to probabilities
#
# **more · <!-- points -->3 points<!-- end --> · about 20 minutes · difficulty ●●●**
#
# The model returns logits. To write text with it, you have to choose tokens. Three settings change the probabilities from which the next token is drawn. `next_token_probs` applies them **in this order**:
#
# | setting | what it does |
# |---|---|
# | `temperature` | divides the logits. Below 1, likely tokens become likelier; above 1, the probabilities become more even. A `ValueError` if it is 0 or less |
# | `top_k` | keeps only the `top_k` largest logits; all of them if the vocabulary is smaller |
# | `top_p` | first normalizes what `top_k` has kept to sum 1, then keeps the **smallest set** of most probable tokens whose sum is at least `top_p` |
#
# In the result each row sums to 1, and tokens that are not kept have probability 0. `top_k` is at least 1, and `top_p` is above 0 and at most 1. `None` turns either of them off.
#
# An example for `top_p=0.7`, with the probabilities 0.5, 0.3, 0.2: the first alone has 0.5, which is not enough. The first two have 0.8. The token that *crosses* the limit is kept, and the result is 0.625, 0.375, 0. So at least one token is always kept.
#
# `logits` is `(…, vocab)`, and each row is handled separately. Logits may be as large as ±10,000. No two logits of a row are equal.
#
# <details><summary>Hint 1: a question</summary>
#
# Sort the probabilities of a row, the largest first. A token is kept if the sum of those **before** it is less than `top_p`. Why before it, and not up to and including it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `logits.topk(k, dim=-1).values[..., -1:]` is the smallest logit to keep. `masked_fill(…, -math.inf)`, `softmax(dim=-1)`. `probs.sort(dim=-1, descending=True)` returns values and their indices, `cumsum(dim=-1)` is the running sum, and `torch.zeros_like(probs).scatter(-1, indices, values)` puts the values back in the order of the vocabulary.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. raise the `ValueError`; divide the logits by the temperature
# 2. if `top_k`: find the `top_k`-th largest logit, and set every smaller one to −∞
# 3. softmax
# 4. if `top_p`: sort; `before` = `cumsum` minus the values; set values to 0 where `before >= top_p`; scatter them back; divide each row by its sum
# </details>
#
# <details><summary>I get “selected index k out of range”</summary>
#
# `topk` can't return more than there are: use the smaller one of `top_k` and the size of the vocabulary.
# </details>

# %% solution next-token-probs
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    """Return the probabilities of the next token, after temperature, top_k and top_p.

    logits: (..., vocab). Returns (..., vocab), each row sums to 1. No input is changed.
    Raises ValueError if the temperature is 0 or less.
    """
    ### BEGIN SOLUTION
    if temperature <= 0:
        raise ValueError(f"the temperature must be above 0, not {temperature}")
    logits = logits / temperature
    if top_k is not None:
        smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < smallest, -math.inf)
    probs = logits.softmax(dim=-1)
    if top_p is not None:
        ordered, places = probs.sort(dim=-1, descending=True)
        kept = ordered * (ordered.cumsum(dim=-1) - ordered < top_p)
        probs = torch.zeros_like(probs).scatter(-1, places, kept)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 3: temperature (1 point). Test 2 of 3: top_k (1 point). Test 3 of 3: top_p (1 point).**

# %% test next-token-probs-temperature points=1
# Test of 9.9 From logits to probabilities, 1 of 3 (1 point). Run the checks cell first.
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "two leading axes, default settings", next_token_probs, uneven_logits)
check("next-token-probs", "two leading axes, temperature 2", next_token_probs, uneven_logits,
    temperature=2.0)
check("next-token-probs", "logits of ±10000", next_token_probs, 1500 * uneven_logits, 1.0)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "temperature 0.5: squares of 0.2, 0.5 and 0.3", next_token_probs,
    paper_probs.log(), 0.5)
check("next-token-probs", "temperature 0", next_token_probs, paper_probs.log(), 0.0)
check("next-token-probs", "temperature −1", next_token_probs, paper_probs.log(), temperature=-1.0)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, size in [(980, (3,), 7, 1.0, 1), (981, (2, 4), 5, 0.3, 1), (982, (), 9, 2.5, 1), (983, (3,), 6, 0.7, 4e3), (984, (2, 3, 4), 6, 100, 1), (985, (9, 4), 43, 0.01, 1), (986, (1,), 1, 1.0, 1), (987, (4,), 4, 2, 1),
                                              (988, (), 1, 0.5, 1), (989, (2,), 300, 1000.0, 1), (979, (1, 1, 1), 5, 3, -2e3), (978, (1,), 700, 0.9, 1), (980, (3,), 7, 1.0, 1)]:
    rng = np.random.default_rng(seed)
    logits = size * rng.normal(size=(*front, vocab))
    grown = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    given = torch.tensor(logits)
    got = next_token_probs(given) if temperature == 1 else next_token_probs(given, temperature)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with rows {in_words(front)}, {vocab=}, ")
    check_unchanged([given], [torch.tensor(logits)])
for temperature in (0.0, 0, -0.5, -1e-9, -100, -math.inf):
    try:
        next_token_probs(torch.zeros(2, 3), temperature)
        raise AssertionError(f"a temperature of {temperature} must raise a ValueError")
    except ValueError:
        pass
### END HIDDEN TESTS

# %% test next-token-probs-top-k points=1
# Test of 9.9 From logits to probabilities, 2 of 3 (1 point). Run the checks cell first.
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_k = 2, of 6 tokens", next_token_probs, uneven_logits, top_k=2)
check("next-token-probs", "temperature 2, top_k = 3", next_token_probs, uneven_logits, 2.0, 3)
check("next-token-probs", "top_k = 1, logits far below −10000", next_token_probs,
    1000 * uneven_logits - 40000, top_k=1)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_k = 2: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(),
    top_k=2)
check("next-token-probs", "top_k = 8, of 3 tokens", next_token_probs, paper_probs.log(), top_k=8)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, top_k in [(985, (3,), 7, 1.0, 2), (986, (2, 4), 5, 0.3, 4), (987, (), 9, 2.5, 1), (988, (4,), 6, 1.0, 6), (989, (2,), 4, 1.0, 11), (984, (3,), 5, 0.01, 2), (983, (9, 2), 43, 1.0, 40), (982, (2, 3, 4), 6, 100, 5),
                                               (981, (2,), 300, 1.0, 299), (980, (1,), 1, 1.0, 1), (979, (1, 1), 4, 2.0, 4), (978, (2,), 4, 0.5, 100_000), (977, (3, 3), 3, 1.0, 3), (976, (2,), 60, 0.01, 50), (985, (3,), 7, 1.0, 2)]:
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(*front, vocab)) - 9000 * (temperature < 0.1)
    grown = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    grown[np.argsort(np.argsort(logits)) < vocab - top_k] = 0
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with rows {in_words(front)}, {vocab=}, {top_k=}, ")
    check_unchanged([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% test next-token-probs-top-p points=1
# Test of 9.9 From logits to probabilities, 3 of 3 (1 point). Run the checks cell first.
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_p = 0.7, of 6 tokens", next_token_probs, uneven_logits, 1.0, None,
    0.7)
check("next-token-probs", "temperature 2, then top_p = 0.6", next_token_probs, uneven_logits, 2.0,
    top_p=0.6)
check("next-token-probs", "top_k = 3, then top_p = 0.8", next_token_probs, uneven_logits, top_k=3,
    top_p=0.8)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_p = 0.7: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(),
    top_p=0.7)
check("next-token-probs", "top_p = 0.01 keeps one, logits of about −20000", next_token_probs,
    paper_probs.log() - 20000, top_p=0.01)
check("next-token-probs", "top_p = 1 keeps all", next_token_probs, paper_probs.log(), top_p=1.0)
### BEGIN HIDDEN TESTS
def nucleus(row, temperature, top_k, top_p):
    """The probabilities of one row, token by token."""
    grown = np.exp((row - max(row)) / temperature)
    order = np.argsort(-row)[:top_k]
    shares, kept, total = grown / math.fsum(grown[order]), [], 0.0
    for token in order:
        if total < top_p:
            kept.append(token)
            total += shares[token]
    return np.array([shares[token] / total if token in kept else 0.0 for token in range(len(row))])


for seed, front, vocab, temperature, top_k, top_p in [(990, (3,), 7, 1.0, None, 0.6), (991, (2, 4), 5, 0.7, None, 0.9), (992, (), 9, 2.5, None, 0.35),
                                                      (993, (4,), 8, 1.0, 3, 0.75), (994, (5,), 6, 1.5, 4, 0.5), (995, (9, 2), 43, 1.0, 8, 0.99), (996, (2, 3, 4), 6, 100, 2, 0.5), (997, (4,), 7, 0.01, None, 0.999), (998, (3,), 6, 1.0, 1, 0.5),
                                                      (999, (1,), 1, 1.0, 1, 1.0), (989, (3,), 9, 1.0, 3, 1.0), (988, (3,), 9, 1.0, None, 0.7), (987, (3,), 9, 2.0, None, 0.001), (986, (2,), 300, 1.0, None, 0.9), (985, (), 41, 0.7, None, 0.9999), (982, (1,), 1000, 100.0, None, 0.9),
                                                      (984, (40,), 5, 0.05, 4, 0.8), (983, (5,), 5, 1.0, None, 0.9), (990, (3,), 7, 1.0, None, 0.6)]:
    rng = np.random.default_rng(seed)
    logits = 1.5 * rng.normal(size=(*front, vocab))
    logits = np.round(64 * logits) / 64 - 5000 if seed == 983 else logits    # all low, and exact in 32 bits
    expected = np.apply_along_axis(nucleus, -1, logits, temperature, top_k, top_p)
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k, top_p)
    check_numbers(got, expected, "in the probabilities", f"with rows {in_words(front)}, {vocab=}, {top_k=}, ")
    check_unchanged([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% [markdown]
# ## 9.10 Writing
#
# **more · <!-- points -->2 points<!-- end --> · about 10 minutes · difficulty ●●○ · needs 9.9**
#
# Now the model can write: compute the logits, draw one token from the probabilities of the **last** row, append it, and repeat. The model sees at most the last `context` tokens. `generate` returns the prompt and the new tokens. The sequences of a batch are drawn independently.
#
# All randomness comes from `generator`, so that the same seed gives the same text: pass it to `torch.multinomial`, and never seed it again.
#
# <details><summary>Hint 1: a question</summary>
#
# What is `tokens[:, -context:]` if the prompt is shorter than the context?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your 9.9. `torch.multinomial(probs, 1, generator=generator)` draws one token for each row, `(batch, 1)`. `torch.cat([tokens, drawn], dim=1)`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# Repeat `new_tokens` times:
#
# 1. `logits` = the last row of the model's logits for the last `context` tokens
# 2. `probs` = `next_token_probs` with all three settings
# 3. draw with `multinomial` and the generator; append with `cat`
# </details>

# %% solution generate builds_on=["next-token-probs"]
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None,
        top_p=None):
    """Append new tokens to the prompt, one at a time, drawn with the generator.

    model: a function that maps tokens (batch, at most context) to
    logits (batch, seq, vocab).
    tokens: (batch, seq), the prompt. Returns (batch, seq + new_tokens).
    The prompt is not changed.
    """
    ### BEGIN SOLUTION
    for _ in range(new_tokens):
        logits = model(tokens[:, -context:])[:, -1]
        probs = next_token_probs(logits, temperature, top_k, top_p)
        drawn = torch.multinomial(probs, 1, generator=generator)
        tokens = torch.cat([tokens, drawn], dim=1)
    return tokens
    ### END SOLUTION


# %% test generate points=2
# Test of 9.10 Writing (2 points). Run the checks cell first.
returns("generate", tokens="sequence place")
prompt = torch.tensor([[1, 2, 4], [4, 0, 6]])
check("generate", "top_k = 1, 5 new tokens", generated_tokens, prompt, 9, 5, top_k=1)
check("generate", "top_k = 1, and a context of 2, 12 new tokens", generated_tokens, prompt, 2, 12,
    1.0, 1)
check("generate", "no new token", generated_tokens, prompt, 5, 0)
first, again, other = map(sample_almost_evenly, (1, 1, 2))
messages = (
    "the same seed gives another text\npass the generator to torch.multinomial, and use no other "
    "randomness",
    "only the likeliest letter is generated, though it is hardly likelier\n"
    "draw from the probabilities: don't take the largest",
    "all sequences get the same letters, though all letters are about equally likely\n"
    "draw for each sequence separately",
    "each sequence repeats one letter, though all letters are about equally likely\n"
    "draw again at each step, and don't seed the generator there",
    "another seed gives the same text\ndraw with the generator that was passed, and don't seed it")
right = (np.array_equal(first, again), (first != 6).any(), np.ptp(first, axis=0).any(),
    np.ptp(first, axis=1).any(), not np.array_equal(first, other))
for passed, message in zip(right, messages):
    assert passed, message
check_pair_shares([[0.25, 0.15, 0.1], [0.045, 0.015, 0.24], [0.05, 0.14, 0.01]])
check_pair_shares([[0.3906, 0.2344, 0], [0.0592, 0, 0.3158], [0, 0, 0]], top_k=2)
check_pair_shares([[0.3906, 0.2344, 0], [0, 0, 0.375], [0, 0, 0]], top_p=0.6)
roots = np.sqrt(chain_probs) / np.sqrt(chain_probs).sum(axis=1, keepdims=True)
check_pair_shares(roots[0][:, None] * roots, temperature=2.0)
### BEGIN HIDDEN TESTS
for seed, batch, seq, context, new in [(1080, 3, 4, 6, 7), (1081, 2, 5, 3, 4), (1082, 4, 1, 2, 3), (1083, 2, 3, 3, 50), (1084, 1, 1, 1, 1), (1085, 10, 41, 43, 5), (1086, 3, 20, 1, 4), (1087, 2, 44, 40, 2), (1088, 4, 4, 4, 4), (1089, 3, 6, 4, 0), (1080, 3, 4, 6, 7)]:
    rng = np.random.default_rng(seed)
    tokens = torch.tensor(rng.integers(7, size=(batch, seq)))
    expected = [list(row) for row in tokens.tolist()]
    for row in expected:
        for _ in range(new):
            seen = row[-context:]
            row.append((3 + sum((n + 1) * token for n, token in enumerate(seen))) % 7)
    given = tokens.clone()
    check_numbers(generated_tokens(given, context, new, top_k=1), expected, "in text without randomness", f"with {batch=}, {seq=}, {context=}, ", 0)
    check_unchanged([given], [tokens])
    # Another model.
    model = lambda seen: 9.0 * F.one_hot((2 * seen.cumsum(dim=1) + seen.shape[1]) % 5, 5)
    expected = [list(row) for row in tokens.tolist()]
    for row in expected:
        for _ in range(new):
            row.append((2 * sum(row[-context:]) + len(row[-context:])) % 5)
    got = generate(model, tokens.clone(), context, new, torch.Generator(), top_k=1)
    check_numbers(got, expected, "in another model's text without randomness", f"with {batch=}, {seq=}, {context=}, ", 0)
squares = np.array([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]]) ** 2
squares = squares / squares.sum(axis=1, keepdims=True)
check_pair_shares(squares[0][:, None] * squares, temperature=0.5)
two_likeliest = squares * (squares > squares.min(axis=1, keepdims=True)) / (1 - squares.min(axis=1, keepdims=True))
check_pair_shares(two_likeliest[0][:, None] * two_likeliest, temperature=0.5, top_k=2)
check_pair_shares(np.array([[0.625, 0.375, 0]]).T * np.array([[0.625, 0.375, 0], [0, 0, 1], [0.2631579, 0.7368421, 0]]), top_p=0.75)
# Two settings at once, with which the order of the steps in 9.9 does not matter.
two_of_first = np.array([[0.625, 0.375, 0]]).T * np.array([[0.625, 0.375, 0], [0, 0, 1], [0, 1, 0]])
check_pair_shares(two_of_first, top_k=2, top_p=0.65)
check_pair_shares(two_of_first, 2, temperature=2.0, top_p=0.68)
### END HIDDEN TESTS

# %% [markdown] with=["generate", "tiny-lm", "next-token-loss"]
# What does your model write? The model's texts begin after a space. The next cell uses a context of **31**, although the model has 32 positions. Why? The last position never had a target in training: row 31 would predict letter 32, but a training text has only the letters 0 to 31. So the logits of this row were never trained.

# %% tags=["demonstration"] with=["generate", "tiny-lm", "next-token-loss"]
trained.eval()
with torch.no_grad():
    for settings in [{"temperature": 0.5}, {"temperature": 1.0}, {"temperature": 2.0},
            {"top_p": 0.9}]:
        text = generate(trained, torch.tensor([[1]]), 31, 60, torch.Generator().manual_seed(0),
            **settings)
        print(f"{str(settings):20}", "".join(LETTERS[token] for token in text[0].tolist()))
source = sample_language(pairs, table, torch.tensor([61]), 61, torch.Generator().manual_seed(2))
print(f"{'the source itself':20}", "".join(LETTERS[token] for token in source[0].tolist()))


# %% [markdown] with=["generate", "tiny-lm", "next-token-loss"]
# At temperature 1 you can hardly tell the text from the source. At 0.5 it prefers likely letters even more. At 2 it takes risks: in 300 such texts, 3 to 4 % of the letters were forbidden by the language, against 0.1 % at temperature 1. How much does the untrained last row cost? The next cell writes 500 texts of 64 letters with contexts of 32, 31 and 30, and computes the source's mean surprise at them: at the letters 2 to 30, and at the letters from 36 on, where the window has to slide.

# %% tags=["demonstration"] with=["generate", "tiny-lm", "next-token-loss"]
def surprise(text):
    """Return the mean surprise of the source at early and at late letters,
    without those that it forbids."""
    probs = table[text[:, :-2], text[:, 1:-1], text[:, 2:]]  # of the letters 2, 3, …
    parts = probs[:, :29], probs[:, 34:]
    return [-part[part > 0].log().mean().item() for part in parts]


with torch.no_grad():
    for context in (32, 31, 30):
        prompt = torch.multinomial(pairs.sum(dim=0), 500, replacement=True,
            generator=torch.Generator().manual_seed(3))[:, None]
        text = generate(trained, prompt, context, 63, torch.Generator().manual_seed(4))
        early, late = surprise(text)
        print(f"context {context}: letters 2 to 30 {early:.2f} nats, from 36 on {late:.2f} nats",
            flush=True)

# %% [markdown] with=["generate", "tiny-lm", "next-token-loss"]
# With a context of 32, each late letter is drawn from the row that never had a target. Most of these letters are allowed, but many are improbable: the mean surprise is 2.5 nats in our run, where 0.96 is right. With 31 it is 1.05: all late letters are then drawn from row 30, whose bar was the longest in the figure of the training. With 30 it is 0.99, near the 0.98 of the early letters.

# %% [markdown]
# ## What you have built
#
# You have built a language model from its loss to its training<!-- with: generate --> and its text<!-- end -->, and measured it against the best possible loss. You have met bugs that look like success, and the checks that expose them: a known limit, a leak test, and a small case on paper.
#
# Larger models are built from the same parts, with variations: attention in tiles (lesson 07), a cache and rotary positions (lesson 08).
#
# ### Three questions to think about
#
# 1. The first prediction of a sequence can't be better than H1, all others can't be better than H2. What would the losses by position look like for a language in which each letter depends on the three before it?
# 2. On 40 new letters, a model has a mean loss of 0.90 nats. Is that a bug? And on 40,000 letters?
# 3. A friend draws 100 sequences once, and trains the same model on these again and again. The training loss falls far below 0.96. Is that one of the bugs of this lesson?
#
# <details><summary>Answers</summary>
#
# 1. Three levels: the first prediction is limited by the entropy given one letter, the second by that given two, and all others by that given three, the entropy of that source.
# 2. On 40 letters it is not: the source itself has a mean surprise below 0.90 on about a third of all texts of this length (the standard deviation of such a mean is 0.15). On 40,000 letters it is: the standard deviation is 0.005, so 0.90 is more than ten of them below the limit.
# 3. No. The model learns the 100 sequences by heart: in our run the training loss fell to 0.08. The limit holds for *new* text, and there the loss of this model was 4.3, worse than guessing.
#
# </details>
#
# ### References
#
# - Claude E. Shannon: *A Mathematical Theory of Communication*, 1948. Entropy, and languages made from tables.
# - Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton: *Layer Normalization*, 2016. The norm.
# - Dan Hendrycks, Kevin Gimpel: *Gaussian Error Linear Units (GELUs)*, 2016. The GELU.
# - Ruibin Xiong, Yunchang Yang, Di He and others: *On Layer Normalization in the Transformer Architecture*, 2020. Pre-norm and post-norm.
# - Ofir Press, Lior Wolf: *Using the Output Embedding to Improve Language Models*, 2017. Tied weights.
# - Ilya Loshchilov, Frank Hutter: *SGDR: Stochastic Gradient Descent with Warm Restarts*, 2017. The cosine of the learning rate.
# <!-- with: next-token-probs -->- Ari Holtzman, Jan Buys, Li Du, Maxwell Forbes, Yejin Choi: *The Curious Case of Neural Text Degeneration*, 2020. `top_p`.<!-- end -->
