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
# # Looking inside: induction heads
#
# *Attention, Graded · lesson 10 · PyTorch · about <!-- minutes -->55<!-- end --> minutes of exercises · <!-- points -->10<!-- end --> points*
#
# A language model can continue patterns that it has **never seen**: if a text contains an invented name, the model can complete it when it comes again. Elhage and others (2021) and Olsson and others (2022) found a mechanism for this, two attention heads that work together. In this lesson you look for them in a small model: you find them by their attention, compute what they copy, and cut them out to see whether they are needed.
#
# The model is given. It trains in this notebook in about fifteen seconds. Nothing is downloaded, and you need no code from another lesson.

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
# The tests use small inputs and never need the trained model. Grading also tries larger random inputs. A question that is answered in words is read by a person. If you are stuck on an exercise, skip it and come back later: no exercise needs the code of another. Cells that draw or print may call your functions, so they fail or show wrong results until those work. Reading, and running such cells, takes about half an hour in addition to the minutes of the exercises.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **Tokens are integers** | `tokens` is a `LongTensor` `(batch, seq)`; each row is one sequence |
# | **Row t predicts token t + 1** | `logits` is `(batch, seq, vocab)`: `logits[b, t]` holds the scores of the token *after* token `t`, and the last row has no target |
# | **Losses are in nats** | natural logarithms |
# | **Each row of the attention weights sums to 1** | `weights` is `(batch, num_heads, seq, seq)`, row = query, column = key; query `t` sees the keys `0 … t` |
# | **Shapes of weights** | as in `nn.Linear`, `(out, in)`: a layer computes `x @ weight.T + bias` |
# | **Heads** | head `h` owns the features `h·head_size … (h+1)·head_size − 1` |
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
from IPython.display import HTML
from torch import nn

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other

# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# ## Two heads that work together
#
# A text begins "… A B …", and later comes another A. The mechanism predicts B, whatever A and B are:
#
# 1. A **previous-token head** in layer 0 lets each token attend to the token just before it. It writes into the vector of B: "the token before me is A".
# 2. An **induction head** in layer 1 starts from the second A. It looks for a vector that contains "the token before me is A", attends to it, and copies the token that is *there*: B.
#
# The figure shows this from bottom to top.

# %% alt="Arrow diagram with the tokens k, A, B, m, n, A from left to right, in three rows: the token vectors, the vectors after layer 0, and after layer 1. A first arrow, the previous-token head, goes from the first A up to B in the next row, which now holds: before me, A. A second arrow, the induction head, goes from this B up to the second A in the last row, which now holds: predict B." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
letters = ["k", "A", "B", "m", "n", "A"]
for row, name in enumerate(["token vectors", "after layer 0", "after layer 1"]):
    ax.text(-1.7, 1.5 * row, name, ha="center", va="center")
    for n, letter in enumerate(letters):
        ax.plot([n, n], [0, 3], color="0.85", zorder=0)
        note = {(1, 2): "\nbefore\nme: A", (2, 5): "\npredict\nB"}.get((row, n), "")
        box = {"boxstyle": "round,pad=0.3", "facecolor": "0.85" if note else "white",
            "edgecolor": "0.5"}
        ax.text(n, 1.5 * row, letter + note, ha="center", va="center", bbox=box)
for (start, end), color, text, place in [
    (((1.15, 0.2), (1.75, 1.05)), "C0", "1. previous-token head", (1.65, 0.6)),
    (((2.4, 1.7), (4.6, 2.8)), "C3", "2. induction head", (3.7, 2.15)),
]:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "linewidth": 2, "color": color})
    ax.text(*place, text, color=color, zorder=1,
        bbox={"pad": 1, "facecolor": "white", "edgecolor": "none"})
ax.set(xlim=(-2.6, 5.8), ylim=(-0.5, 3.8))
ax.axis("off")
plt.show()


