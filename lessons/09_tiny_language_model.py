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
# # A tiny language model, and a look inside
#
# *Attention, Graded · lesson 08 · PyTorch · about 240 minutes · 34 points*
#
# Here the causal layer of lesson 04 becomes a language model. It learns a made-up language whose **entropy is known**, so you know the best loss that any model can reach, and see how far yours is from it. A mean loss that falls clearly *below* this limit is not a success but a bug, and you will meet some.
#
# Then you look inside. A small model of two attention layers learns to continue patterns that it has never seen, with a mechanism called an *induction head*. You find it, measure it, and cut it out. Nothing is downloaded. This lesson builds on lesson 04; lesson 05 helps.

# %% [markdown]
# <details><summary><b>How to work through this notebook</b></summary>
#
# Work from top to bottom and run every cell, including the collapsed ones: click a cell, then press **Shift+Enter**. Each exercise has an explanation, a cell for your code, and a test cell. Replace the line `raise NotImplementedError()` with your code, run the cell, then run the test below it. If nothing is printed, the test passed.
#
# If a test fails, read the last line of its output first: it says what to do, or where to look. The lines above it show which call failed, the first wrong entry, and the value it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, then the steps in words. If you are likely to run into a particular error message, a final hint explains it.
#
# In a test cell, `returns(...)` names what your function returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the arguments that follow and compares what it returns with the expected result. Both come from the collapsed cell below, which also holds the expected results, the results of common mistakes and small examples that several tests share.
#
# The tests here use small inputs and weights of their own, and never train. When your notebook is graded, larger random inputs are tried as well. Questions 8.15 and 8.16 are answered in words and read by a person. If you are stuck on an exercise, skip it and come back later. Most exercises stand alone, but 8.5 builds on 8.3 and 8.4, 8.6 on 8.3 and 8.5, 8.11 on 8.10, and 8.9, if you like, on 8.2. Cells that train, draw or print call your functions, so they fail, or show wrong results, until those work. The 240 minutes count reading and running such cells, too. Two models are trained; on a quiet machine each takes ten to twenty seconds and shows its progress.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **Tokens are whole numbers** | `tokens` is a `LongTensor` `(batch, seq)`; a row is one sequence |
# | **Row t predicts token t + 1** | `logits` is `(batch, seq, vocab)`: `logits[b, t]` are the scores of what comes *after* token `t`, and the last row has no target |
# | **Losses are in nats** | natural logarithms; the perplexity is `exp` of the loss |
# | **Padding is a token, too** | it has a number, and is never a target that counts |
# | **Each row of the attention weights sums to 1** | `weights` is `(batch, num_heads, seq, seq)`, row = query, column = key; query `t` sees the keys `0 … t` |
# | **Shapes of weights** | as `nn.Linear` keeps them, `(out, in)`: a layer computes `x @ weight.T + bias` |
# | **Heads** | head `h` owns the numbers `h·head_size … (h+1)·head_size − 1` |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "schema_version": 3, "solution": false, "task": false}
import copy
import math
import time

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% cellView="form" jupyter={"source_hidden": true} nbgrader={"grade": false, "grade_id": "messages", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## A language whose entropy is known
#
# The language that the model learns is made up. It has 11 letters: a space, four vowels and six consonants. A twelfth token is padding. **Each letter depends on the two letters before it**, by a table of probabilities: `table[a, b, c]` is the probability of `c` after `a` and `b`. `pairs[a, b]` is the share of the pair `a`, `b` among all pairs of neighbours in a long text.

# %% [markdown]
# ## 8.1 The best that anybody can do
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# How surprised must even the best reader be? If the next letter has the probability $p$, its surprise is $-\ln p$. The best reader knows the table, and is surprised on average by the **entropy** of the source:
#
# $$H_2 = -\sum_{a, b} \mathrm{pairs}[a, b] \sum_c \mathrm{table}[a, b, c]\, \ln \mathrm{table}[a, b, c]$$
#
# No model can have a lower mean loss on new text. Where the table is 0, the term is 0, since such a letter never comes. A pair that never comes has a row of zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# What does `0 * torch.log(0)` give? Which value should it have here?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.special.xlogy(a, b)` is a · ln b, and 0 where a is 0. `sum(dim=-1)`, and `float` for a plain number.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Each entry of the table times its logarithm, zeros staying zeros. Sum over the last axis and change the sign: the entropy of each context. Multiply with how often each context comes, and sum.
# </details>

# %% nbgrader={"grade": false, "grade_id": "source-entropy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def source_entropy(pairs, table):
    """The entropy of the next letter, given the two before it, in nats.

    pairs: (vocab, vocab), how often each pair comes.
    table: (vocab, vocab, vocab), P(c | a, b), 0 allowed.
    Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    of_each_pair = -torch.special.xlogy(table, table).sum(dim=-1)
    return float((pairs * of_each_pair).sum())
    ### END SOLUTION


# %% [markdown]
# The first language of the tests can be done on paper. It has two letters. After the pair (0, 0), which comes half of the time, both are equally likely. After (0, 1) and (1, 0), a quarter each, a 0 is certain, and (1, 1) never comes: entropy ½ ln 2 = 0.3466.

# %% nbgrader={"grade": true, "grade_id": "source-entropy-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("source-entropy", entropies="language")
check("source-entropy", "two letters, on paper, and then three", entropies_of_two, *two_letter_language, *example_language(1, 3))
returns("source-entropy", entropy="")
check("source-entropy", "five letters", source_entropy, *example_language(7, 5))
### BEGIN HIDDEN TESTS
for seed, vocab in [(80, 4), (81, 7), (82, 12)]:
    rng = np.random.default_rng(seed)
    often, counts = rng.random((vocab, vocab)), rng.random((vocab, vocab, vocab)) * (rng.random((vocab, vocab, vocab)) < 0.6)
    counts[..., -1] += 0.01
    often[1], counts[1] = 0, 0
    often, chances = often / often.sum(), counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    expected = -math.fsum(often[a, b] * p * math.log(p) for (a, b, c), p in np.ndenumerate(chances) if p > 0)
    given = torch.tensor(often), torch.tensor(chances)
    check_numbers(source_entropy(*given), expected, "in the entropy of a larger language", f"with {vocab} letters, ", 1e-6)
    check_unchanged(given, (torch.tensor(often), torch.tensor(chances)))
### END HIDDEN TESTS

# %% [markdown]
# Now the language itself. After a consonant comes a vowel, after a vowel a consonant or a space, and after a space anything else. The next cells define it, draw texts from it, and show three of them.

# %% nbgrader={"grade": false, "grade_id": "language", "locked": true, "schema_version": 3, "solution": false, "task": false}
LETTERS = "·_aeiokmnrst"  # 0 is padding, 1 a space, 2 to 5 vowels, 6 to 11 consonants
PAD, VOCAB = 0, 12


def make_language(seed=8):
    """(pairs, table) of the language, in float64: (12, 12) and (12, 12, 12)."""
    logits = 2.0 * torch.tensor(np.random.default_rng(seed).normal(size=(VOCAB, VOCAB, VOCAB)))
    kind = torch.tensor([0] + 4 * [1] + 6 * [2])  # of the letters 1 to 11: space, vowel, consonant
    follows = torch.tensor([[0, 1, 1], [1, 0, 1], [0, 1, 0]]).bool()  # row: kind of a letter, column: of the next
    allowed = F.pad(follows[kind][:, kind], (1, 0, 1, 0))  # no padding anywhere
    table = torch.zeros(VOCAB, VOCAB, VOCAB, dtype=torch.float64)
    table[1:, 1:, 1:] = logits.masked_fill(~allowed, -math.inf)[1:, 1:, 1:].softmax(dim=-1)
    pairs = allowed.double() / allowed.sum()
    for _ in range(1000):  # until the pairs come as often after a step as before it
        pairs = torch.einsum("ab,abc->bc", pairs, table)
    return pairs, table


# %% nbgrader={"grade": false, "grade_id": "sample-language", "locked": true, "schema_version": 3, "solution": false, "task": false}
def sample_language(pairs, table, lengths, seq, generator):
    """Sequences (batch, seq) of the language: a stretch of each length, then padding."""
    first = torch.multinomial(pairs.flatten(), len(lengths), replacement=True, generator=generator)
    letters = [first // VOCAB, first % VOCAB]
    while len(letters) < seq:
        letters.append(torch.multinomial(table[letters[-2], letters[-1]], 1, generator=generator)[:, 0])
    return torch.stack(letters, dim=1).masked_fill(torch.arange(seq) >= lengths[:, None], PAD)


# %% nbgrader={"grade": false, "grade_id": "pairs-and-table", "locked": true, "schema_version": 3, "solution": false, "task": false}
pairs, table = make_language()
given_one = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1e-30)  # of the next letter, given one letter

# %% tags=["demonstration"]
text = sample_language(pairs, table, torch.tensor([70, 70, 40]), 70, torch.Generator().manual_seed(0))
for row in text.tolist():
    print("".join(LETTERS[token] for token in row))
after = table[LETTERS.index("a"), LETTERS.index("n")]
print("after “an”:", ", ".join(f"{LETTERS[c]} {after[c]:.2f}" for c in range(VOCAB) if after[c] > 0))

# %% [markdown]
# A reader who knows less is more surprised. The next cell computes four limits. Predict their order: a reader who guesses at random, one who knows how often each letter comes, one who sees the last letter, and one who sees the last two.

# %% tags=["demonstration"]
single = pairs.sum(dim=0)
LIMITS = {
    "11 letters at random": math.log(11),
    "each letter alone, H0": float(-torch.special.xlogy(single, single).sum()),
    "given one letter, H1": float(-torch.special.xlogy(pairs, given_one).sum()),
    "given two letters, H2": source_entropy(pairs, table),
}
for name, nats in LIMITS.items():
    print(f"{name:22} {nats:.4f} nats a letter, perplexity {math.exp(nats):.3f}")


# %% [markdown]
# H2 = 0.9624 nats is the floor for every letter from the third of a sequence on. For the second, only one letter is known, and the floor is H1 = 1.4953. (The first is never predicted.) A perplexity of 2.618 means: as uncertain as between 2.618 equally likely letters.

# %% [markdown]
# ## 8.2 The loss
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# The loss of one prediction is the surprise at what came: $-\ln$ of the probability that the model gave to the next token. Two functions:
#
# - `token_losses(logits, tokens)` gives the loss of every prediction, `(batch, seq − 1)`: row `t` of the logits against token `t + 1`. Padding is not treated specially.
# - `next_token_loss(logits, tokens, pad)` gives their mean, over all predictions whose **target** is not `pad`. Each counts once, whatever sequence it belongs to. It is a tensor with one number, so that gradients can flow back from it.
#
# | operation | what | shape |
# |---|---|---|
# | predictions | all rows but the last | `(batch, seq − 1, vocab)` |
# | targets | all tokens but the first | `(batch, seq − 1)` |
# | loss of each | $-\ln \mathrm{softmax}(\mathrm{logits})[\mathrm{target}]$ | `(batch, seq − 1)` |
# | mean | over targets that are not padding | one number |
#
# Logits may be as large as ±1000. `pad` may be any token. At least one target is real.
#
# <details><summary>Hint 1: a question</summary>
#
# Sequence 0 has 2 real targets, sequence 1 has 6. How many numbers is the mean taken over: 2, 6, 7 or 8?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `F.cross_entropy(..., reduction="none")` takes logits, not probabilities, and wants the vocabulary on axis 1: `transpose(1, 2)`. Or `log_softmax(dim=-1)` and `gather`. A tensor of True and False as index keeps what is True.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Drop the last row of the logits and the first token. Give both to the cross-entropy without reduction, the vocabulary on axis 1. For the mean: which targets are not padding? Keep the losses there, and take their mean.
# </details>
#
# <details><summary>I get “Expected target size …”</summary>
#
# `F.cross_entropy` takes axis 1 of the logits for the vocabulary. Turn the last two axes, don't reshape: a `view` would mix letters and positions.
# </details>

# %% nbgrader={"grade": false, "grade_id": "next-token-loss", "locked": false, "schema_version": 3, "solution": true, "task": false}
def token_losses(logits, tokens):
    """The loss of every prediction: row t of the logits against token t + 1.

    logits: (batch, seq, vocab). tokens: (batch, seq). Returns (batch, seq - 1).
    """
    ### BEGIN SOLUTION
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    ### END SOLUTION


def next_token_loss(logits, tokens, pad):
    """The mean loss over all predictions whose target is not pad, a tensor with one number.

    logits: (batch, seq, vocab). tokens: (batch, seq). pad: the number of the padding token.
    No input is changed.
    """
    ### BEGIN SOLUTION
    real = tokens[:, 1:] != pad
    return token_losses(logits, tokens)[real].mean()
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: each prediction (1 point).** The first call has three letters, and logits of 0 except one: on paper, ln 3 = 1.0986 almost everywhere.

# %% nbgrader={"grade": true, "grade_id": "token-losses-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-loss", losses="sequence prediction")
check("next-token-loss", "3 letters, on paper", token_losses, paper_logits, paper_tokens)
check("next-token-loss", "2 sequences, 6 tokens, 5 letters", token_losses, example_tensor(1, 2, 6, 5), padded_tokens)
check("next-token-loss", "4 sequences, 3 tokens, 7 letters", token_losses, example_tensor(5, 4, 3, 7), example_tokens(2, 4, 3, 7))
check("next-token-loss", "logits of ±1000", token_losses, large_logits, padded_tokens)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size in [(180, 3, 5, 7, 1), (181, 2, 9, 4, 1), (182, 5, 2, 6, 300)]:
    rng = np.random.default_rng(seed)
    logits, tokens = size * rng.normal(size=(batch, seq, vocab)), rng.integers(vocab, size=(batch, seq))
    expected = np.zeros((batch, seq - 1))
    for b, t in np.ndindex(batch, seq - 1):
        row = logits[b, t] - max(logits[b, t])
        expected[b, t] = math.log(math.fsum(np.exp(row))) - row[tokens[b, t + 1]]
    given = torch.tensor(logits), torch.tensor(tokens)
    check_numbers(token_losses(*given), expected, "in the losses of larger logits", f"with {batch=}, {seq=}, {vocab=}, ")
    check_unchanged(given, (torch.tensor(logits), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mean over what is real (2 points).**

# %% nbgrader={"grade": true, "grade_id": "next-token-loss-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("next-token-loss", loss="")
check("next-token-loss", "mean, 3 is padding, 2 and 5 real targets", next_token_loss, example_tensor(1, 2, 6, 5), padded_tokens, 3)
check("next-token-loss", "mean, 0 is padding, in the middle and at the front", next_token_loss, example_tensor(1, 2, 6, 5), padded_tokens, 0)
check("next-token-loss", "mean, nothing is padding", next_token_loss, example_tensor(5, 4, 3, 7), example_tokens(2, 4, 3, 7), 9)
check("next-token-loss", "mean, logits of ±1000, 4 is padding", next_token_loss, large_logits, padded_tokens, 4)
### BEGIN HIDDEN TESTS
for seed, batch, seq, vocab, size, pad in [(190, 3, 6, 7, 1, 0), (191, 4, 9, 5, 1, 4), (192, 2, 4, 6, 300, 2)]:
    rng = np.random.default_rng(seed)
    logits, tokens = size * rng.normal(size=(batch, seq, vocab)), rng.integers(vocab, size=(batch, seq))
    tokens[0, 2:], tokens[1, -1:] = pad, pad
    tokens[0, 1] = (pad + 1) % vocab
    found = []
    for b, t in np.ndindex(batch, seq - 1):
        row = logits[b, t] - max(logits[b, t])
        if tokens[b, t + 1] != pad:
            found.append(math.log(math.fsum(np.exp(row))) - row[tokens[b, t + 1]])
    given = torch.tensor(logits), torch.tensor(tokens)
    check_numbers(next_token_loss(*given, pad), math.fsum(found) / len(found), "in the mean loss", f"with {batch=}, {seq=}, {vocab=}, {pad=}, ")
    check_unchanged(given, (torch.tensor(logits), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# A check without a model: if all logits are equal, the model knows nothing, and every loss must be the logarithm of the number of tokens, ln 12 = 2.4849. And gradients must flow back from it, into each row that has a target: 8 and 19.

# %% tags=["demonstration"]
tokens = sample_language(pairs, table, torch.tensor([9, 20]), 20, torch.Generator().manual_seed(1))
logits = torch.zeros(2, 20, VOCAB, requires_grad=True)
loss = next_token_loss(logits, tokens, PAD)
print(f"{loss.item():.4f}, and ln 12 is {math.log(12):.4f}")
loss.backward()  # it must be a tensor that knows where it comes from
print(f"gradients: {(logits.grad != 0).any(dim=-1).sum(dim=1).tolist()} rows of the two sequences are to change")


# %% [markdown]
# ## The model, piece by piece
#
# A *decoder* is a stack of blocks. Each block has attention, where tokens see each other, and a small network, where each works by itself. Both add to what is there. You build norm, network and block, then the model.
#
# ## 8.3 Layer norm
#
# **2 points · about 8 minutes · difficulty ●○○**
#
# A *layer norm* takes each token's row by itself: it subtracts the row's mean, divides by its standard deviation, then stretches and moves each feature by two learned vectors.
#
# $$\mathrm{norm}(x) = \frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \mathrm{eps}}} \odot \mathrm{weight} + \mathrm{bias}$$
#
# Mean and variance run over the last axis, and any axes may stand in front. The variance is the plain mean of squares: divided by `d_model`, not by `d_model − 1`. `eps` keeps a constant row from dividing by 0, and stands **inside** the root. Parameters: `weight`, ones at the beginning, and `bias`, zeros.
#
# <details><summary>Hint 1: a question</summary>
#
# `x.var(dim=-1)` divides by `d_model − 1` unless you say otherwise. How do you say otherwise?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Parameter(torch.ones(d_model))`, `mean(dim=-1, keepdim=True)`, `var(dim=-1, keepdim=True, unbiased=False)`, `torch.sqrt`. Don't call `F.layer_norm`: here you write it.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: the two parameters, and keep eps. In `forward`: subtract the row's mean. Divide by the root of its variance plus eps. Times weight, plus bias.
# </details>

# %% nbgrader={"grade": false, "grade_id": "layer-norm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LayerNorm(nn.Module):
    """Each row to mean 0 and variance 1, then times weight, plus bias.

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


# %% nbgrader={"grade": true, "grade_id": "layer-norm-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("layer-norm", normed="sequence token feature")
check("layer-norm", "2 sequences, 3 tokens, 5 features", apply_norm, 1 + example_tensor(0, 2, 3, 5), *norm_state(3, 5).values())
check("layer-norm", "small numbers, so that eps counts", apply_norm, 0.003 * example_tensor(2, 3, 2, 4), *norm_state(1, 4).values())
check("layer-norm", "eps = 0.1", apply_norm, example_tensor(4, 2, 2, 6), *norm_state(2, 6).values(), eps=0.1)
check("layer-norm", "as it begins", apply_new_norm, example_tensor(7, 3, 2, 4) + 3)
returns("layer-norm", normed="token feature")
check("layer-norm", "one axis in front", apply_norm, example_tensor(9, 4, 3), *norm_state(4, 3).values())
### BEGIN HIDDEN TESTS
for seed, front, d_model, size, eps in [(280, (3, 4), 6, 1, 1e-5), (281, (5,), 7, 0.003, 1e-5), (282, (2, 3, 4), 5, 1, 0.1), (283, (2, 2), 9, 40, 1e-5)]:
    rng = np.random.default_rng(seed)
    x, weight, bias = size * random_tensor(rng, *front, d_model) + size, 1 + 0.2 * random_tensor(rng, d_model), random_tensor(rng, d_model)
    expected = np.zeros(x.shape)
    for at in np.ndindex(*front):
        row = as_array(x)[at]
        middle = math.fsum(row) / d_model
        spread = math.sqrt(math.fsum((row - middle) ** 2) / d_model + eps)
        expected[at] = (row - middle) / spread * as_array(weight) + as_array(bias)
    norm = module_with_weights({"weight": weight, "bias": bias}, LayerNorm(d_model) if eps == 1e-5 else LayerNorm(d_model, eps))
    given = x.clone()
    check_numbers(norm(given), expected, "in larger rows", f"with {front=}, {d_model=}, {eps=}, ", 1e-4)
    check_unchanged([given], [x])
### END HIDDEN TESTS

# %% [markdown]
# As in 4.1, end each line of `forward` that makes a tensor with its axes in brackets, such as `# [batch, seq, d_model]`, and run this: it says which of the comments are true. It earns no points.

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 5}, LayerNorm(5), torch.randn(2, 3, 5)),
              ({"batch": 4, "seq": 2, "d_model": 7}, LayerNorm(7), torch.randn(4, 2, 7)))