# %% [markdown]
# ## 10.1 Which head looks where it should?
#
# **★ core · <!-- points -->5 points<!-- end --> · about 30 minutes · difficulty ●●●**
#
# For a query with token A, an induction head attends to the token *after* an earlier A. How much of its attention goes there? Olsson and others measure it by the *prefix matching score*.
#
# Take a query at position `i`. Its matches are the keys `j ≤ i` whose **predecessor** is the same token as the query's: `tokens[j − 1] == tokens[i]`, with `j ≥ 1`. The mass of a query is the sum of its attention weights over all its matches. The score of a head is the mean mass over all queries **that have a match**. Take one mean over the queries of all sequences: don't average each sequence first. If no query has a match, the score is 0.
#
# An example: in the tokens A B A C A, the queries with matches are position 2 (an A; its match is position 1, because position 0 holds an A) and position 4 (an A; its matches are 1 and 3).
#
# A query with a match counts even if its weights there are 0. If a token occurs twice in a row, `j = i` is a match as well: its predecessor is the same token. A key after the query (`j > i`) is never a match. One test has weights of 0.5 there, which must not count.
#
# | operation | what | shape |
# |---|---|---|
# | matches | query `i`, key `j` | `(batch, seq, seq)` |
# | mass | the sum of weights over the matches | `(batch, num_heads, seq)` |
# | score | the mean over queries with a match | `(num_heads,)` |
#
# <details><summary>Hint 1: a question</summary>
#
# `tokens[:, :, None] == tokens[:, None, :]` compares the tokens of query `i` and key `j`. By how many positions, and along which axis, do you have to shift it so that it compares with the token before `j`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `tril()` keeps `j ≤ i`. A boolean tensor of zeros, to whose columns from 1 on you assign. `any(dim=-1)`, `sum(dim=...)` over one or several axes, `clamp(min=1)` for a count that may be 0.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `same[b, i, j]` = token `i` equals token `j`
# 2. `match` = `same` shifted by one column to the right, False in column 0, and `tril` of this
# 3. `mass` = the sum over keys of `weights * match`, where `match` needs an axis for the heads
# 4. `count` = how many queries have any match
# 5. return the sum of `mass` over queries and sequences, divided by `count` (at least 1)
# </details>