# %% [markdown]
# ## 8.4 A network for each token
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# After attention, each token is worked on by itself, by a network with one hidden layer:
#
# $$\mathrm{MLP}(x) = \mathrm{down}(\mathrm{GELU}(\mathrm{up}(x))) \qquad \mathrm{GELU}(h) = h \cdot \Phi(h) = \frac{h}{2}\Big(1 + \mathrm{erf}\big(h / \sqrt 2\big)\Big)$$
#
# $\Phi(h)$ is the probability that a normal number lies below $h$. So the GELU is almost $h$ for large $h$, almost 0 for very negative ones, and smooth between. Take this exact form. There is a well-known approximation by a tanh, which is off by up to 0.0005: enough for the tests to see.
#
# | operation | layer | shape |
# |---|---|---|
# | up | `up`: d_model → d_hidden | `(…, d_hidden)` |
# | GELU | number by number | the same |
# | down | `down`: d_hidden → d_model | `(…, d_model)` |
#
# <details><summary>Hint 1: a question</summary>
#
# `F.gelu` has an argument `approximate`. Which value gives the exact form?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Linear(d_model, d_hidden)`, `F.gelu`, or `torch.erf` and `math.sqrt`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "mlp", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MLP(nn.Module):
    """Two linear layers with the exact GELU between them, each token by itself.

    forward(x): x (..., d_model). Returns (..., d_model). No input is changed.
    """

    def __init__(self, d_model, d_hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        h = self.up(x)  # [..., d_hidden]
        return self.down(h / 2 * (1 + torch.erf(h / math.sqrt(2))))  # [..., d_model]
        ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "mlp-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("mlp", output="sequence token feature")
check("mlp", "2 sequences, 3 tokens, 5 features, 4 hidden", apply_mlp, example_tensor(0, 2, 3, 5), *mlp_state(1, 5, 4).values())
check("mlp", "3 sequences, 2 tokens, 4 features, 7 hidden", apply_mlp, example_tensor(3, 3, 2, 4), *mlp_state(5, 4, 7).values())
returns("mlp", output="token feature")
one = torch.eye(1)
check("mlp", "the GELU of −3, −1, 0, 0.5 and 2 alone", apply_mlp, torch.tensor([[-3.0], [-1], [0], [0.5], [2]]), one, 0 * one[0], one, 0 * one[0])
### BEGIN HIDDEN TESTS
for seed, front, d_model, d_hidden in [(380, (3, 4), 6, 5), (381, (2,), 3, 10), (382, (2, 1, 3), 7, 2)]:
    rng = np.random.default_rng(seed)
    shapes = (*front, d_model), (d_hidden, d_model), (d_hidden,), (d_model, d_hidden), (d_model,)
    x, *weights = [random_tensor(rng, *shape) for shape in shapes]
    X, U, b, D, c = map(as_array, (x, *weights))
    inner = np.vectorize(lambda h: h * 0.5 * math.erfc(-h / math.sqrt(2)))(X @ U.T + b)
    names = "up.weight", "up.bias", "down.weight", "down.bias"
    made = module_with_weights(dict(zip(names, weights)), MLP(d_model, d_hidden))
    given = x.clone()
    check_numbers(made(given), inner @ D.T + c, "in the output of a larger network", f"with {front=}, {d_model=}, {d_hidden=}, ", 5e-5)
    check_unchanged([given], [x])
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 5, "d_hidden": 7}, MLP(5, 7), torch.randn(2, 3, 5)),
              ({"batch": 4, "seq": 2, "d_model": 6, "d_hidden": 9}, MLP(6, 9), torch.randn(4, 2, 6)))