# %% solution prefix-matching-score edition="core"
def prefix_matching_score(weights, tokens):
    """Return how much attention goes to tokens that follow an earlier copy of the query's token.

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


# %% test prefix-matching-score points=5
# Test of 10.1 Which head looks where it should? (5 points). Run the checks cell first.
returns("prefix-matching-score", score="head")
check("prefix-matching-score", "A B A C A, as in the text", prefix_matching_score,
    example_weights(0, 1, 3, 5), torch.tensor([[1, 0, 1, 2, 1]]))
tokens = torch.tensor([[1, 2, 1, 2, 3, 1, 2], [4, 4, 4, 1, 5, 0, 4]])
check("prefix-matching-score", "2 sequences, tokens twice in a row", prefix_matching_score,
    example_weights(3, 2, 2, 7), tokens)
check("prefix-matching-score", "only one query has a match", prefix_matching_score,
    example_weights(6, 1, 2, 4), torch.tensor([[3, 0, 2, 0]]))
check("prefix-matching-score", "no token occurs twice", prefix_matching_score,
    example_weights(5, 2, 4, 3), torch.tensor([[0, 1, 2], [5, 3, 4]]))
lonely = torch.tensor([[0, 1, 2, 3, 4], [3, 0, 3, 3, 1], [2, 4, 0, 2, 4]])
check("prefix-matching-score", "3 sequences, one of them without a match", prefix_matching_score,
    with_future_weights(example_weights(8, 3, 2, 5)), lonely)
check("prefix-matching-score", "2 sequences, 4 heads, weights of 0 and 1", prefix_matching_score,
    hard_weights(example_weights(3, 2, 4, 7)), tokens)
### BEGIN HIDDEN TESTS
for seed, batch, heads, seq, vocab in [(1180, 3, 2, 8, 3), (1181, 2, 4, 6, 2), (1182, 4, 1, 9, 12), (1183, 2, 3, 4, 60), (1184, 3, 2, 45, 32), (1185, 9, 2, 43, 5), (1186, 1, 1, 1, 1), (1187, 1, 1, 2, 1), (1188, 4, 4, 4, 4),
                                       (1189, 1, 1, 120, 7), (1190, 2, 12, 6, 1), (1191, 40, 1, 2, 2), (1193, 1, 3, 5, 2), (1180, 3, 2, 8, 3)]:
    rng = np.random.default_rng(seed)
    tokens = rng.integers(vocab, size=(batch, seq)) if vocab < 60 else rng.permuted(np.tile(np.arange(seq), (batch, 1)), axis=1)
    tokens = 256 * tokens if seed % 4 == 2 else tokens + 50_000 * (seed % 2)
    weights, match = np.tril(rng.random((batch, heads, seq, seq))), np.zeros((batch, seq, seq))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    for j in range(1, seq):
        match[:, j:, j] = tokens[:, j:] == tokens[:, j - 1:j]
    expected = np.einsum("bhij,bij->h", weights, match) / max(1, match.any(axis=-1).sum())
    weights = weights + np.triu(rng.random(weights.shape), 1)  # keys after the query, which don't count
    given = torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)
    check_numbers(prefix_matching_score(*given), expected, "in the scores of larger weights", f"with {batch=}, {heads=}, {seq=}, {vocab=}, ")
    check_unchanged(given, (torch.tensor(weights, dtype=torch.float32), torch.tensor(tokens)))
### END HIDDEN TESTS

# %% [markdown]
# ## The model
#
# The next cells define and train a model that needs this mechanism: two layers of causal attention with two heads each, and nothing else, no norm and no MLP. Each layer **adds** its output to the vectors of the tokens (the *residual stream*), so layer 1 can read what layer 0 has written.
#
# The texts are random blocks of 6 to 16 tokens out of 32, repeated. The first time, nothing in a block can be predicted. After that, nearly everything can. The length of the block changes from text to text, so counting positions does not help.

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


# %% locked attention-only
class AttentionOnly(nn.Module):
    """Layers of attention that add to a residual stream, then an output layer: no norm, no MLP."""

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


# %% locked repeated
def repeated(batch, seq, vocab, low, high, generator):
    """Return random blocks of low to high tokens, each repeated and cut to seq tokens: (batch,
    seq)."""
    period = torch.randint(low, high + 1, (batch, 1), generator=generator)
    block = torch.randint(vocab, (batch, high), generator=generator)
    return block.gather(1, torch.arange(seq) % period)


# %% locked losses
def token_losses(logits, tokens):
    """Return the loss of each prediction, (batch, seq - 1):
    row t of the logits against token t + 1."""
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")


def repeated_loss(model, generator):
    """Return the mean loss on 32 new sequences of 32 tokens."""
    tokens = repeated(32, 32, 32, 6, 16, generator)
    return token_losses(model(tokens)[0], tokens).mean()


# %% locked start-small
def start_small(model, std):
    """Initialize the weights of linear layers and embeddings from a normal distribution,
    biases with 0."""
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    return model


# %% locked train
def train(model, loss_of, steps, peak=1e-2, seed=0):
    """Train, printing the loss eight times. loss_of: a function of the model and a generator.
    Return the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, betas=(0.9, 0.99), weight_decay=0.01)
    generator, losses, began = torch.Generator().manual_seed(seed), [], time.perf_counter()
    for step in range(steps):
        cosine = (1 + math.cos(math.pi * max(step - 50, 0) / (steps - 50))) / 2
        optimizer.param_groups[0]["lr"] = peak * min((step + 1) / 50, 0.1 + 0.9 * cosine)
        optimizer.zero_grad()
        loss = loss_of(model, generator)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if (step + 1) % (steps // 8) == 0:
            left = (time.perf_counter() - began) / (step + 1) * (steps - step - 1)
            print(f"step {step + 1:4} of {steps}: loss {np.mean(losses[-20:]):.3f}, {left:3.0f} s "
                "left", flush=True)
    return losses


# %% [markdown]
# Predict: will the loss fall evenly? A model that knows nothing has a loss of ln 32 = 3.466, in the repetitions as well. (The training takes ten to twenty seconds.)

# %% tags=["demonstration"]
torch.manual_seed(0)
inductive = start_small(AttentionOnly(32, 32, 64, 2), 0.1)
curve = train(inductive, repeated_loss, steps=1200)

# %% alt="Training loss over 1,200 steps. For about 100 steps it hardly leaves the dotted line ln 32 = 3.47, between steps 100 and 200 it drops steeply to below 2, then it falls slowly to about 1.3." tags=["demonstration"]
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(np.convolve(curve, np.ones(10) / 10, mode="valid"))
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="training step", ylabel="loss, nats (mean of 10 steps)", ylim=(0, 4))
ax.legend(loc="lower left")
plt.show()

# %% [markdown]
# For about a hundred steps little happens, then the loss drops. Neither head helps on its own: neither is of much use until the other has learned its part. The loss can't fall to 0, because the first block of each text is random.
#
# Now measure the loss position by position, on texts of 16 random tokens that occur twice.