# %% [markdown]
# ### The attention of a block
#
# You have written attention before, so one layer of causal attention is given. It is the layer of lesson 04 with `causal=True`. The arguments for padding and dropout are gone: padding is at the end here, where the causal mask hides it from all real tokens.

# %% nbgrader={"grade": false, "grade_id": "given", "locked": true, "schema_version": 3, "solution": false, "task": false}
class CausalAttention(nn.Module):
    """Attention to a token itself and those before it: (batch, seq, d_model) in and out, and the weights."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q, self.k, self.v, self.mix = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, num_heads, seq, seq]
        future = torch.ones_like(scores[0, 0]).triu(1).bool()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% [markdown]
# ## 8.5 A block
#
# **3 points · about 12 minutes · difficulty ●●○**
#
# A block has two branches, and each **adds** to what comes in:
#
# $$x \leftarrow x + \mathrm{drop}\big(\mathrm{attn}(\mathrm{norm}_1(x))\big) \qquad x \leftarrow x + \mathrm{drop}\big(\mathrm{mlp}(\mathrm{norm}_2(x))\big)$$
#
# The second branch sees what the first has added. The norms stand at the beginning of each branch (*pre-norm*), so $x$ itself runs through the whole stack and is only ever added to: it is called the **residual stream**. In the Transformer of 2017 the norm stood after the sum.
#
# *Dropout*, in training mode, sets each number of a branch's output to 0 with the probability `dropout`, and divides the others by `1 − dropout`. It never touches $x$ itself. In eval mode it does nothing. `nn.Dropout` does all this.
#
# | part | what it is |
# |---|---|
# | `norm1`, `norm2` | your `LayerNorm` |
# | `attn` | the given `CausalAttention`. It returns two things |
# | `mlp` | your `MLP`, with `d_hidden` |
#
# <details><summary>Hint 1: a question</summary>
#
# What must the block give back if both branches are dropped whole, with `dropout=1.0`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.Dropout(dropout)` has no parameters, so it may have any name. `out, weights = self.attn(...)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: the four parts and a dropout. In `forward`: norm, attention, take its output, drop, add to x. From this new x: norm, network, drop, add. Return it.
# </details>
#
# <details><summary>I get “unsupported operand” or “must be Tensor, not tuple”</summary>
#
# `CausalAttention` gives back its output and its weights. Take the two apart.
# </details>

# %% builds_on=["layer-norm", "mlp"] nbgrader={"grade": false, "grade_id": "block", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Block(nn.Module):
    """Pre-norm attention and a network, each added to the residual stream.

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

# %% nbgrader={"grade": true, "grade_id": "block-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("block", output="sequence token feature")
check("block", "2 sequences, 3 tokens, 6 features, 2 heads", apply_block, example_tensor(0, 2, 3, 6), block_state(1, 6, 10), 2, 10)
check("block", "3 sequences, 5 tokens, 4 features, 1 head", apply_block, example_tensor(4, 3, 5, 4), block_state(6, 4, 3), 1, 3)
check("block", "in eval mode, with dropout 0.5", apply_block, example_tensor(2, 2, 2, 6), block_state(3, 6, 4), 3, 4, dropout=0.5)
check("block", "in training mode, dropout not asked for", apply_block, example_tensor(6, 2, 3, 4), block_state(5, 4, 6), 2, 6, training=True)
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


for seed, d_model, heads, d_hidden, batch, seq in [(480, 6, 2, 10, 3, 5), (481, 12, 3, 7, 2, 4), (482, 10, 5, 13, 2, 6)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, batch, seq, d_model)
    kept, given = {name: as_array(value) for name, value in state.items()}, x.clone()
    block = module_with_weights(state, Block(d_model, heads, d_hidden))
    for made in (block(given), block.eval()(given)):
        expected = np.stack([slow_block(one, kept, heads) for one in as_array(x)])
        check_numbers(made, expected, "in what a larger block makes", f"with {d_model=}, {heads=}, {d_hidden=}, ", 1e-4)
    check_unchanged([given], [x])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: dropout (1 point).** With `dropout=1.0` in training mode, the block must give back exactly what comes in. With 0.25 and a network that gives 0, every number that is added is 0 or the attention's, divided by 0.75.

# %% nbgrader={"grade": true, "grade_id": "block-dropout-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("block", output="sequence token feature")
check("block", "all dropped", apply_block_all_dropped, example_tensor(0, 2, 3, 6), block_state(1, 6, 10), 2, 10)
returns("block", as_expected="place")
check("block", "a quarter of the attention branch dropped", check_dropout, example_tensor(1, 3, 5, 8), block_state(2, 8, 4), 2, 4, "attn")
check("block", "a quarter of the network's branch dropped", check_dropout, example_tensor(5, 3, 5, 8), block_state(7, 8, 6), 2, 6, "mlp")
### BEGIN HIDDEN TESTS
for seed, d_model, heads, d_hidden in [(485, 6, 2, 10), (486, 12, 3, 7)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(block_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, 4, 6, d_model)
    given = x.clone()
    check_numbers(apply_block_all_dropped(given, state, heads, d_hidden), x, "with all dropped", f"with {d_model=}, {heads=}, ", 0)
    check_numbers(apply_block(given, state, heads, d_hidden, dropout=1.0), apply_block(given, state, heads, d_hidden), "in eval mode, with dropout=1.0")
    for branch in ("attn", "mlp"):
        check_dropout(given, state, heads, d_hidden, branch)
    check_unchanged([given], [x])
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "num_heads": 4, "d_hidden": 7}, Block(8, 4, 7), torch.randn(2, 3, 8)),
              ({"batch": 4, "seq": 5, "d_model": 6, "num_heads": 2, "d_hidden": 9}, Block(6, 2, 9), torch.randn(4, 5, 6)))


# %% [markdown]
# ## 8.6 The model
#
# **4 points · about 18 minutes · difficulty ●●●**
#
# Now the whole decoder. Each token gets a vector, and so does each position; their sum enters the stack. At the end comes a last norm, and the logits are the dot products with the **vectors of the tokens themselves**:
#
# $$x = \mathrm{token}[\mathrm{tokens}] + \mathrm{position}[0, 1, \dots] \qquad \mathrm{logits} = \mathrm{norm}(\mathrm{blocks}(x))\; \mathrm{token.weight}^\top$$
#
# So one matrix serves at both ends. The weights are said to be **tied**: there is no output layer of its own, no output bias and no scale.
#
# | part | what it is | shape |
# |---|---|---|
# | `token` | `nn.Embedding(vocab, d_model)` | `(batch, seq, d_model)` |
# | `position` | `nn.Embedding(context, d_model)`, from position 0 on | `(seq, d_model)` |
# | `blocks` | a list of `num_layers` blocks, hidden size `4 · d_model`, with `dropout` | `(batch, seq, d_model)` |
# | `norm` | your `LayerNorm` | the same |
# | logits | the product with the tied matrix | `(batch, seq, vocab)` |
#
# There is no dropout on the embeddings. More than `context` tokens are refused: raise a `ValueError` whose text holds both numbers. Exactly `context` tokens are fine. Use these names, and nothing else that shows in `state_dict()`.
#
# <details><summary>Hint 1: a question</summary>
#
# Which list makes PyTorch see the blocks in it, so that their parameters are trained and saved?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.ModuleList([...])`, `torch.arange(seq)`, `self.token.weight.T`, `@`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# In the constructor: keep the context; two embeddings, a ModuleList of new blocks, a norm. In `forward`: if there are more tokens than the context, raise. Add the vectors of tokens and positions. Through the blocks, one after the other. Norm. Multiply with the token vectors, turned.
# </details>
#
# <details><summary>I get “index out of range in self”</summary>
#
# A position beyond the context, or a token beyond the vocabulary, was looked up in an embedding.
# </details>

# %% builds_on=["layer-norm", "block"] nbgrader={"grade": false, "grade_id": "tiny-lm", "locked": false, "schema_version": 3, "solution": true, "task": false}
class TinyLM(nn.Module):
    """A decoder: token and position vectors, blocks, a norm, and logits
    by the tied token matrix.

    forward(tokens): (batch, seq), seq at most context.
    Returns logits (batch, seq, vocab).
    Raises a ValueError that holds seq and context if there are more
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

# %% nbgrader={"grade": true, "grade_id": "tiny-lm-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "2 sequences, 3 of 5 positions, 7 letters", logits_of, example_tokens(1, 2, 3, 7), lm_state(0, 7, 5, 6, 2), 7, 5, 6, 2, 2)
check("tiny-lm", "a full context, one block of one head", logits_of, example_tokens(3, 3, 4, 5), lm_state(4, 5, 4, 4, 1), 5, 4, 4, 1, 1)
check("tiny-lm", "one token", logits_of, example_tokens(2, 3, 1, 7), lm_state(0, 7, 5, 6, 2), 7, 5, 6, 2, 2)
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


for seed, sizes, shape in [(580, (11, 9, 6, 2, 2), (3, 5)), (581, (7, 5, 12, 3, 3), (2, 5)), (582, (5, 8, 4, 1, 1), (4, 3)), (583, (6, 3, 8, 2, 1), (1, 2))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: as_array(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    given, expected = tokens.clone(), [slow_lm(row, kept, heads, layers) for row in tokens.tolist()]
    check_numbers(logits_of(given, state, *sizes), expected, "in the logits of a larger model", f"with {sizes=}, {shape=}, ", 2e-4)
    check_unchanged([given], [tokens])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 3: tied, named, and dropout handed on (1 point).**

# %% nbgrader={"grade": true, "grade_id": "tiny-lm-tied-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
assert len(new_model(7, 5, 6, 2, 3).blocks) == 3, "blocks should hold as many blocks as num_layers says"
returns("tiny-lm", change="sequence position letter")
check("tiny-lm", "the vector of a letter that doesn't come moves its own logit only", logit_changes, torch.tensor([[0, 2, 3], [4, 1, 0]]), 5, 7, 5, 6, 2, 2)
returns("tiny-lm", logits="sequence position letter")
check("tiny-lm", "in training mode, all branches dropped", training_logits, example_tokens(1, 2, 4, 7), 7, 5, 6, 2, 2, dropout=1.0)
check("tiny-lm", "in training mode, dropout not asked for", training_logits, example_tokens(3, 3, 2, 7), 7, 5, 6, 2, 2)
### BEGIN HIDDEN TESTS
for seed, sizes, shape in [(585, (11, 9, 6, 2, 2), (3, 5)), (586, (7, 5, 12, 3, 3), (2, 5))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(lm_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: as_array(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    x = kept["token.weight"][tokens] + kept["position.weight"][:shape[1]]
    x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    expected = (x * kept["norm.weight"] + kept["norm.bias"]) @ kept["token.weight"].T
    got = module_with_weights(state, TinyLM(*sizes, dropout=1.0)).train()(tokens)
    check_numbers(got, expected, "in training mode, all branches dropped", f"with {sizes=}, {shape=}, ", 2e-4)
    got = module_with_weights(state, TinyLM(*sizes)).train()(tokens)
    check_numbers(got, logits_of(tokens, state, *sizes), "in training mode, dropout not asked for", f"with {sizes=}, {shape=}, ", 2e-4)
### END HIDDEN TESTS

# %% [markdown]
# **Test 3 of 3: too many tokens (1 point).**

# %% nbgrader={"grade": true, "grade_id": "tiny-lm-context-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("tiny-lm", shape="axis")
check("tiny-lm", "7 tokens, and a context of 6", logits_shape, 7, 6)
check_error_names_both(7, 6)
check("tiny-lm", "the shape with 6 tokens, and a context of 6", logits_shape, 6, 6)
### BEGIN HIDDEN TESTS
for batch, seq, context in [(1, 4, 3), (2, 19, 12), (3, 2, 1)]:
    try:
        TinyLM(7, context, 6, 3, 2)(torch.zeros(batch, seq, dtype=torch.long))
        raise AssertionError(f"{seq} tokens must be refused by a context of {context}")
    except ValueError as error:
        assert str(seq) in str(error) and str(context) in str(error), f"the error must hold {seq} and {context}"
for seq, context in [(3, 3), (1, 1), (11, 12)]:
    check_numbers(logits_shape(seq, context), (2, seq, 5), "in the shape of the logits, within the context", f"with {seq=}, {context=}, ")
    # With all other parameters 0, each position holds the last norm's bias, and its logits are the bias times the token vectors.
    rng = np.random.default_rng(86 + seq)
    state = {"token.weight": random_tensor(rng, 5, 4), "norm.bias": random_tensor(rng, 4)}
    model = TinyLM(5, context, 4, 2, 1).eval()
    model.load_state_dict({name: state.get(name, 0 * value) for name, value in model.state_dict().items()})
    right = as_array(state["token.weight"]) @ as_array(state["norm.bias"]) + np.zeros((2, seq, 1))
    got = as_array(model(example_tokens(0, 2, seq, 5)))
    check_numbers(got, right, "in the logits within the context, with blocks that add nothing", f"with {seq=}, {context=}, ")
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "vocab": 11}, TinyLM(11, 5, 8, 2, 2), torch.randint(11, (2, 3))),
              ({"batch": 4, "seq": 5, "d_model": 6, "vocab": 13}, TinyLM(13, 7, 6, 3, 1), torch.randint(13, (4, 5))))


# %% [markdown]
# How large is the loss of a model that has learnt nothing? Predict it, from 8.2's last cell. Then run: `start_small` draws all weights small, so that the model begins without opinions.

# %% nbgrader={"grade": false, "grade_id": "start-small", "locked": true, "schema_version": 3, "solution": false, "task": false}
def start_small(model, std):
    """Weights of linear layers and embeddings normal with this spread, biases 0."""
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


# %% tags=["demonstration"]
torch.manual_seed(0)
untrained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
full = torch.full((200,), 32)
held_out = sample_language(pairs, table, full, 32, torch.Generator().manual_seed(7))
with torch.no_grad():
    logits = untrained(held_out)
print(f"loss {next_token_loss(logits, held_out, PAD).item():.3f}, ln 12 = {math.log(12):.3f}; "
      f"{sum(one.numel() for one in untrained.parameters()):,} parameters")
print(f"the most probable next letter is the letter itself at {(logits.argmax(dim=-1) == held_out).float().mean():.0%} of positions")


# %% [markdown]
# It lies a little *above* ln 12. The tied matrix is the reason: what enters as a letter's vector points, when it leaves, at the same letter. So each letter has a head start as its own successor, and in this language no letter ever follows itself.

# %% [markdown]
# ## 8.7 Does the future leak?
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# A language model that sees the token that it has to predict is worthless, and looks excellent. So test it, from outside: change the tokens from place `start` on, and see whether any logit **before** `start` changes. `leak(model, tokens, start, replacement)` returns the largest absolute change, as a float. It is 0 if the model is causal.
#
# `model` is any function of tokens. `replacement` is `(batch, seq − start)`.
#
# <details><summary>Hint 1: a question</summary>
#
# The logits at `start` and behind it may change. Are they in your comparison?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `torch.cat([..., replacement], dim=1)`, or `tokens.clone()` and an assignment. `abs()`, `max()`, `item()`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "leak", "locked": false, "schema_version": 3, "solution": true, "task": false}
def leak(model, tokens, start, replacement):
    """The largest absolute change of any logit before start when the tokens
    from start on are replaced.

    model: a function of tokens (batch, seq), giving logits (batch, seq, vocab).
    replacement: (batch, seq - start). Returns a float. No input is changed.
    """
    ### BEGIN SOLUTION
    changed = torch.cat([tokens[:, :start], replacement], dim=1)
    return float((model(tokens)[:, :start] - model(changed)[:, :start]).abs().max())
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "leak-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("leak", leak="model")
tokens, others = example_tokens(6, 2, 7, 9), example_tokens(7, 2, 3, 9)
check("leak", "models that see 0, 1, 2 and 6 tokens ahead", leaks_of_models, (0, 1, 2, 6), tokens, 4, others)
returns("leak", leak="")
check("leak", "a model that sees nothing ahead", leak, model_that_sees(0), tokens, 4, others)
check("leak", "a model that sees the next token", leak, model_that_sees(1), tokens, 4, others)
check("leak", "a model that sees two tokens ahead", leak, model_that_sees(2, 0), example_tokens(3, 3, 5, 9), 2, example_tokens(5, 3, 3, 9))
### BEGIN HIDDEN TESTS
for seed, batch, seq, start, ahead in [(680, 3, 7, 4, 2), (681, 2, 9, 3, 0), (682, 4, 5, 1, 4), (683, 2, 6, 5, 1)]:
    rng = np.random.default_rng(seed)
    tokens, others = torch.tensor(rng.integers(20, size=(batch, seq))), torch.tensor(rng.integers(20, size=(batch, seq - start)))
    old, new = tokens.double(), torch.cat([tokens[:, :start], others], dim=1).double()
    expected = 0.0
    for b, t in np.ndindex(batch, start):
        seen = range(max(0, t - 3), min(seq, t + ahead + 1))
        expected = max(expected, abs(math.fsum((1.0 + j) / 20 * float(new[b, j] - old[b, j]) for j in seen)))
    given = tokens.clone(), others.clone()
    check_numbers(leak(model_that_sees(ahead), given[0], start, given[1]), expected, "in the leak", f"with {batch=}, {seq=}, {start=}, ")
    check_unchanged(given, (tokens, others))
### END HIDDEN TESTS

# %% [markdown]
# Is your model causal? And what if somebody takes the mask out? Predict: does a leak show in a model that has not learnt anything yet?

# %% nbgrader={"grade": false, "grade_id": "no-mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
class NoMask(CausalAttention):
    """The same layer with its mask taken out."""

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% tags=["demonstration"]
open_model = copy.deepcopy(untrained)
for block in open_model.blocks:
    layer = NoMask(48, 4)
    layer.load_state_dict(block.attn.state_dict())
    block.attn = layer
others = sample_language(pairs, table, torch.full((200,), 22), 22, torch.Generator().manual_seed(8))
with torch.no_grad():
    for name, model in [("with its mask", untrained), ("without a mask", open_model)]:
        print(f"{name:14}: leak {leak(model, held_out, 10, others):.4g}")


# %% [markdown]
# With its mask, exactly 0: not small, but 0. Without it, the untrained model leaks already. So nobody has to train in order to find this bug.

# %% [markdown]
# ## 8.8 A learning rate that rises and falls
#
# **1 point · about 6 minutes · difficulty ●○○**
#
# Early steps are uncertain and should be small, late ones should only polish. So the learning rate rises for `warmup` steps, then falls along half a cosine wave from `peak` to `floor`:
#
# | step | learning rate |
# |---|---|
# | below `warmup` | $\mathrm{peak} \cdot (\mathrm{step} + 1) / \mathrm{warmup}$ |
# | from `warmup` to `total` | $\mathrm{floor} + (\mathrm{peak} - \mathrm{floor}) \cdot \frac12 \Big(1 + \cos\big(\pi \cdot \frac{\mathrm{step} - \mathrm{warmup}}{\mathrm{total} - \mathrm{warmup}}\big)\Big)$ |
# | `total` and later | floor |
#
# `warmup` may be 0.
#
# <details><summary>Hint 1: a question</summary>
#
# What is the cosine of 0, and what that of π? Which rates do these two ends give?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `math.cos`, `math.pi`, and two `if`, in the order of the table.
# </details>

# %% nbgrader={"grade": false, "grade_id": "learning-rate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def learning_rate(step, warmup, total, peak, floor):
    """The learning rate of a step: up for warmup steps, then down along
    half a cosine until total.

    Returns a float.
    """
    ### BEGIN SOLUTION
    if step < warmup:
        return peak * (step + 1) / warmup
    if step >= total:
        return floor
    way = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * way)) / 2
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "learning-rate-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("learning-rate", rate="entry")
check("learning-rate", "steps 0, 1, 2, 3, 5, 8, 10 and 14, warmup 3, total 10", learning_rates, (0, 1, 2, 3, 5, 8, 10, 14), 3, 10, 0.8, 0.3)
check("learning-rate", "steps 0, 2, 4, 5 and 6, no warmup, total 4", learning_rates, (0, 2, 4, 5, 6), 0, 4, 2.0, 0.5)
check("learning-rate", "steps 0, 4, 9, 10, 20 and 29, warmup 10, floor 0", learning_rates, (0, 4, 9, 10, 20, 29), 10, 30, 3.0, 0.0)
### BEGIN HIDDEN TESTS
for warmup, total, peak, floor in [(5, 20, 0.01, 0.001), (0, 9, 1.0, 0.2), (1, 6, 0.4, 0.1), (12, 13, 0.3, 0.0), (7, 31, 2.0, 0.5)]:
    for step in range(total + 4):
        along = min(max(step - warmup, 0) / (total - warmup), 1)
        expected = peak * (step + 1) / warmup if step < warmup else floor + (peak - floor) * math.cos(math.pi * along / 2) ** 2
        sizes = f"with {step=}, {warmup=}, {total=}, {peak=}, {floor=}, "
        check_numbers(learning_rate(step, warmup, total, peak, floor), expected, "in the learning rate", sizes, 1e-6)
### END HIDDEN TESTS

# %% alt="The learning rate over 800 steps: a steep straight line from almost 0 to 0.01 in the first 50 steps, then a smooth fall along half a cosine wave to 0.001." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5, 2.4), layout="constrained")
ax.plot([learning_rate(step, 50, 800, 1e-2, 1e-3) for step in range(800)])
ax.set(xlabel="step", ylabel="learning rate", ylim=(0, 0.011))
plt.show()


# %% [markdown]
# ## Training
#
# All parts are there. The next cells train your model on the made-up language for 800 steps, with 32 new sequences of 8 to 32 letters in each. Predict the loss at the end. Can it fall below 0.96? (The training takes ten to twenty seconds and says how far it is.)

# %% nbgrader={"grade": false, "grade_id": "training-step", "locked": true, "schema_version": 3, "solution": false, "task": false}
def training_step(model, optimizer, loss, rate):
    """One step: gradients, cut to a length of 1, and the optimizer with this learning rate. Returns the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