# %% alt="Loss by position on 16 random tokens that occur twice: in the first block it rises from 3.6 to 4.3, above the dotted line ln 32; at the second block it drops, 2.3 at its first token, and from its third on it stays near 0.1." tags=["demonstration"]
probe = torch.randint(32, (200, 16), generator=torch.Generator().manual_seed(10_000)).repeat(1, 2)
with torch.no_grad():
    logits, seen = inductive(probe)
by_position = token_losses(logits, probe).mean(dim=0)
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.plot(range(1, 32), by_position.numpy(), "o-", markersize=3)
ax.axhline(math.log(32), color="0.4", linestyle=":", label="ln 32")
ax.set(xlabel="position of the predicted token", ylabel="loss, nats", ylim=(0, 5))
ax.legend(loc="lower left")
plt.show()
print(f"first block {by_position[:15].mean():.2f}, second block {by_position[16:].mean():.3f}")


# %% [markdown]
# In the first block the model does worse than guessing: it bets on copies even there, and the further into the block, the more it loses. For the first token of the second block, the loss is already smaller, 2.3 nats. It is not 0: the prediction is made from the last token of the first block, which usually has no earlier copy. Only the position helps: no block has more than 16 tokens, so now the repetition must begin. From the third token of the second block on, the model predicts nearly everything.

# %% [markdown] with=["prefix-matching-score"]
# ## Which head is which?
#
# The next cells score all four heads. The *previous-token score* is the mean weight on the token just before the query. Row 31 is left out, because it never had a target. Predict: which layer has the induction heads?

# %% locked previous-token-scores
def previous_token_scores(weights):
    """Return the mean weight on the token just before the query, (num_heads,), without row 31."""
    return weights[:, :, :31, :31].diagonal(-1, -2, -1).mean(dim=(0, 2))


# %% tags=["demonstration"]
for layer in (0, 1):
    previous = previous_token_scores(seen[layer])
    matching = prefix_matching_score(seen[layer][:, :, :31, :31], probe[:, :31])
    for head in (0, 1):
        print(f"layer {layer}, head {head}: previous token {previous[head]:.2f}, prefix matching "
            f"{matching[head]:.2f}")

# %% alt="Four heatmaps of one text of 16 random tokens that occurs twice, one for each head. A thin line marks where the second block begins. In layer 0, one head has a bright stripe just below the diagonal: it attends to the previous token. The other one spreads its weight over several earlier tokens. Both heads of layer 1 have a bright stripe 15 below the diagonal in the second block, and diffuse weights in the first." tags=["demonstration"]
fig, axes = plt.subplots(2, 2, figsize=(6.4, 6), layout="constrained", sharex=True, sharey=True)
for (layer, head), ax in np.ndenumerate(axes):
    later = np.triu(np.ones((31, 31)), 1) > 0    # keys after their query
    table = np.ma.masked_where(later, seen[layer][0, head, :31, :31].numpy())
    image = ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
    ax.patch.set(hatch="///", edgecolor="0.7")
    ax.axhline(15.5, color="white", linewidth=0.8)
    ax.axvline(15.5, color="white", linewidth=0.8)
    few = [n if n % 5 == 0 else "" for n in range(31)]
    ax.set(xticks=range(31), xticklabels=few, yticks=range(31), yticklabels=few,
        title=f"layer {layer}, head {head}")
    ax.tick_params(length=0)
for ax in axes[1]:
    ax.set_xlabel("key")
for ax in axes[:, 0]:
    ax.set_ylabel("query")
fig.colorbar(image, ax=axes, label="weight", shrink=0.6)
plt.show()


# %% [markdown]
# There are too many squares to write numbers into them. The next cell shows the second half of the heatmap of head 0 in layer 1 as a table. Each row is a query of the second block, each column a key. Point at a cell to see its tokens and its weight. Pick a query: which token does it attend to? Which token is just before that one?

# %% tags=["demonstration"]
def table_with_tooltips(weights, tokens, first):
    """Return an HTML table of weights (queries, keys), from query `first` on: shades,
    with numbers as tooltips."""
    shades = ["·", "░", "▒", "▓", "█"]
    empty = "&nbsp;&nbsp;"    # as wide as two digits
    rows = ["<th></th>" + "".join(f'<th style="padding: '
        f'0">{empty if key % 5 else f"{key:02d}"}</th>'
        for key in range(weights.shape[1]))]
    for query in range(first, len(weights)):
        cells = [f'<th style="padding: 0">{query}</th>']
        for key, weight in enumerate(weights[query].tolist()):
            title = (f"query {query} (token {tokens[query]}), "
                f"key {key} (token {tokens[key]}): weight {weight:.2f}")
            shade = empty if key > query else 2 * shades[min(int(5 * weight), 4)]
            cells.append(f'<td style="padding: 0" title="{title}">{shade}</td>')
        rows.append("".join(cells))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