# %% nbgrader={"grade": false, "grade_id": "train", "locked": true, "schema_version": 3, "solution": false, "task": false}
def train(model, loss_of, steps, peak=1e-2, seed=0):
    """Train, printing eight times. loss_of: a function of the model and a generator. Returns the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.99), weight_decay=0.01)
    generator, losses, began = torch.Generator().manual_seed(seed), [], time.perf_counter()
    for step in range(steps):
        losses.append(training_step(model, optimizer, loss_of(model, generator), learning_rate(step, 50, steps, peak, peak / 10)))
        if (step + 1) % (steps // 8) == 0:
            left = (time.perf_counter() - began) / (step + 1) * (steps - step - 1)
            print(f"step {step + 1:4} of {steps}: loss {np.mean(losses[-20:]):.3f}, {left:3.0f} s left", flush=True)
    return losses


def language_loss(model, generator):
    """The loss on 32 new sequences of 8 to 32 letters."""
    lengths = torch.randint(8, 33, (32,), generator=generator)
    tokens = sample_language(pairs, table, lengths, 32, generator)
    return next_token_loss(model(tokens), tokens, PAD)


# %% tags=["demonstration"]
torch.manual_seed(0)
trained = start_small(TinyLM(VOCAB, context=32, d_model=48, num_heads=4, num_layers=2), 0.05)
losses = train(trained, language_loss, steps=800)


# %% nbgrader={"grade": false, "grade_id": "held-out", "locked": true, "schema_version": 3, "solution": false, "task": false}
def judged(model, count=1000):
    """(losses by position, the source's own by position) on new full sequences of 32."""
    tokens = sample_language(pairs, table, torch.full((count,), 32), 32, torch.Generator().manual_seed(10_000))
    with torch.no_grad():
        by_model = token_losses(model.eval()(tokens), tokens).mean(dim=0)
    second = -given_one[tokens[:, 0], tokens[:, 1]].log()  # letter 1 is known from letter 0 alone
    later = -table[tokens[:, :-2], tokens[:, 1:-1], tokens[:, 2:]].log()
    return by_model, torch.cat([second[:, None], later], dim=1).mean(dim=0)


# %% alt="Left: training loss over 800 steps, smoothed. It starts above 2, crosses the line H1 = 1.50 within 50 steps, and flattens a little above the line H2 = 0.96. Right: loss by position on new sequences: at the first prediction about 1.5, at all later ones about 0.97; the source's own surprise lies just below each point." tags=["demonstration"]
by_model, by_source = judged(trained)
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained", sharey=True)
left.plot(np.convolve(losses, np.ones(20) / 20, mode="valid"), color="C0")
right.plot(range(1, 32), by_model.numpy(), "o", markersize=4, label="the model")
right.plot(range(1, 32), by_source.numpy(), "_", color="black", markersize=9, label="the source itself")
for ax in (left, right):
    for nats, style, name in [(math.log(12), ":", "ln 12"), (LIMITS["given one letter, H1"], "--", "H1"), (LIMITS["given two letters, H2"], "-", "H2")]:
        ax.axhline(nats, color="0.4", linestyle=style, linewidth=1, label=name if ax is left else None)
left.set(xlabel="step", ylabel="loss, nats (left: mean of 20 steps)", ylim=(0.8, 2.7))
right.set(xlabel="position of the letter that is predicted")
left.legend()
right.legend()
plt.show()

# %% tags=["demonstration"]
first, later, source = by_model[0], by_model[1:].mean(), by_source[1:].mean()
print(f"first prediction: {first:.4f}, the source itself {by_source[0]:.4f}, limit H1 {LIMITS['given one letter, H1']:.4f}")
print(f"all later ones:   {later:.4f}, the source itself {source:.4f}, limit H2 {LIMITS['given two letters, H2']:.4f}")
print(f"perplexity of the later ones {later.exp():.3f}, of {source.exp():.3f}")


# %% [markdown]
# The model ends less than 0.01 nats above the source's own surprise at the same text (0.0085 in our run, 0.007 to 0.009 over five seeds). It has learnt the table, and that two letters are enough. No training would help any more: what is left is chance. The training loss stays a little above H2, because short sequences have a larger share of first predictions.
#
# The limit holds for means over much text. A few letters may be easier than that by chance: in our training 52 of the 800 batches had losses below 0.9624, the lowest 0.88, and on the right some of the source's own dashes lie below H2. No *mean* over thousands of letters does. Now you know what one would mean.

# %% [markdown]
# ## 8.9 Bug hunt: an evaluation that lies
#
# **3 points · about 20 minutes · difficulty ●●○**
#
# A colleague evaluates models with the next function. `batches` is a list of token tensors, with different numbers of sequences and of letters, and padding anywhere. It ran, and it printed a number. There are **five** slips that make the number wrong, and none stops the program.

# %% nbgrader={"grade": false, "grade_id": "lying-evaluate", "locked": true, "schema_version": 3, "solution": false, "task": false}
def lying_evaluate(model, batches, pad):
    losses = []
    for tokens in batches:
        probs = model(tokens).softmax(dim=-1)
        loss = F.cross_entropy(probs[:, 1:].transpose(1, 2), tokens[:, :-1])
        losses.append(loss.item())
    return sum(losses) / len(losses)


# %% [markdown]
# What it should give is the mean loss over **all** real targets of **all** batches, each counting once. The model has to be in eval mode while it is asked, so that nothing is dropped, and must be left in the mode in which it came: somebody may be in the middle of a training. Your function may use your 8.2.
#
# `model` is a module; `model.training` says which mode it is in.
#
# <details><summary>Hint 1: a question</summary>
#
# For each line: what does it do with dropout, with the order of rows and targets, with padding, and with batches of different sizes? What does `F.cross_entropy` do to its first argument before it takes a logarithm?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `was = model.training`, `model.eval()`, `model.train(was)`. `torch.no_grad()`. `token_losses` of 8.2, a sum, and a count.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Note the mode, and change to eval mode. For each batch: logits, the loss of each prediction, which targets are real. Add up the losses there, and how many they are. Put the mode back. Return the sum divided by the count.
# </details>

# %% builds_on=["next-token-loss"] nbgrader={"grade": false, "grade_id": "repaired-evaluate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def repaired_evaluate(model, batches, pad):
    """The mean loss over all real targets of all batches, in eval mode.
    The model keeps its mode.

    model: a module, from tokens (batch, seq) to logits.
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
# The tests bring a small model with dropout 0.5 between an embedding and a linear layer. **Test 1 of 2: the number (2 points).**

# %% nbgrader={"grade": false, "grade_id": "toy-model", "locked": true, "schema_version": 3, "solution": false, "task": false}
def toy_model(vocab):
    """A small model with dropout: logits from each token alone."""
    return nn.Sequential(nn.Embedding(vocab, 8), nn.Dropout(0.5), nn.Linear(8, vocab))


# %% nbgrader={"grade": true, "grade_id": "repaired-evaluate-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("repaired-evaluate", loss="")
check("repaired-evaluate", "one full batch, a model in eval mode", evaluate_twice, [example_tokens(1, 3, 5, 4)], 9, 4, False)
check("repaired-evaluate", "one batch with padding 3", evaluate_twice, [uneven_batches[0]], 3, 5, False)
check("repaired-evaluate", "three batches of different sizes, padding 3", evaluate_twice, uneven_batches, 3, 5, False)
check("repaired-evaluate", "a model in training mode", evaluate_twice, uneven_batches, 3, 5, True, 4)
### BEGIN HIDDEN TESTS
for seed, vocab, pad, sizes in [(880, 6, 0, [(3, 5), (2, 9)]), (881, 9, 8, [(4, 3), (1, 7), (2, 6)]), (882, 5, 2, [(2, 4)])]:
    rng = np.random.default_rng(seed)
    shapes = {"0.weight": (vocab, 8), "2.weight": (vocab, 8), "2.bias": (vocab,)}
    state = {name: random_tensor(rng, *shape) for name, shape in shapes.items()}
    batches = [rng.integers(vocab, size=size) for size in sizes]
    for batch in batches:
        batch[0, 2:], batch[-1, -1], batch[0, 1] = pad, pad, (pad + 1) % vocab
    E, W, b = (as_array(state[name]) for name in shapes)
    rows = E @ W.T + b
    found = [math.log(math.fsum(np.exp(rows[one]))) - rows[one, other]
             for batch in batches for row in batch for one, other in zip(row, row[1:]) if other != pad]
    for training in (True, False):
        given = [torch.tensor(batch) for batch in batches]
        got = repaired_evaluate(toy_model_with_weights(state, vocab, training), given, pad)
        check_numbers(got, math.fsum(found) / len(found), "in the mean loss of all batches", f"with {vocab=}, {pad=}, {sizes=}, {training=}, ")
        check_unchanged(given, [torch.tensor(batch) for batch in batches])
### END HIDDEN TESTS

# %% [markdown]
# **Test 2 of 2: the mode (1 point).**

# %% nbgrader={"grade": true, "grade_id": "repaired-evaluate-mode-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
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
# How bad can such slips be? We trained your model's twin for 300 steps with each of five bugs. *Shown* is the loss that the buggy program prints, *worth* the true loss on new text. The right program shows 1.01, and is worth 1.015. (Both are a little above H2, since these texts have 8 to 32 letters, and each has a first prediction.)
#
# | bug | shown | worth |
# |---|---|---|
# | no shift: row t against token t | 0.000 | 10.5 |
# | the mask is missing | 0.001 | – (its `leak` is 16) |
# | padding counted | 0.74 | 1.06 |
# | softmax before cross-entropy | 2.11 | 5.1 |
# | dropout 0.1, eval mode forgotten | 1.03 | 1.017 |
#
# Three of the five look **better** than what is possible. Only a limit that is known unmasks them. The next cell asks both evaluations about your trained model, on the same text. With all five slips at once, the number looks worse than it should be: they don't cancel, and nobody can tell from it what the model is worth.

# %% tags=["demonstration"]
generator = torch.Generator().manual_seed(5)
batches = [sample_language(pairs, table, torch.randint(8, 33, (size,), generator=generator), 32, generator) for size in (200, 20)]
print(f"repaired: {repaired_evaluate(trained, batches, PAD):.3f}, lying: {lying_evaluate(trained, batches, PAD):.3f}")


# %% [markdown]
# ## 8.10 From logits to probabilities
#
# **3 points · about 20 minutes · difficulty ●●●**
#
# The model gives logits. To write with it, somebody has to choose. Three settings change the probabilities from which the next token is drawn. `next_token_probs` applies them **in this order**:
#
# | setting | what it does |
# |---|---|
# | `temperature` | divides the logits. Below 1: bolder, above 1: more even. A `ValueError` if it is 0 or less |
# | `top_k` | keeps the `top_k` largest logits only; all, if there are fewer tokens than that |
# | `top_p` | of what is left, with probabilities that sum to 1, keeps the **smallest set** of the most probable tokens whose sum is at least `top_p` |
#
# At the end each row sums to 1 again, and what was not kept has probability 0. With `None`, `top_k` and `top_p` do nothing.
#
# An example for `top_p=0.7`, with the probabilities 0.5, 0.3, 0.2: the first alone has 0.5, which is not enough. The first two have 0.8. The token that *crosses* the border stays, and the result is 0.625, 0.375, 0. So at least one token is always kept.
#
# `logits` is `(…, vocab)`, and each row has its own border. They may be ±10,000. No two are equal.
#
# <details><summary>Hint 1: a question</summary>
#
# Sort a row's probabilities, the largest first. A token stays if the sum of those **before** it is less than `top_p`. Why before, and not up to and including?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `logits.topk(k, dim=-1).values[..., -1:]` is the smallest that stays. `masked_fill(…, -math.inf)`, `softmax(dim=-1)`. `probs.sort(dim=-1, descending=True)` gives values and places, `cumsum(dim=-1)` sums up to each place, and `torch.zeros_like(probs).scatter(-1, places, values)` puts values back to their places.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Raise the error. Divide. If there is a top_k: find the smallest logit that stays, in each row, and set what is smaller to −∞. Softmax. If there is a top_p: sort, sum up what stands before each, set to 0 where that is top_p or more, put back in the order of the vocabulary, and divide by the row's sum.
# </details>
#
# <details><summary>I get “selected index k out of range”</summary>
#
# `topk` can't give more than there are: take the smaller one of `top_k` and the size of the vocabulary.
# </details>

# %% nbgrader={"grade": false, "grade_id": "next-token-probs", "locked": false, "schema_version": 3, "solution": true, "task": false}
def next_token_probs(logits, temperature=1.0, top_k=None, top_p=None):
    """Probabilities of the next token, after temperature, then top_k, then top_p.

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


# %% nbgrader={"grade": true, "grade_id": "next-token-probs-temperature-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "two axes in front, nothing set", next_token_probs, uneven_logits)
check("next-token-probs", "two axes in front, temperature 2", next_token_probs, uneven_logits, temperature=2.0)
check("next-token-probs", "logits of ±10000", next_token_probs, 1500 * uneven_logits, 1.0)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "temperature 0.5: squares of 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), 0.5)
check("next-token-probs", "temperature 0", next_token_probs, paper_probs.log(), 0.0)
check("next-token-probs", "temperature −1", next_token_probs, paper_probs.log(), temperature=-1.0)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, size in [(980, (3,), 7, 1.0, 1), (981, (2, 4), 5, 0.3, 1), (982, (), 9, 2.5, 1), (983, (3,), 6, 0.7, 4e3)]:
    rng = np.random.default_rng(seed)
    logits = size * rng.normal(size=(*front, vocab))
    grown = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    given = torch.tensor(logits)
    got = next_token_probs(given) if temperature == 1 else next_token_probs(given, temperature)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, ")
    check_unchanged([given], [torch.tensor(logits)])
for temperature in (0.0, 0, -0.5):
    try:
        next_token_probs(torch.zeros(2, 3), temperature)
        raise AssertionError(f"a temperature of {temperature} must be refused")
    except ValueError:
        pass
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "next-token-probs-top-k-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_k = 2, of 6 tokens", next_token_probs, uneven_logits, top_k=2)
check("next-token-probs", "temperature 2, top_k = 3", next_token_probs, uneven_logits, 2.0, 3)
check("next-token-probs", "top_k = 1, logits down to −10000", next_token_probs, 700 * uneven_logits - 5500, top_k=1)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_k = 2: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), top_k=2)
check("next-token-probs", "top_k = 8, of 3 tokens", next_token_probs, paper_probs.log(), top_k=8)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, top_k in [(985, (3,), 7, 1.0, 2), (986, (2, 4), 5, 0.3, 4), (987, (), 9, 2.5, 1), (988, (4,), 6, 1.0, 6), (989, (2,), 4, 1.0, 11)]:
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(*front, vocab))
    grown = np.exp(logits / temperature)
    for row, values in zip(grown.reshape(-1, vocab), logits.reshape(-1, vocab)):
        row[np.argsort(values)[:max(vocab - top_k, 0)]] = 0
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, {top_k=}, ")
    check_unchanged([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "next-token-probs-top-p-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("next-token-probs", probabilities="sequence row letter")
check("next-token-probs", "top_p = 0.7, of 6 tokens", next_token_probs, uneven_logits, 1.0, None, 0.7)
check("next-token-probs", "temperature 2, then top_p = 0.6", next_token_probs, uneven_logits, 2.0, top_p=0.6)
check("next-token-probs", "top_k = 3, then top_p = 0.8", next_token_probs, uneven_logits, top_k=3, top_p=0.8)
returns("next-token-probs", probabilities="row letter")
check("next-token-probs", "top_p = 0.7: 0.2, 0.5 and 0.3", next_token_probs, paper_probs.log(), top_p=0.7)
check("next-token-probs", "top_p = 0.01 keeps one", next_token_probs, paper_probs.log(), top_p=0.01)
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
                                                      (993, (4,), 8, 1.0, 3, 0.75), (994, (5,), 6, 1.5, 4, 0.5)]:
    rng = np.random.default_rng(seed)
    logits = 1.5 * rng.normal(size=(*front, vocab))
    expected = np.apply_along_axis(nucleus, -1, logits, temperature, top_k, top_p)
    given = torch.tensor(logits)
    got = next_token_probs(given, temperature, top_k, top_p)
    check_numbers(got, expected, "in the probabilities", f"with {front=}, {vocab=}, {temperature=}, {top_k=}, {top_p=}, ")
    check_unchanged([given], [torch.tensor(logits)])
### END HIDDEN TESTS

# %% [markdown]
# ## 8.11 Writing
#
# **2 points · about 10 minutes · difficulty ●●○**
#
# Now let it write: ask the model, draw one token from the **last** row's probabilities, append it, and ask again. The model sees at most the last `context` tokens. `generate` returns prompt and new tokens. Each sequence of the batch draws for itself.
#
# All chance comes from `generator`, so that the same seed gives the same text: hand it to whatever draws, and don't seed it again.
#
# <details><summary>Hint 1: a question</summary>
#
# `tokens[:, -context:]` of a prompt that is shorter than the context: what does it give?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# Your 8.10. `torch.multinomial(probs, 1, generator=generator)` draws one token for each row, `(batch, 1)`. `torch.cat([tokens, drawn], dim=1)`.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# As often as there are new tokens: give the last tokens to the model, take the last row of its logits, make probabilities with all three settings, draw with the generator, append.
# </details>

# %% builds_on=["next-token-probs"] nbgrader={"grade": false, "grade_id": "generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    """Append new tokens to the prompt, one at a time, drawn with the generator.

    model: a function of tokens (batch, at most context), giving
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


# %% nbgrader={"grade": true, "grade_id": "generate-test", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
returns("generate", tokens="sequence place")
prompt = torch.tensor([[1, 2, 4], [4, 0, 6]])
check("generate", "top_k = 1, 5 new tokens", generated_tokens, prompt, 9, 5, top_k=1)
check("generate", "top_k = 1, and a context of 2", generated_tokens, prompt, 2, 5, 1.0, 1)
check("generate", "no new token", generated_tokens, prompt, 5, 0)
first, again, other = map(sample_almost_evenly, (1, 1, 2))
assert np.array_equal(first, again), "the same seed gives another text\nlet all chance come from the generator that was passed"
assert (first != 6).any(), "only the likeliest letter comes, though it is hardly likelier\ndraw from the probabilities: don't take the largest"
assert np.ptp(first, axis=0).any(), "all sequences get the same letters, though no letter is likelier\ndraw for each sequence on its own"
assert np.ptp(first, axis=1).any(), "each sequence repeats one letter, though no letter is likelier\ndraw anew at each step, and don't seed the generator there"
assert not np.array_equal(first, other), "another seed gives the same text\ndraw with the generator that was passed, and don't seed it"
check_pair_shares([[0.25, 0.15, 0.1], [0.045, 0.015, 0.24], [0.05, 0.14, 0.01]])
check_pair_shares([[0.3906, 0.2344, 0], [0.0592, 0, 0.3158], [0, 0, 0]], top_k=2)
check_pair_shares([[0.3906, 0.2344, 0], [0, 0, 0.375], [0, 0, 0]], top_p=0.6)
roots = np.sqrt(chain_probs) / np.sqrt(chain_probs).sum(axis=1, keepdims=True)
check_pair_shares(roots[0][:, None] * roots, temperature=2.0)
### BEGIN HIDDEN TESTS
for seed, batch, seq, context, new in [(1080, 3, 4, 6, 7), (1081, 2, 5, 3, 4), (1082, 4, 1, 2, 3)]:
    rng = np.random.default_rng(seed)
    tokens = torch.tensor(rng.integers(7, size=(batch, seq)))
    expected = [list(row) for row in tokens.tolist()]
    for row in expected:
        for _ in range(new):
            seen = row[-context:]
            row.append(sum((n + 1) * token for n, token in enumerate(seen)) % 7)
    given = tokens.clone()
    check_numbers(generated_tokens(given, context, new, top_k=1), expected, "in text that leaves no choice", f"with {batch=}, {seq=}, {context=}, ", 0)
    check_unchanged([given], [tokens])
squares = np.array([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]]) ** 2
squares = squares / squares.sum(axis=1, keepdims=True)
check_pair_shares(squares[0][:, None] * squares, temperature=0.5)
check_pair_shares(np.array([[0.625, 0.375, 0]]).T * np.array([[0.625, 0.375, 0], [0, 0, 1], [0.2631579, 0.7368421, 0]]), top_p=0.75)
### END HIDDEN TESTS

# %% [markdown]
# What does your model write? Its texts begin with a space. The next cell uses a context of **31**, although the model has 32 positions. Why? The last position never had a target in training: row 31 would predict letter 32, and no sequence had one. So its logits were never trained.

# %% tags=["demonstration"]
trained.eval()
with torch.no_grad():
    for settings in [{"temperature": 0.5}, {"temperature": 1.0}, {"temperature": 2.0}, {"top_p": 0.9}]:
        text = generate(trained, torch.tensor([[1]]), 31, 60, torch.Generator().manual_seed(0), **settings)
        print(f"{str(settings):20}", "".join(LETTERS[token] for token in text[0].tolist()))
source = sample_language(pairs, table, torch.tensor([61]), 61, torch.Generator().manual_seed(2))
print(f"{'the source itself':20}", "".join(LETTERS[token] for token in source[0].tolist()))


# %% [markdown]
# At temperature 1 you can hardly tell it from the source. At 0.5 it repeats what is likely. At 2 it is bolder: over 300 such texts, 3.6 letters in 100 were ones that the language forbids, against 0.1 at temperature 1. How much does the untrained last row cost? The next cell writes 500 texts of 64 letters with both contexts, and asks the source how surprised it is by them: by the letters 2 to 30, and by those from 36 on, where the window has to slide.

# %% tags=["demonstration"]
def surprise(text):
    """(mean surprise of the source, share of letters that it forbids), early and late."""
    chances = table[text[:, :-2], text[:, 1:-1], text[:, 2:]]  # of the letters 2, 3, …
    parts = chances[:, :29], chances[:, 34:]
    return [(-part[part > 0].log().mean().item(), (part == 0).double().mean().item()) for part in parts]


with torch.no_grad():
    for context in (32, 31):
        prompt = torch.multinomial(single, 500, replacement=True, generator=torch.Generator().manual_seed(3))[:, None]
        text = generate(trained, prompt, context, 63, torch.Generator().manual_seed(4))
        (early, _), (late, forbidden) = surprise(text)
        print(f"context {context}: letters 2 to 30 {early:.2f} nats, from 36 on {late:.2f} nats, {forbidden:.2%} forbidden", flush=True)


# %% [markdown]
# With a context of 32 each late letter is drawn from the row that never had a target, and the text falls apart: 2.5 nats in our run, where 0.96 is right. With 31 it stays near 1.05.

# %% [markdown]
# ## Looking inside
#
# Your language model knows a fixed table by heart. Real models also continue what they have **never seen**: in a text with a strange name, they get it right the second time. Elhage and others (2021) and Olsson and others (2022) found how: by two attention heads that work together.
#
# 1. A **previous-token head** in layer 0 lets each token look at the one before it, and writes there "before me stood A".
# 2. An **induction head** in layer 1 stands at an A, looks for the place where it says "before me stood A", and copies what stands *there*.
#
# So A B … A is continued by B, whatever A and B are. The next cells train a model that needs this: two layers of attention and nothing else. Its texts are random blocks of 6 to 16 of 32 tokens, repeated. The first time, nothing can be predicted. After that, everything can.

# %% nbgrader={"grade": false, "grade_id": "attention-only", "locked": true, "schema_version": 3, "solution": false, "task": false}
class AttentionOnly(nn.Module):
    """Layers of attention on a residual stream; no norm, no network, an output layer of its own."""

    def __init__(self, vocab, context, d_model, num_heads, num_layers=2):
        super().__init__()
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.layers = nn.ModuleList(CausalAttention(d_model, num_heads) for _ in range(num_layers))
        self.unembed = nn.Linear(d_model, vocab, bias=False)

    def forward(self, tokens):
        x, seen = self.token(tokens) + self.position(torch.arange(tokens.shape[1])), []
        for layer in self.layers:
            out, weights = layer(x)
            x, seen = x + out, [*seen, weights]
        return self.unembed(x), seen


# %% nbgrader={"grade": false, "grade_id": "repeated", "locked": true, "schema_version": 3, "solution": false, "task": false}
def repeated(batch, seq, vocab, low, high, generator):
    """Random blocks of low to high tokens, each repeated and cut to seq: (batch, seq)."""
    period = torch.randint(low, high + 1, (batch, 1), generator=generator)
    block = torch.randint(vocab, (batch, high), generator=generator)
    return block.gather(1, torch.arange(seq) % period)


def repeated_loss(model, generator):
    """The mean loss on 32 new sequences of 32 tokens."""
    tokens = repeated(32, 32, 32, 6, 16, generator)
    return token_losses(model(tokens)[0], tokens).mean()


# %% [markdown]
# Predict: will the loss fall evenly? Knowing nothing costs ln 32 = 3.466, in the repetition as well. (Training takes about ten seconds.)

# %% tags=["demonstration"]
torch.manual_seed(0)
inductive = start_small(AttentionOnly(32, 32, 64, 2), 0.1)
curve = train(inductive, repeated_loss, steps=1200)

# %% alt="Training loss over 1,200 steps. For about 100 steps it hardly leaves the dotted line ln 32 = 3.47, between steps 100 and 200 it drops steeply to below 2, then it falls slowly to about 1.3." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(np.convolve(curve, np.ones(10) / 10, mode="valid"))
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="step", ylabel="loss, mean of 10 steps", ylim=(0, 4))
ax.legend()
plt.show()

# %% [markdown]
# For a hundred steps little happens, then the loss drops. One head alone gains nothing: the second is useless before the first has learnt its part, and the other way round. It can't fall to 0, since the first block of each text can't be guessed.
#
# Now ask about texts of 16 random tokens, twice. Look at the loss position by position.

# %% alt="Loss by position on 16 random tokens that come twice: in the first block it rises from 3.6 to 4.3, above the dotted line ln 32; at the second block it drops, 2.3 at its first token, and from its third on it stays near 0.1." tags=["demonstration"]
probe = torch.randint(32, (200, 16), generator=torch.Generator().manual_seed(10_000)).repeat(1, 2)
with torch.no_grad():
    logits, seen = inductive(probe)