HTML(table_with_tooltips(seen[1][0, 0, :31, :31], probe[0].tolist(), first=16))


# %% [markdown]
# One head of layer 0 attends to the previous token, everywhere. Both heads of layer 1 attend 15 positions back in the second block: to the token **after** the first copy of the query's token, which is 16 back. In the first block there is little to find, and most of their weight goes to the first tokens. The distance was never given to the model, and in training it changed from text to text.
#
# Why are the scores 0.83 and 0.82, and not higher? Random tokens occur twice within the first block, too, and those queries count. In the second block alone the scores are 0.94 and 0.96.

# %% [markdown]
# ## 10.2 What a head copies
#
# **★ core · <!-- points -->3 points<!-- end --> · about 15 minutes · difficulty ●●●**
#
# Where a head attends is half of the story. What does it do with the tokens that it finds? The *OV circuit* of a head says what the head adds to the logits, for each token that it may attend to. It passes through four matrices: the embedding, the value layer (V), the output layer (O, here `mix`) and the *unembedding*, which turns vectors into logits. Their product is a table of tokens by tokens. For head $h$:
#
# $$C = E\, V_h^\top\, O_h^\top\, U^\top$$
#
# $E$ is `embed` and $U$ is `unembed`, both `(vocab, d_model)`. $V_h$ are the head's **rows** of `v_weight`, `(hidden, d_model)`, and $O_h$ its **columns** of `mix_weight`, `(d_model, hidden)`, as `nn.Linear` stores them; `hidden` is `num_heads · head_size`. $C[a, b]$ says how much the logit of token $b$ rises if the head attends to token $a$ with weight 1. Only this direct path counts: biases, position vectors and all that passes through the other layer are left out.
#
# A head that copies has a large diagonal: attending to $a$ raises the logit of $a$. To get one number, Elhage and others take the eigenvalues $\lambda$ of $C$:
#
# $$\text{copying score} = \frac{\sum \mathrm{Re}\, \lambda}{\sum |\lambda|}$$
#
# It is 1 if all are positive (the head copies), −1 if all are negative (the token that it attends to becomes less likely), and near 0 if they point in all directions.
#
# <details><summary>Hint 1: a question</summary>
#
# `v_weight` has the shape `(hidden, d_model)`. Along which axis are the heads side by side? And in `mix_weight`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `hidden // num_heads` is the size of a head, and `slice(a, b)` or `a:b` selects it. `torch.linalg.eigvals` returns complex numbers: take `.real` or `.abs()` before you sum. The matrix is not symmetric, so `eigvalsh` is wrong here.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `V_h` = the head's rows of `v_weight`, `O_h` = its columns of `mix_weight`
# 2. the circuit = `embed` times the transposes of `V_h`, `O_h` and `unembed`, in the order of the formula
# 3. the score: eigenvalues; the sum of their real parts, divided by the sum of their absolute values
# </details>
#
# <details><summary>I get “mat1 and mat2 shapes cannot be multiplied”</summary>
#
# A head owns rows of `v_weight`, which are selected by its first axis: `v_weight[a:b]`. It owns columns of `mix_weight`, which are selected by its second axis: `mix_weight[:, a:b]`. Both slices are equally long. In the formula, all matrices but `embed` are transposed.
# </details>

# %% solution ov-circuit edition="core"
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    """Return how much attending to each token raises the logit of each token, for one head.

    embed, unembed: (vocab, d_model). v_weight: (hidden, d_model),
    mix_weight: (d_model, hidden).
    Returns (vocab, vocab): row = the token attended to, column = the
    token whose logit rises.
    """
    ### BEGIN SOLUTION
    size = v_weight.shape[0] // num_heads
    own = slice(head * size, (head + 1) * size)
    return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
    ### END SOLUTION


def copying_score(circuit):
    """Return the sum of the eigenvalues' real parts, divided by the sum of
    their absolute values, as a float.

    circuit: (vocab, vocab), not symmetric.
    """
    ### BEGIN SOLUTION
    values = torch.linalg.eigvals(circuit)
    return float(values.real.sum() / values.abs().sum())
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the circuit (2 points).** **Test 2 of 2: the score (1 point).** They are independent of each other.