by_position = token_losses(logits, probe).mean(dim=0)
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(range(1, 32), by_position.numpy(), "o-", markersize=3)
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="position of the token that is predicted", ylabel="loss, nats", ylim=(0, 5))
ax.legend()
plt.show()
print(f"first block {by_position[:15].mean():.2f}, second block {by_position[16:].mean():.3f}")


# %% [markdown]
# In the first block the model does worse than guessing: it bets on copies even there, and loses, the more the longer the block lasts. The first token of the second block costs less already, 2.3 nats: no block has more than 16 tokens, so the model knows that a repetition begins. From the third on, nearly all is known.

# %% [markdown]
# ## 8.12 Which head looks where it should?
#
# **3 points · about 20 minutes · difficulty ●●●**
#
# An induction head that stands at a token A looks at what came **after** an earlier A. How much of its attention goes there? Olsson and others measure it by the *prefix matching score*.
#
# Take a query at place `i`. Its matches are the keys `j ≤ i` whose **predecessor** is the same token as the query's: `tokens[j − 1] == tokens[i]`, for `j ≥ 1`. The mass of the query is the sum of its attention over all its matches. The score of a head is the mean mass over all queries **that have a match**, in all sequences of the batch. If no query has one, it is 0.
#
# An example: for the tokens A B A C A, the queries with matches are place 2 (an A; its match is 1, since at 0 stands an A) and place 4 (an A; its matches are 1 and 3).
#
# If a token comes twice in a row, `j = i` is a match as well: place `i` then stands after the same token.
#
# | operation | what | shape |
# |---|---|---|
# | matches | query `i`, key `j` | `(batch, seq, seq)` |
# | mass | the sum of weights over the matches | `(batch, num_heads, seq)` |
# | score | the mean over queries with a match | `(num_heads,)` |
#
# <details><summary>Hint 1: a question</summary>
#
# `tokens[:, :, None] == tokens[:, None, :]` says for query `i` and key `j` whether both tokens are the same. By how many places, and along which axis, has it to be moved to speak of the token before `j`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tril()` keeps `j ≤ i`. A table of zeros whose columns from 1 on are assigned. `any(dim=-1)`, `sum(dim=...)` also over several axes, `clamp(min=1)` for a count that may be 0.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Compare each token with each token. Move the result one column to the right, with nothing in column 0. Keep what is not in the future. Which queries have a match? Multiply the weights by the matches and sum over the keys. Sum over all queries and sequences, and divide by the number of queries with a match.
# </details>

# %% nbgrader={"grade": false, "grade_id": "prefix-matching-score", "locked": false, "schema_version": 3, "solution": true, "task": false}
def prefix_matching_score(weights, tokens):
    """How much attention goes to tokens that follow an earlier copy of the query's token.

    weights: (batch, num_heads, seq, seq), row = query. tokens: (batch, seq).
    Returns (num_heads,): the mean over all queries that have such a
    key, 0 if there are none.
    """
    ### BEGIN SOLUTION
    same = tokens[:, :, None] == tokens[:, None, :]
    match = F.pad(same[:, :, :-1], (1, 0)).tril()
    mass = (weights * match[:, None]).sum(dim=-1)
    return mass.sum(dim=(0, 2)) / match.any(dim=-1).sum().clamp(min=1)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "prefix-matching-score-test", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
returns("prefix-matching-score", score="head")
check("prefix-matching-score", "A B A C A, as in the text", prefix_matching_score, example_weights(0, 1, 3, 5), torch.tensor([[0, 1, 0, 2, 0]]))
tokens = torch.tensor([[1, 2, 1, 2, 3, 1, 2], [4, 4, 4, 1, 5, 0, 4]])
check("prefix-matching-score", "2 sequences, tokens twice in a row", prefix_matching_score, example_weights(3, 2, 3, 7), tokens)
check("prefix-matching-score", "one query alone has a match", prefix_matching_score, example_weights(6, 1, 2, 4), torch.tensor([[3, 1, 2, 1]]))
check("prefix-matching-score", "no token comes again", prefix_matching_score, example_weights(5, 2, 4, 3), torch.tensor([[0, 1, 2], [5, 3, 4]]))
lonely = torch.tensor([[0, 1, 2, 3, 4], [3, 0, 3, 3, 1], [2, 4, 0, 2, 4]])
check("prefix-matching-score", "3 sequences, one of them without a match", prefix_matching_score, with_future_weights(example_weights(8, 3, 2, 5)), lonely)
### BEGIN HIDDEN TESTS
for seed, batch, heads, seq, vocab in [(1180, 3, 2, 8, 3), (1181, 2, 4, 6, 2), (1182, 4, 1, 9, 12), (1183, 2, 3, 4, 60)]:
    rng = np.random.default_rng(seed)
    tokens = rng.integers(vocab, size=(batch, seq)) if vocab < 60 else rng.permuted(np.tile(np.arange(seq), (batch, 1)), axis=1)
    weights, masses = np.tril(rng.random((batch, heads, seq, seq))), [[] for _ in range(heads)]
    weights = weights / weights.sum(axis=-1, keepdims=True)
    for b, i in np.ndindex(batch, seq):
        matches = [j for j in range(1, i + 1) if tokens[b, j - 1] == tokens[b, i]]
        for h in range(heads if matches else 0):
            masses[h].append(math.fsum(weights[b, h, i, j] for j in matches))
    expected = [math.fsum(mass) / len(mass) if mass else 0.0 for mass in masses]
    given = torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)
    check_numbers(prefix_matching_score(*given), expected, "in the scores of larger weights", f"with {batch=}, {heads=}, {seq=}, {vocab=}, ")
    check_unchanged(given, (torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# Which of the four heads is which? The next cell scores them all. The previous-token score is the mean weight on the token just before. Row 31 is left out, since it never had a target. Predict: which layer has the induction heads?

# %% tags=["demonstration"]
def scores_of_heads(seen, tokens):
    """(previous-token, prefix matching) scores of each layer's heads, on the rows and keys 0 to 30."""
    cut = [weights[:, :, :31, :31] for weights in seen]
    previous = [weights.diagonal(-1, -2, -1).mean(dim=(0, 2)) for weights in cut]
    return previous, [prefix_matching_score(weights, tokens[:, :31]) for weights in cut]


previous, matching = scores_of_heads(seen, probe)
for layer, head in np.ndindex(2, 2):
    print(f"layer {layer}, head {head}: previous token {previous[layer][head]:.2f}, prefix matching {matching[layer][head]:.2f}")
writer = int(previous[0].argmax())  # the previous-token head: which of the two it is changes with the seed

# %% alt="Three heatmaps of one text of 16 random tokens that come twice. Layer 0's previous-token head: a bright stripe one below the diagonal. Both heads of layer 1: a bright stripe 15 below the diagonal in the lower half, diffuse in the upper half." tags=["demonstration"]
fig, axes = plt.subplots(1, 3, figsize=(11, 3.9), layout="constrained", sharey=True)
for ax, (layer, head) in zip(axes, [(0, writer), (1, 0), (1, 1)]):
    image = ax.imshow(seen[layer][0, head, :31, :31].numpy(), vmin=0, vmax=1, cmap="cividis")
    few = [n if n % 5 == 0 else "" for n in range(31)]
    ax.set(xticks=range(31), xticklabels=few, xlabel="key", title=f"layer {layer}, head {head}")
axes[0].set(yticks=range(31), yticklabels=few, ylabel="query")
fig.colorbar(image, ax=axes, label="weight")
plt.show()


# %% [markdown]
# One head of layer 0 looks one token back, all the time. Both heads of layer 1 look 15 tokens back in the second block: to the place **after** the first copy, 16 back, of the token where they stand. In the first block there is little to find, and their weight is spread over a few early tokens. (So their scores are not 1: random tokens come twice within the first block, too, and those queries count. In the second block alone the scores are 0.94 and 0.96.) Nobody told them the distance. In training it changed from text to text.

# %% [markdown]
# ## 8.13 What a head copies
#
# **2 points · about 15 minutes · difficulty ●●●**
#
# Where a head looks is half of the story. What does it do with what it finds? Lesson 01 had the OV circuit: from the token that is looked at, to what is added to the output. With one more matrix at each end it speaks of tokens. For head $h$:
#
# $$C = E\, V_h^\top\, O_h^\top\, U^\top$$
#
# $E$ is `embed` and $U$ is `unembed`, both `(vocab, d_model)`. $V_h$ are the head's **rows** of `v_weight`, `(hidden, d_model)`, and $O_h$ its **columns** of `mix_weight`, `(d_model, hidden)`, as `nn.Linear` keeps them. $C[a, b]$ says how much it raises the logit of token $b$ to attend to token $a$. Biases are left out.
#
# A head that copies has a large diagonal: attending to $a$ speaks for $a$. As one number, Elhage and others take the eigenvalues $\lambda$ of $C$:
#
# $$\text{copying score} = \frac{\sum \mathrm{Re}\, \lambda}{\sum |\lambda|}$$
#
# It is 1 if all are positive (it copies), −1 if all are negative (it says "anything but this"), and near 0 if they point everywhere.
#
# <details><summary>Hint 1: a question</summary>
#
# With `v_weight` of shape (hidden, d_model), on which axis do the heads lie side by side? And in `mix_weight`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `hidden // num_heads` is the size of a head, `slice(a, b)` or `a:b`. `torch.linalg.eigvals` gives complex numbers: take `.real` or `.abs()` before you sum. The matrix is not symmetric, so `eigvalsh` is wrong here.
# </details>
#
# <details><summary>Hint 3: the steps in words</summary>
#
# Take the head's rows of the one and its columns of the other. Embeddings times the first, turned, times the second, turned, times the unembedding, turned. For the score: eigenvalues, the sum of their real parts, divided by the sum of their absolute values.
# </details>

# %% nbgrader={"grade": false, "grade_id": "ov-circuit", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    """How much attending to each token raises the logit of each token, by one head.

    embed, unembed: (vocab, d_model). v_weight: (hidden, d_model),
    mix_weight: (d_model, hidden).
    Returns (vocab, vocab): row = the token that is looked at, column = the
    token whose logit it raises.
    """
    ### BEGIN SOLUTION
    size = v_weight.shape[0] // num_heads
    own = slice(head * size, (head + 1) * size)
    return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
    ### END SOLUTION


def copying_score(circuit):
    """The sum of the eigenvalues' real parts, divided by the sum of their
    absolute values: a float.

    circuit: (vocab, vocab), not symmetric.
    """
    ### BEGIN SOLUTION
    values = torch.linalg.eigvals(circuit)
    return float(values.real.sum() / values.abs().sum())
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the circuit (1 point). Test 2 of 2: the score (1 point).** They don't need each other.

# %% nbgrader={"grade": true, "grade_id": "ov-circuit-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ov-circuit", circuit="from to")
check("ov-circuit", "6 tokens, head 1 of 5", ov_circuit, *circuit_inputs(1, 6, 10, 15), 1, 5)
check("ov-circuit", "4 tokens, head 2 of 3", ov_circuit, *circuit_inputs(5, 4, 7, 6), 2, 3)
check("ov-circuit", "6 tokens, head 0 of 4, as wide as the model", ov_circuit, *circuit_inputs(8, 6, 8, 8), 0, 4)
### BEGIN HIDDEN TESTS
for seed, vocab, d_model, hidden, heads in [(1280, 9, 5, 12, 3), (1281, 6, 7, 8, 2), (1282, 11, 10, 12, 4)]:
    rng = np.random.default_rng(seed)
    E, U, V, O = (rng.normal(size=shape) for shape in [(vocab, d_model), (vocab, d_model), (hidden, d_model), (d_model, hidden)])
    for head in range(heads):
        expected = np.zeros((vocab, vocab))
        for a, b in np.ndindex(vocab, vocab):
            value = [V[n] @ E[a] for n in range(head * hidden // heads, (head + 1) * hidden // heads)]
            expected[a, b] = U[b] @ sum(O[:, head * hidden // heads + n] * one for n, one in enumerate(value))
        given = [torch.tensor(one) for one in (E, U, V, O)]
        check_numbers(ov_circuit(*given, head, heads), expected, "in a larger circuit", f"with {vocab=}, {d_model=}, {hidden=}, {head=}, {heads=}, ")
        check_unchanged(given, [torch.tensor(one) for one in (E, U, V, O)])
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "copying-score-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ov-circuit", score="")
check("ov-circuit", "the score of 5 by 5 numbers", copying_score, example_tensor(118, 5, 5, dtype=torch.float64))
check("ov-circuit", "the score of a matrix with the eigenvalues 3, 1 and −2", copying_score, torch.tensor([[3.0, 5, 1], [0, 1, 4], [0, 0, -2]]))
check("ov-circuit", "the score of a quarter turn", copying_score, torch.tensor([[0.0, -1], [1, 0]]))
check("ov-circuit", "the score of minus the identity", copying_score, -torch.eye(4))
### BEGIN HIDDEN TESTS
for seed, vocab in [(1285, 6), (1286, 9), (1287, 12)]:
    rng = np.random.default_rng(seed)
    # Of known eigenvalues: real ones, and pairs a ± bi, in a basis of no right angles.
    real, pairs_of = rng.normal(size=vocab // 3), rng.normal(size=((vocab - vocab // 3) // 2, 2))
    blocks, at = np.zeros((vocab, vocab)), len(real)
    blocks[range(at), range(at)] = real
    for a, b in pairs_of:
        blocks[at:at + 2, at:at + 2] = [[a, -b], [b, a]]
        at += 2
    basis = rng.normal(size=(vocab, vocab)) + 2 * np.eye(vocab)
    sizes = math.fsum(abs(real)) + 2 * math.fsum(np.hypot(*pairs_of.T))
    expected = (math.fsum(real) + 2 * math.fsum(pairs_of[:, 0])) / sizes
    given = torch.tensor(basis @ blocks @ np.linalg.inv(basis))
    check_numbers(copying_score(given.clone()), expected, "in the score of a larger circuit", f"with {vocab=}, ", 1e-6)
### END HIDDEN TESTS

# %% tags=["demonstration"]
with torch.no_grad():
    for layer, head in np.ndindex(2, 2):
        attention = inductive.layers[layer]
        circuit = ov_circuit(inductive.token.weight, inductive.unembed.weight, attention.v.weight, attention.mix.weight, head, 2)
        print(f"layer {layer}, head {head}: copying score {copying_score(circuit):5.2f}")


# %% [markdown]
# Both induction heads copy: 1.00, all eigenvalues positive. The heads of layer 0 have negative scores: what they attend to becomes less likely.

# %% [markdown]
# ## 8.14 Cut it out
#
# **1 point · about 5 minutes · difficulty ●○○**
#
# Scores are hints. Whether a head is *needed* shows when it is gone. `ablate_head` returns a **new** weight of the `mix` layer in which one head's columns are 0: whatever this head finds, nothing of it is written.
#
# <details><summary>Hint 1: a question</summary>
#
# `mix` computes `x @ weight.T`. Which axis of `weight` meets the heads side by side: rows or columns?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `mix_weight.clone()`, and an assignment to `[:, a:b]`.
# </details>

# %% nbgrader={"grade": false, "grade_id": "ablate-head", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ablate_head(mix_weight, head, num_heads):
    """The weight of mix with one head's columns set to 0, as a new tensor.

    mix_weight: (d_model, hidden). Returns (d_model, hidden).
    """
    ### BEGIN SOLUTION
    size = mix_weight.shape[1] // num_heads
    without = mix_weight.clone()
    without[:, head * size:(head + 1) * size] = 0
    return without
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "ablate-head-test", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
returns("ablate-head", weight="out in")
check("ablate-head", "10 by 15, head 1 of 5", ablate_head, example_tensor(1, 10, 15), 1, 5)
check("ablate-head", "6 by 6, head 0 of 3", ablate_head, example_tensor(4, 6, 6), 0, 3)
check("ablate-head", "5 by 8, head 2 of 4", ablate_head, example_tensor(8, 5, 8), 2, 4)
### BEGIN HIDDEN TESTS
for seed, d_model, hidden, heads in [(1380, 5, 12, 3), (1381, 8, 8, 2), (1382, 7, 10, 5)]:
    weight = np.random.default_rng(seed).normal(size=(d_model, hidden))
    for head in range(heads):
        kept = [n // (hidden // heads) != head for n in range(hidden)]
        given = torch.tensor(weight, dtype=torch.float32)
        check_numbers(ablate_head(given, head, heads), weight * kept, "in a larger weight", f"with {d_model=}, {hidden=}, {head=}, {heads=}, ")
        check_unchanged([given], [torch.tensor(weight, dtype=torch.float32)])
### END HIDDEN TESTS

# %% [markdown]
# Predict the loss in the second block, which was about 0.1: without the previous-token head, without its neighbour, without one induction head, without both.

# %% tags=["demonstration"]
def second_block(*heads):
    """The loss in the second block without these heads (layer, head)."""
    other = copy.deepcopy(inductive)
    with torch.no_grad():
        for layer, head in heads:
            mix = other.layers[layer].mix
            mix.weight.copy_(ablate_head(mix.weight, head, 2))
        return token_losses(other(probe)[0], probe)[:, 16:].mean().item()


for name, heads in {"all heads": [], "without the previous-token head": [(0, writer)], "without its neighbour": [(0, 1 - writer)],
                    "without head 0 of layer 1": [(1, 0)], "without head 1 of layer 1": [(1, 1)], "without both": [(1, 0), (1, 1)]}.items():
    print(f"{name:32}: {second_block(*heads):.2f}")

# %% [markdown]
# Without the previous-token head, the second block costs 3.0 nats of the 3.5 that knowing nothing costs: the induction heads are whole, but there is hardly anything for them to find. Its neighbour costs 0.3. Each of the two induction heads does a part of the other's work: without one of them, the loss is 0.9 or 1.4. Without both, nothing is left. Over eight seeds, the previous-token head's loss was always between 2.5 and 3.2, both induction heads' always above 3.49. But *which* head of layer 0 it was changed with the seed. So choose heads by their scores, never by their numbers.

# %% [markdown] nbgrader={"grade": false, "grade_id": "three-reports", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": true}
# ## 8.15 In your own words: three reports
#
# **2 points · about 10 minutes · difficulty ●●○ · read by a person**
#
# Three classmates have trained a TinyLM on the language of this lesson. Each reports the training loss:
#
# 1. "2.1, and it will not fall."
# 2. "0.000 after a few minutes!"
# 3. "0.74. That is better than the entropy!"
#
# Which bug is it in each case, and with which check of one line could they have found it? If a report fits two bugs, say what tells them apart. Three to six sentences are enough.
#
# ### BEGIN MARK SCHEME
# **Report 1:** softmax before the cross-entropy. Twelve probabilities, taken as logits, can't give a loss below ln(e + 11) − 1 = 1.619. Checks: do rows of what goes into `cross_entropy` sum to 1? Is the loss of logits ±1000 near 0 or near 1000?
#
# **Report 2:** no shift, so that the token predicts itself (tied weights make it easy), or no mask, so that the next token is seen. `leak` tells them apart: it is 0 without the shift, and not 0 without the mask. A loss far below the entropy can't be honest.
#
# **Report 3:** padding is counted: easy targets in the mean. Check: count the targets, or compare with the mean over real ones only. No honest model is better than the source.
#
# **2 points** for all three bugs with checks, **1 point** for two of the three, or for all three without checks.
#
# **Half right (1 point of 2):** "1 is a softmax too much, 2 is a missing mask, 3 has overfitted." Report 2 fits two bugs, and new text is drawn at each step, so nobody can overfit.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown] nbgrader={"grade": false, "grade_id": "why-two-layers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": true}
# ## 8.16 In your own words: why two layers?
#
# **1 point · about 5 minutes · difficulty ●●○ · read by a person**
#
# We trained the same model with one layer instead of two. The second block's loss was 2.2: better than ln 32 = 3.47, but far from 0.1. Why can one layer of attention not be an induction head? Two or three sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point:** the query at an A has to find the place *after* the earlier A. So the key there must say what stood **before** it. In the first layer a key is made of its own token and its position only, and the token's own vector doesn't say it. It takes a head in a layer below that writes it there (the previous-token head; K-composition). What one layer can learn is which tokens came, not which comes next: 2.2 nats.
#
# **Half right (½ point):** "One layer is too small to learn it." or "It needs two steps." Nothing says what is missing in the key.
# ### END MARK SCHEME

# %% [markdown]
# *Your answer (double-click here to write):*

# %% [markdown]
# ## What real systems change
#
# What you have built is, piece by piece, the kind of model that is in use. This is what larger ones do otherwise, and the exercise here from which each grew:
#
# | what | how, and where to read | here |
# |---|---|---|
# | norm | only divide by the root mean square, no mean, no bias: Zhang and Sennrich, *Root Mean Square Layer Normalization*, 2019 | 8.3 |
# | network | a product of two linear layers, one through a gate: Shazeer, *GLU Variants Improve Transformer*, 2020 | 8.4 |
# | mixtures of experts | many networks, of which each token uses one or two: Fedus, Zoph and Shazeer, *Switch Transformers*, 2021 | 8.4 |
# | positions | queries and keys are turned, instead of vectors added: Su and others, *RoFormer*, 2021 | 8.6, 7.10 |
# | kernels | attention in tiles, without the table: Dao and others, *FlashAttention*, 2022 | 7.4 |
# | longer context | a cache that stays small, with shared keys: Ainslie and others, *GQA*, 2023 | 8.11, 7.7, 7.8 |
# | training | how large, and on how much text: Hoffmann and others, *Training Compute-Optimal Large Language Models*, 2022 | 8.8 |

# %% [markdown]
# ## What you have built
#
# You have built a language model from its loss to its text, and measured it against the best that is possible. You have met bugs that look like success, and checks that unmask them: a known limit, a leak test, a second route.
#
# And you have looked inside a model: found the heads of a mechanism by scores, said what they copy, and shown by cutting that they are needed. With this, the course ends.
#
# ### Three questions to think about
#
# 1. The first prediction of a sequence can't be better than H1, all others than H2. What would the picture of losses by position look like for a language in which each letter depends on the three before it?
# 2. The induction heads' texts had blocks of 6 to 16 tokens. What could a model learn instead if the block always had 16 tokens, and how would its scores differ?
# 3. A head has a prefix matching score of 0.8, and cutting it out changes the loss by nothing. How can both be true?
#
# <details><summary>Answers</summary>
#
# 1. Three steps: the first prediction stands on the limit given one letter, the second on that given two, and all others on that given three, the entropy of that source.
# 2. It could learn to look 15 places back, by position alone: no previous-token head is needed, one layer is enough. On texts with another period it would fail, and so would its prefix matching score there. Changing periods force the model to look at what the tokens are.
# 3. Another head does the same, and steps in. (Here it did so in part only: without one of two induction heads, the loss was 0.9 or 1.4 instead of 3.5.) Or what the head writes is not used, or cancels with another's. A score says where a head looks, a cut says whether it is missed, and neither says what all the others do.
#
# </details>
#
# ### References
#
# - Nelson Elhage, Neel Nanda, Catherine Olsson and others: *A Mathematical Framework for Transformer Circuits*, 2021. OV circuits, induction heads in two layers, the copying score.
# - Catherine Olsson, Nelson Elhage, Neel Nanda and others: *In-context Learning and Induction Heads*, 2022. The prefix matching score, and the sudden drop of the loss.
# - Claude E. Shannon: *A Mathematical Theory of Communication*, 1948. Entropy, and languages made from tables.
# - Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton: *Layer Normalization*, 2016. The norm of 8.3.
# - Dan Hendrycks, Kevin Gimpel: *Gaussian Error Linear Units (GELUs)*, 2016. The GELU of 8.4, and its tanh form.
# - Ruibin Xiong, Yunchang Yang, Di He and others: *On Layer Normalization in the Transformer Architecture*, 2020. Pre-norm and post-norm.
# - Ofir Press, Lior Wolf: *Using the Output Embedding to Improve Language Models*, 2017. Tied weights.
# - Ilya Loshchilov, Frank Hutter: *SGDR: Stochastic Gradient Descent with Warm Restarts*, 2017. The cosine of 8.8.
# - Ari Holtzman, Jan Buys, Li Du, Maxwell Forbes, Yejin Choi: *The Curious Case of Neural Text Degeneration*, 2020. `top_p` of 8.10.