# %% test ov-circuit points=2
# Test of 10.2 What a head copies, 1 of 2 (2 points). Run the checks cell first.
returns("ov-circuit", circuit="from to")
check("ov-circuit", "6 tokens, head 1 of 5", ov_circuit, *circuit_inputs(1, 6, 10, 15), 1, 5)
check("ov-circuit", "4 tokens, head 2 of 3", ov_circuit, *circuit_inputs(5, 4, 7, 6), 2, 3)
check("ov-circuit", "6 tokens, head 0 of 4, hidden as large as d_model", ov_circuit,
    *circuit_inputs(8, 6, 8, 8), 0, 4)
### BEGIN HIDDEN TESTS
for seed, vocab, d_model, hidden, heads in [(1280, 9, 5, 12, 3), (1281, 6, 7, 8, 2), (1282, 11, 10, 12, 4), (1283, 43, 41, 40, 10), (1284, 1, 1, 1, 1), (1285, 8, 8, 8, 8), (1286, 60, 2, 3, 1), (1287, 2, 1, 12, 12), (1288, 3, 20, 6, 2), (1280, 9, 5, 12, 3)]:
    rng = np.random.default_rng(seed)
    E, U, V, O = (rng.normal(size=shape) / shape[1]**0.5 for shape in [(vocab, d_model), (vocab, d_model), (hidden, d_model), (d_model, hidden)])
    for head in range(heads):
        own = np.arange(hidden) // (hidden // heads) == head
        expected = np.einsum("av,bo,nv,on,n->ab", E, U, V, O, own, optimize=True)
        given = [torch.tensor(one) for one in (E, U, V, O)]
        check_numbers(ov_circuit(*given, head, heads), expected, "in another circuit", f"with {vocab=}, {d_model=}, {hidden=}, {head=}, {heads=}, ")
        check_unchanged(given, [torch.tensor(one) for one in (E, U, V, O)])
### END HIDDEN TESTS

# %% test copying-score points=1
# Test of 10.2 What a head copies, 2 of 2 (1 point). Run the checks cell first.
check_real(copying_score)
returns("ov-circuit", score="")
check("ov-circuit", "the score of a 5 × 5 matrix", copying_score,
    example_tensor(786, 5, 5, dtype=torch.float64))
check("ov-circuit", "the score of a matrix with the eigenvalues 3, 1 and −2", copying_score,
    torch.tensor([[3.0, 5, 1], [0, 1, 4], [0, 0, -2]]))
check("ov-circuit", "the score of a rotation by 90 degrees", copying_score,
    torch.tensor([[0.0, -1], [1, 0]]))
check("ov-circuit", "the score of minus the identity", copying_score, -torch.eye(4))
### BEGIN HIDDEN TESTS
for seed, vocab, size in [(1285, 6, 1), (1286, 9, 1), (1287, 12, 1), (1288, 1, 1), (1289, 2, 1), (1290, 43, 1), (1291, 100, 1), (1292, 6, 1e6), (1293, 6, 1e-6), (1294, 1, -1), (1285, 6, 1)]:
    rng = np.random.default_rng(seed)
    # Of known eigenvalues: real ones, and pairs a ± bi, in a basis of no right angles.
    real, pairs_of = rng.normal(size=vocab - vocab // 3 * 2), rng.normal(size=(vocab // 3, 2))
    blocks, at = np.zeros((vocab, vocab)), len(real)
    blocks[range(at), range(at)] = real
    for a, b in pairs_of:
        blocks[at:at + 2, at:at + 2] = [[a, -b], [b, a]]
        at += 2
    basis = rng.normal(size=(vocab, vocab)) + 2 * np.eye(vocab)
    sizes = math.fsum(abs(real)) + 2 * math.fsum(np.hypot(*pairs_of.T))
    expected = (math.fsum(real) + 2 * math.fsum(pairs_of[:, 0])) / sizes
    given = torch.tensor(size * basis @ blocks @ np.linalg.inv(basis))
    check_numbers(copying_score(given.clone()), expected * np.sign(size), "in the score of another circuit", f"with {vocab=}, ", 1e-6)
### END HIDDEN TESTS

# %% tags=["demonstration"] with=["ov-circuit"]
with torch.no_grad():
    for layer, head in np.ndindex(2, 2):
        attention = inductive.layers[layer]
        circuit = ov_circuit(inductive.token.weight, inductive.unembed.weight, attention.v.weight,
            attention.mix.weight, head, 2)
        print(f"layer {layer}, head {head}: copying score {copying_score(circuit):5.2f}")


# %% [markdown]
# Both induction heads copy: their scores are 1.00 (rounded). A few small eigenvalues are not positive, but nearly the whole sum of $|\lambda|$ comes from eigenvalues on or near the positive real axis. The heads of layer 0 have negative scores: on the direct path, a token that they attend to becomes less likely. What they write for layer 1 is not part of their scores.

# %% [markdown]
# ## 10.3 Cut it out
#
# **★ core · <!-- points -->1 point<!-- end --> · about 5 minutes · difficulty ●○○**
#
# Scores are indications. Whether a head is *needed* shows when it is gone. `ablate_head` returns a **new** weight of the `mix` layer in which the columns of one head are 0: whatever this head finds, nothing of it reaches the residual stream.
#
# <details><summary>Hint 1: a question</summary>
#
# `mix` computes `x @ weight.T`, and the last axis of `x` holds the heads side by side. Which axis of `weight` belongs to them: rows or columns?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `mix_weight.clone()`, and an assignment to `[:, a:b]`.
# </details>

# %% solution ablate-head edition="core"
def ablate_head(mix_weight, head, num_heads):
    """Return the weight of mix with the columns of one head set to 0, as a new tensor.

    mix_weight: (d_model, hidden). Returns (d_model, hidden).
    """
    ### BEGIN SOLUTION
    size = mix_weight.shape[1] // num_heads
    without = mix_weight.clone()
    without[:, head * size:(head + 1) * size] = 0
    return without
    ### END SOLUTION


# %% test ablate-head points=1
# Test of 10.3 Cut it out (1 point). Run the checks cell first.
returns("ablate-head", weight="out in")
check("ablate-head", "10 by 15, head 1 of 5", ablate_head, example_tensor(1, 10, 15), 1, 5)
check("ablate-head", "7 by 12, the last head, 3 of 4", ablate_head, example_tensor(3, 7, 12), 3, 4)
check("ablate-head", "6 by 6, head 0 of 3", ablate_head, example_tensor(4, 6, 6), 0, 3)
check("ablate-head", "5 by 8, head 2 of 4", ablate_head, example_tensor(8, 5, 8), 2, 4)
### BEGIN HIDDEN TESTS
for seed, d_model, hidden, heads in [(1380, 5, 12, 3), (1381, 8, 8, 2), (1382, 7, 10, 5), (1383, 1, 1, 1), (1384, 8, 8, 8), (1385, 41, 48, 12), (1386, 1, 40, 40), (1387, 3, 300, 2), (1388, 4, 6, 3), (1380, 5, 12, 3)]:
    weight = np.random.default_rng(seed).normal(size=(d_model, hidden))
    for head in range(heads):
        kept = [n // (hidden // heads) != head for n in range(hidden)]
        weight = weight * kept if seed == 1388 else weight    # after a head is cut out, it is 0 already
        given = torch.tensor(weight, dtype=torch.float32)
        got = ablate_head(given, head, heads)
        check_numbers(got, weight * kept, "in another weight", f"with {d_model=}, {hidden=}, {head=}, {heads=}, ")
        assert got is not given, "the weight itself was returned: make a new tensor"
        check_unchanged([given], [torch.tensor(weight, dtype=torch.float32)])
### END HIDDEN TESTS

# %% [markdown]
# Predict the loss in the second block, which was 0.08: without the previous-token head, without the other head of layer 0, without one induction head, without both.

# %% tags=["demonstration"]
def second_block(*heads):
    """Return the loss in the second block without these heads (layer, head)."""
    other = copy.deepcopy(inductive)
    with torch.no_grad():
        for layer, head in heads:
            mix = other.layers[layer].mix
            mix.weight.copy_(ablate_head(mix.weight, head, 2))
        return token_losses(other(probe)[0], probe)[:, 16:].mean().item()


writer = int(previous_token_scores(seen[0]).argmax())  # the previous-token head
for name, heads in {"all heads": [], "without the previous-token head": [(0, writer)],
        "without its neighbour in layer 0": [(0, 1 - writer)],
                    "without head 0 of layer 1": [(1, 0)], "without head 1 of layer 1": [(1, 1)],
                    "without both": [(1, 0), (1, 1)]}.items():
    print(f"{name:32}: {second_block(*heads):.2f}")

# %% [markdown]
# Without the previous-token head, the loss in the second block rises from 0.08 to 3.0, near the 3.5 of a model that knows nothing: the induction heads are intact, but find hardly anything. Without the other head of layer 0, it rises only to 0.35. Each of the two induction heads can do part of the other's work: without one of them, the loss is 0.9 or 1.4. Without both it is 3.5, and nothing is left.
#
# What does *needed* mean here? The output of a head is hardly ever zero, so cutting it out also removes what the head adds to all tokens alike. *Mean ablation* keeps this part: it replaces the output of the head by its mean over all tokens. If a head is needed only because of its mean, zero ablation says so wrongly. In this model the two agree: with the mean, the six losses are 0.08, 3.01, 0.35, 0.93, 1.42 and 3.51. And *needed* holds for this task and this model only: another head may take over, as in one of the runs below.
#
# How much of this depends on the seed? We trained with the seeds 0 to 7. Without both induction heads, the loss was always between 3.50 and 3.54. Without the previous-token head, it was between 2.3 and 3.2 in seven of the eight runs. In the eighth, both heads of layer 0 attended to the previous token (with scores of 0.68 and 0.43), and without the first of them the loss was only 1.0. Which head of layer 0 is the previous-token head differs from seed to seed. So choose heads by their scores, never by their numbers.

# %% task why-two-layers [markdown] points=1 edition="core"
# ## 10.4 In your own words: why two layers?
#
# **★ core · <!-- points -->1 point<!-- end --> · about 5 minutes · difficulty ●●○ · read by a person**
#
# We trained the same model with one layer instead of two. Its loss in the second block was 2.2: better than ln 32 = 3.47, but far from 0.08. (Such a model guesses among the tokens 6 to 16 places before the one that it predicts, because a block has 6 to 16 tokens.) Why can't a head in a single layer of attention be an induction head? Two or three sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point:** the query at the second A has to find the position *after* the first A. So the key there must contain which token came **before** it. In the first layer, a key is computed from its own token and its position only, and its own token doesn't say what came before. It takes a head in a layer below to write it there (the previous-token head; K-composition). What one layer can learn is how far back the repeated token may be, 6 to 16 positions, and to guess among these tokens: 2.2 nats.
#
# **Half right (½ point):** "One layer is too small to learn it." or "It needs two steps." Neither says what is missing in the key.
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 10.4** (double-click here, and write in place of this line)

# %% [markdown]
# ## What you have found
#
# You have looked inside a model and found a mechanism: you located its heads by their attention, computed what they copy, and showed by cutting them out that this model needs them here. Real language models have induction heads, too. Olsson and others found them in models of many sizes, and the same sudden drop of the loss when they form.
#
# ### Three questions to think about
#
# 1. The blocks of the training texts had 6 to 16 tokens. What could a model learn instead if a block always had 16 tokens, and how would the scores of its heads differ?
# 2. A head has a prefix matching score of 0.8, and cutting it out doesn't change the loss. How can both be true?
# 3. A text contains "the cat slept". Later, after "the kitten", a model predicts "slept" again. What would have to change in the match between query and key?
#
# <details><summary>Answers</summary>
#
# 1. It could learn to attend 15 positions back, by position alone: no previous-token head is needed, and one layer is enough. On texts with another period it would fail, and so would its prefix matching score there. Changing periods force the model to look at what the tokens are.
# 2. Another head does the same and takes over. (Here this was so in part: without one of the two induction heads, the loss was 0.9 or 1.4 instead of 3.5.) Or the output of the head is not used, or cancels with that of another head. A score says where a head attends, an ablation says whether the model misses it, and neither says what all the others do.
# 3. The key contains the token before it, and the query contains the current token. The match has to be large not only for the same token but also for similar ones, so the query of a token must give a large product with the keys that hold similar tokens, not only the same one. Olsson and others describe heads of this kind.
#
# </details>
#
# ### References
#
# - Nelson Elhage, Neel Nanda, Catherine Olsson and others: *A Mathematical Framework for Transformer Circuits*, 2021. OV circuits, induction heads in two layers, the copying score.
# - Catherine Olsson, Nelson Elhage, Neel Nanda and others: *In-context Learning and Induction Heads*, 2022. The prefix matching score, and the sudden drop of the loss.
