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
# # Your code runs GPT-2
#
# *Attention, Graded · lesson 11 · PyTorch · about <!-- minutes -->98<!-- end --> minutes of exercises<!-- with: logits-with-cache -->, core 66<!-- end --> · <!-- points -->25<!-- end --> points*
#
# In this lesson your own code reads a **published checkpoint**, the weights of GPT-2 (Radford and others, 2019), and runs it: from text to tokens, from tokens to logits, and back to text. PyTorch multiplies the matrices, and everything else is your code. A single wrong transpose or a missing norm, and the model writes nonsense.
#
# The tests use tiny checkpoints in the same format, and nothing is downloaded unless you ask for it in the last section. You need no code from another lesson: the attention layer of lesson 04 is given. Some exercises repeat parts of lessons 09 and 10, and each of these has a folded block *Given*. If you have done that part, paste its code into your cell, and change only what is new.

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
# The tests use small inputs and weights of their own. Grading also tries larger random inputs. A question that is answered in words is read by a person. If you are stuck on an exercise, skip it and come back later: *needs* in the line below a heading names the exercises whose code it uses. <!-- with: logits-with-cache -->Exercises marked **★ core** carry the main idea of the lesson; nothing in them needs those marked **more**.<!-- end --> Cells that draw or print call your functions, so they fail or show wrong results until those work. Reading, and running such cells, takes about an hour in addition to the minutes of the exercises.
#
# </details>

# %% [markdown]
# <details><summary><b>The conventions of this lesson</b></summary>
#
# | what | how it is here |
# |---|---|
# | **Tokens are integers** | a text is a list of token ids; `tokens` for a model is a `LongTensor` `(batch, seq)` |
# | **Row t predicts token t + 1** | `logits` is `(batch, seq, vocab)`: `logits[b, t]` holds the scores of the token *after* token `t` |
# | **Each row of the attention weights sums to 1** | `weights` is `(batch, num_heads, seq, seq)`, row = query, column = key; query `t` sees the keys `0 … t` |
# | **Shapes of our weights** | as in `nn.Linear`, `(out, in)`: a layer computes `x @ weight.T + bias` |
# | **Shapes of published weights** | `(in, out)`: GPT-2's layers compute `x @ weight + bias` |
# | **Heads** | head `h` owns the features `h·head_size … (h+1)·head_size − 1` |
# | **Layers can be trained** | gradients flow through every layer, to all parameters and inputs: no `.detach()`, `.data`, `.item()`, `no_grad` or NumPy there; returned attention weights may be detached |
# | **Everything is counted from 0** | the first token is token 0 and the first head is head 0, in text, code and figures |
# | **Inputs are not changed** | what a function gives back is new: nothing is written into an array or tensor that it was given |
#
# </details>

# %% locked imports
import hashlib
import json
import math
import re
import sys
import tempfile
import time
import unicodedata
import urllib.request
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)  # the tensors here are small: more threads only wait for each other


# %% locked messages cellView="form" jupyter={"source_hidden": true}
# `gradebox release` writes the checks here, from the folder of this lesson in answers/.

# %% [markdown]
# **What you build.** These are two heads of a small model in GPT-2's format, which your code loads and runs in 11.6. Its text is 12 random tokens, twice. Head 1 of layer 0 looks one token back. Head 2 of layer 1 finds, in the second half, the token that followed the last time, so the model can continue a text that it has never seen.

# %% alt="Two heatmaps of 24 queries by 24 keys, later keys hatched: layer 0, head 1 is a stripe just below the diagonal; layer 1, head 2 is even in the first half, and in the second half a stripe 11 places below the diagonal." cellView="form" jupyter={"source_hidden": true} tags=["demonstration"]
# For the picture: run it, no need to read it.
def draw_two_heads():
    previous = [[1.0]] + [[0.0] * (n - 1) + [1.0] for n in range(1, 24)]
    following = [[1 / (n + 1)] * (n + 1) if n < 12 else [0.0] * (n - 11) + [1.0]
        for n in range(24)]
    fig, axes = plt.subplots(1, 2, figsize=(7, 3.4), layout="constrained", sharey=True)
    for ax, title, rows in zip(axes, ["layer 0, head 1", "layer 1, head 2"],
            [previous, following]):
        table = [row + [0.0] * (n - len(row) + 1) + [math.nan] * (23 - n)
            for n, row in enumerate(rows)]
        image = ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
        ax.patch.set(hatch="///", edgecolor="0.7")
        ax.set(xticks=range(0, 24, 6), yticks=range(0, 24, 6), xlabel="key", title=title)
    axes[0].set_ylabel("query")
    fig.colorbar(image, ax=axes, label="weight", shrink=0.8)
    plt.show()


draw_two_heads()


# %% [markdown]
# ## 11.1 One merge
#
# **★ core · <!-- points -->2 points<!-- end --> · about 6 minutes · difficulty ●○○**
#
# A model reads numbers, so a text must become a list of token ids. GPT-2 uses *byte-pair encoding* (Sennrich, Haddow and Birch, 2016): a text begins as single bytes, then frequent pairs of neighbours are merged into one new token, again and again.
#
# `merge_pair` makes one such step: it replaces every occurrence of a pair by a new id. Go from left to right. A token that has been merged is used up: in `[7, 7, 7]`, the pair `(7, 7)` occurs once, at the beginning, and `[9, 7]` is left if the new id is 9. A list may hold thousands of ids.
#
# <details><summary>Hint 1: a question</summary>
#
# How far do you move on after a match, and how far otherwise?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# A `while` loop with an index `i`, because the step is 1 or 2. The list `ids[i:i + 2]` has only one entry at the end of `ids`, and it never equals `list(pair)` there.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. start with an empty list and `i = 0`
# 2. while `i` is inside of `ids`: if the two ids from `i` on are the pair, append `new_id` and add 2 to `i`
# 3. if not, append `ids[i]` and add 1 to `i`
# </details>

# %% solution merge-pair edition="core"
def merge_pair(ids, pair, new_id):
    """Replace each occurrence of two neighbouring ids by a new id, from left to right.

    ids: a list of integers. pair: two integers. Returns a new list of integers.
    """
    ### BEGIN SOLUTION
    merged, i = [], 0
    while i < len(ids):
        if ids[i:i + 2] == list(pair):
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged
    ### END SOLUTION


# %% test merge-pair points=2
# Test of 11.1 One merge (2 points). Run the checks cell first.
returns("merge-pair", ids="place")
check("merge-pair", "(1, 2) twice, becomes 9", merge_pair, [1, 2, 3, 1, 2, 2, 1], (1, 2), 9)
check("merge-pair", "(7, 7) in a row of five and a row of two", merge_pair,
    [7, 7, 7, 7, 7, 4, 7, 7], (7, 7), 30)
check("merge-pair", "(4, 6) at both ends", merge_pair, [4, 6, 6, 4, 4, 6], (4, 6), 8)
check("merge-pair", "(5, 3), but only (3, 5) occurs", merge_pair, [1, 3, 5, 0], (5, 3), 6)
check("merge-pair", "one id", merge_pair, [5], (5, 5), 6)
check("merge-pair", "(1, 2), with 11 and 21 in the list", merge_pair,
    [11, 2, 1, 2, 21, 2, 1, 21, 1, 2], (1, 2), 9)
check("merge-pair", "ids above 300", merge_of_large_ids, *large_ids)
### BEGIN HIDDEN TESTS
for seed, length, high, pair, low in [(1101, 40, 3, (1, 2), 0), (1102, 60, 2, (0, 0), 0), (1103, 31, 2, (1, 1), 700), (1104, 0, 2, (0, 1), 0), (1105, 50, 4, (3, 0), 40_000), (1106, 3000, 3, (1, 2), 0), (1107, 1, 1, (0, 0), 0), (1108, 2, 1, (0, 0), 60_000),
                                           (1109, 3, 1, (0, 0), 0), (1110, 300, 1, (0, 0), 9), (1111, 301, 1, (0, 0), 50_000), (1112, 400, 20, (19, 0), 255), (1113, 5000, 2, (1, 0), 0), (1101, 40, 3, (1, 2), 0)]:
    ids = np.random.default_rng(seed).integers(high, size=length).tolist()
    # The same with text: letters for ids, and the replacement of strings, which goes from left to right, too.
    text = "".join(map(chr, [65 + one for one in ids])).replace(chr(65 + pair[0]) + chr(65 + pair[1]), "z")
    expected, given = [777 if letter == "z" else low + ord(letter) - 65 for letter in text], [low + one for one in ids]
    got = merge_pair(given, (low + pair[0], low + pair[1]), 777)
    check_numbers(got, expected, "in a longer list", f"with {length} ids from {low} on, ", 0)
    assert got is not given, "the list ids itself was returned: make a new list"
    assert given == [low + one for one in ids], "the list ids was changed: make a new list"
### END HIDDEN TESTS

# %% [markdown]
# Where do the merges come from? The inventors of a tokenizer count all pairs of neighbours in a large text, merge the most frequent pair, and repeat. GPT-2's list has 50,000 merges. The next cell does this eight times with a short text, which it does not split into words. A token is shown as its bytes.

# %% tags=["demonstration"]
sentence = b"the cat and the hat, the rat and the bat"
ids, made = list(sentence), {}
name_of = {byte: bytes([byte]) for byte in ids}
for step in range(8):
    pairs = list(zip(ids, ids[1:]))
    best = max(pairs, key=pairs.count)  # the first of the most frequent ones
    ids = merge_pair(ids, best, 256 + step)
    name_of[256 + step] = name_of[best[0]] + name_of[best[1]]
    print(f"{256 + step}: {name_of[best[0]]} + {name_of[best[1]]}, {pairs.count(best)} times, "
        f"leaves {len(ids)} tokens")


# %% [markdown]
# ## 11.2 All merges, by rank
#
# **★ core · <!-- points -->3 points<!-- end --> · about 10 minutes · difficulty ●●○ · needs 11.1**
#
# To encode a new text, the merges are applied in the order in which they were learned (their *rank*), wherever the pairs are in the text. `merges` is a dict: `merges[left, right]` is the id of the merged token. Each merge got the next free id, so **the merge with the smallest id comes first**. Repeat until no pair of neighbours can be merged:
#
# - Of all pairs of neighbours in `ids`, take the one with the smallest id in `merges`.
# - Merge all occurrences of this pair.
#
# An example: the merges are `(2, 3) → 10`, `(1, 2) → 11` and `(1, 10) → 12`. In `[1, 2, 3, 1, 2]`, the pair `(2, 3)` comes first: `[1, 10, 1, 2]`. Then `(1, 2)`: `[1, 10, 11]`. Then `(1, 10)`: `[12, 11]`. A program that goes through the text and merges the first pair that it finds would begin with `(1, 2)`, and never find a 10.
#
# <details><summary>Hint 1: a question</summary>
#
# Which pair comes first in the text, and which one was learned first?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `zip(ids, ids[1:])` goes through the pairs of neighbours. `min(pairs, key=merges.get)` returns the pair with the smallest id. Your `merge_pair`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. repeat at most as often as there are ids: `pairs` = the pairs of neighbours that are keys of `merges`
# 2. if there are none, stop the loop
# 3. `best` = the pair whose id in `merges` is smallest
# 4. `ids` = `ids` after merging `best`
# </details>
#
# <details><summary>I get “'<' not supported between instances of 'NoneType' and 'int'”</summary>
#
# `merges.get` returns `None` for a pair that is not in `merges`. Leave out such pairs before you call `min`.
# </details>

# %% solution apply-merges builds_on=["merge-pair"] edition="core"
def apply_merges(ids, merges):
    """Merge pairs of neighbours, the pair with the smallest new id first, until none is left.

    ids: a list of integers, which is not changed. merges: {(left, right): new id}.
    Returns a list of integers.
    """
    ### BEGIN SOLUTION
    for _ in range(len(ids)):  # enough, because each merge leaves fewer ids
        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
        if not pairs:
            break
        best = min(pairs, key=merges.get)
        ids = merge_pair(ids, best, merges[best])
    return ids
    ### END SOLUTION


# %% test apply-merges points=3
# Test of 11.2 All merges, by rank (3 points). Run the checks cell first.
returns("apply-merges", ids="place")
check("apply-merges", "eleven ids", apply_merges, [4, 4, 4, 4, 2, 3, 3, 1, 2, 3, 3], few_merges)
check("apply-merges", "[1, 2, 3, 1, 2], as in the text", apply_merges, [1, 2, 3, 1, 2], few_merges)
check("apply-merges", "twelve ids", apply_merges, [5, 1, 2, 3, 3, 2, 3, 1, 2, 3, 1, 2], few_merges)
check("apply-merges", "a row of nine equal ids", apply_merges, 9 * [4], few_merges)
check("apply-merges", "nothing can be merged", apply_merges, [3, 2, 1], few_merges)
check("apply-merges", "two ids that are merged", apply_merges, [2, 3], few_merges)
check("apply-merges", "one id", apply_merges, [2], few_merges)
check("apply-merges", "no id", apply_merges, [], few_merges)
check("apply-merges", "[1, 2, 3, 1, 2] again, with other merges", apply_merges, [1, 2, 3, 1, 2],
    other_merges)
check("apply-merges", "40 ids that become one", apply_merges, [*range(300, 340)], long_merges)
### BEGIN HIDDEN TESTS
examples = [([*range(600, 600 + n)], {(999 + n if n else 600, 601 + n): 1000 + n for n in range(n - 1)}) for n in (70, 300)]
for seed, length, base, count in [(1111, 40, 3, 9), (1112, 70, 4, 20), (1113, 25, 2, 6), (1114, 90, 5, 30), (1115, 1000, 6, 300), (1116, 1, 1, 1), (1117, 2, 1, 1), (1118, 0, 2, 3), (1119, 300, 1, 9), (1120, 41, 41, 43), (1121, 500, 2, 1), (1111, 40, 3, 9)]:
    rng = np.random.default_rng(seed)
    merges, new = {}, base
    while len(merges) < count:
        pair = tuple(rng.integers(new, size=2).tolist())
        if pair not in merges:
            merges[pair], new = new, new + 1
    ids = rng.integers(base, size=length).tolist()
    # The same ids, with merges whose new ids are larger.
    examples += [(ids, {tuple(one + add * (one >= base) for one in pair): new + add for pair, new in merges.items()}) for add in (0, 1000, 60_000)]
for ids, merges in examples:
    # The slow way: one merge after the other over the whole list, as text with one letter for each id.
    text = "".join(chr(300 + one) for one in ids)
    for (left, right), merged in merges.items():
        text = text.replace(chr(300 + left) + chr(300 + right), chr(300 + merged))
    given, kept = list(ids), dict([*merges.items()][::-1])    # the rank is the id, not the place in the dict
    check_numbers(apply_merges(given, kept), [ord(letter) - 300 for letter in text], "in a longer list", f"with {len(ids)} ids, {len(merges)} merges, ", 0)
    assert given == ids and kept == merges, "an input was changed: make a new list"
grown = {(1, 2): 10}
for merged, expected in [(11, [10, 3]), (12, [11])]:
    check_numbers(apply_merges([1, 2, 3], grown), expected, "after another merge was added to the same dict", "", 0)
    grown[10, 3] = merged
### END HIDDEN TESTS

# %% [markdown]
# ## GPT-2's own format
#
# GPT-2 has 50,257 tokens: 256 bytes, 50,000 merges, and one token for the end of a text. Two details of its tokenizer are given here. The first is the file of the merges. It is a text file with one merge per line, such as `Ġ t`, and bytes that can't be printed, such as the space and two of the three bytes of `—`, are shown as other characters: a space is `Ġ`. The ids of the single bytes are in the order in which `printable_bytes` below lists them, so the id of a byte is *not* its value: `!` (byte 33) has the id 0.

# %% locked given-tokenizer
def printable_bytes():
    """Return the character that represents each byte in GPT-2's files, {byte: character},
    in the order of the ids."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + n) for n,
        byte in enumerate(others)}


def read_tokenizer(text):
    """Read the text of GPT-2's merges.txt. Returns (vocab, byte_ids, merges).

    vocab: a list, vocab[id] are the bytes of a token. byte_ids: a list, byte_ids[byte] is the id of
    a single byte. merges: {(left, right): new id}.
    """
    characters = printable_bytes()
    byte_of = {character: byte for byte, character in characters.items()}
    id_of = {character: n for n, character in enumerate(byte_of)}
    vocab, merges = [bytes([byte]) for byte in characters], {}
    for line in text.split("\n"):
        if line and not line.startswith("#version"):
            left, right = line.split(" ")
            merges[id_of[left], id_of[right]] = id_of[left + right] = len(vocab)
            vocab.append(bytes(byte_of[character] for character in left + right))
    return [*vocab, b"<|endoftext|>"], [id_of[characters[byte]] for byte in range(256)], merges


# %% [markdown]
# The second detail: merges never cross the borders of a *piece*. A piece is a word, a number or a run of other characters, with one space before it if there is one. English endings such as `'s`, and further white space, are pieces of their own. So ` cat` and ` cat,` share their first token. The regular expression is that of GPT-2, written for Python's own `re`.
#
# <details><summary>How it differs from GPT-2's text of the expression</summary>
#
# GPT-2's version uses `\p{L}` for letters and `\p{N}` for numbers, which the separate package `regex` understands. In `re`, `\w` contains both, and `\d` lacks numbers such as `½`, which are therefore listed.
# </details>

# %% locked given-pieces
other_numbers = "".join(one for one in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(one) in ("Nl", "No"))
piece = re.compile(
    rf"'(?:[sdmt]|ll|ve|re)| ?[^\W\d_{other_numbers}]+| ?[\d{other_numbers}]+| "
    rf"?(?:[^\s\w{other_numbers}]|_)+|\s+(?!\S)|\s+")


def split_into_pieces(text):
    """Return the pieces of a text, in order: joined they are the text."""
    return piece.findall(text)


# %% tags=["demonstration"]
print(split_into_pieces("The cat's 2 hats: naïve, déjà vu!  x = 3½"))


# %% [markdown]
# ## 11.3 Text to tokens and back
#
# **★ core · <!-- points -->3 points<!-- end --> · about 10 minutes · difficulty ●●○ · needs 11.2**
#
# Now the whole tokenizer:
#
# - `encode(text, byte_ids, merges)` splits the text into pieces, turns each piece into its UTF-8 **bytes**, each byte into its id, merges the ids of this piece, and returns the ids of all pieces in one list.
# - `decode(ids, vocab)` returns the text of a list of ids. Every token stands for some bytes: join them all, **then** decode them as UTF-8, once.
#
# The order in `decode` matters. In UTF-8, `é` has two bytes and an emoji has four, and a token may contain only some of them. A model may even write a sequence of bytes that is not valid UTF-8; decode it with `errors="replace"`, which writes `�` there, and raises no error.
#
# <details><summary>Hint 1: a question</summary>
#
# How many bytes has `"é".encode("utf-8")`, and how many characters has `"é"`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `piece.encode("utf-8")` returns bytes, and a loop over bytes gives integers from 0 to 255. `ids.extend(…)`. `b"".join(…)` joins bytes, `.decode("utf-8", errors="replace")` makes a string of them.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `encode`: for each piece of `split_into_pieces(text)`: the ids of its bytes, by `byte_ids`; your `apply_merges`; extend the list of all ids
# 2. `decode`: the bytes `vocab[id]` of all ids, joined; then decoded
# </details>
#
# <details><summary>I get “list index out of range”</summary>
#
# `byte_ids` has 256 entries, one for each byte. `ord("—")` is 8212, the number of a character. Encode the piece to bytes first.
# </details>

# %% solution encode-decode builds_on=["apply-merges"] edition="core"
def encode(text, byte_ids, merges):
    """Return the token ids of a text, as a list.

    byte_ids: byte_ids[byte] is the id of a single byte. merges: {(left, right): new id}.
    """
    ### BEGIN SOLUTION
    ids = []
    for part in split_into_pieces(text):
        ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
    return ids
    ### END SOLUTION


def decode(ids, vocab):
    """Return the text of a list of token ids. Bytes that are not valid UTF-8 become �.

    vocab: vocab[id] are the bytes of a token.
    """
    ### BEGIN SOLUTION
    return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: encode (2 points).** **Test 2 of 2: decode (1 point).** They are independent of each other. The merges are a small file in GPT-2's format. It contains the merge of `n` and `!`, which crosses the border of two pieces and must never be applied.

# %% test encode-decode-encode points=2
# Test of 11.3 Text to tokens and back, 1 of 2 (2 points). Run the checks cell first.
vocab, byte_ids, merges = read_tokenizer(small_merges)
returns("encode-decode", ids="place")
check("encode-decode", "encode: a sentence", encoded_ids, "the cat on the mat, an hour late",
    byte_ids, merges)
check("encode-decode", "encode: é and —, two and three bytes", encoded_ids, "café — née", byte_ids,
    merges)
check("encode-decode", "encode: an emoji, four bytes", encoded_ids, "in! 😀", byte_ids, merges)
check("encode-decode", "encode: spaces and line breaks", encoded_ids, "  the\n\n  the ", byte_ids,
    merges)
check("encode-decode", "encode: an empty text", encoded_ids, "", byte_ids, merges)
check("encode-decode", "encode: a carriage return, and an e with its accent after it", encoded_ids,
    "the\r\n cafe\u0301", byte_ids, merges)
check("encode-decode", "encode: the sentence again, with no merges", encoded_ids,
    "the cat on the mat, an hour late", byte_ids, {})
### BEGIN HIDDEN TESTS
another_file = "#version: 0.2\nt h\nth e\nĠ the\ni n\nĠ Ġ\nĠ n\nÃ ¶\na n\nĠ m\no u\n"
# The second tokenizer has other merges, and all of its ids are larger by 7.
for file, add in [(small_merges, 0), (another_file, 7)]:
    vocab, byte_ids, merges = read_tokenizer(file)
    byte_ids, merges = [one + add for one in byte_ids], {(left + add, right + add): one + add for (left, right), one in merges.items()}
    for text in ["an hour on the mat! then in", "Größe 12½ €, “née”", "the the\tthe\u00a0the  the", "ثلاثة 猫猫 caf\u0065\u0301", "it's the_the n!n! on!", "on\r\nthe\rmat",
                 "\ufeffthe mat\ufeff", "n", " ", "\x00\x7fin\u2028the", 60 * " the man 😀", "the" * 100, "\U0010ffff an", "the the\tthe\u00a0the  the"]:
        # The slow way: in each piece, one merge after the other, as text with the file's characters.
        shown, expected = printable_bytes(), []
        ids_of = {"".join(shown[byte] for byte in token): n + add for n, token in enumerate(vocab)}
        for part in split_into_pieces(text):
            tokens = [shown[byte] for byte in part.encode("utf-8")]
            for left, right in (line.split(" ") for line in file.strip().split("\n")[1:]):
                tokens = " ".join(["", *tokens, ""]).replace(" ", "  ").replace(f" {left}  {right} ", f" {left + right} ").split()
            expected += [ids_of[token] for token in tokens]
        check_numbers(encode(text, byte_ids, merges), expected, "in another text", f"with {len(text)} characters, ", 0)
        # The same merges, the last of which makes another id: nothing that was merged before may come back.
        last = [*merges][-1]
        moved = [999 if one == merges[last] else one for one in expected]
        check_numbers(encode(text, byte_ids, merges | {last: 999}), moved, "in a text with other merges", f"with {len(text)} characters, ", 0)
### END HIDDEN TESTS

# %% test encode-decode-decode points=1
# Test of 11.3 Text to tokens and back, 2 of 2 (1 point). Run the checks cell first.
vocab, byte_ids, merges = read_tokenizer(small_merges)
returns("encode-decode", code_points="character")
check("encode-decode", "decode: four tokens", decoded_characters,
    [*map(vocab.index, [b" the", b" cat", b"at", b"s"])], vocab)
check("encode-decode", "decode: é in two tokens, then 😀 in four", decoded_characters,
    [byte_ids[byte] for byte in "né 😀".encode()], vocab)
check("encode-decode", "decode: the first two bytes of —, then x, then the first one",
    decoded_characters, [byte_ids[byte] for byte in b"a\xe2\x80x\xe2"], vocab)
check("encode-decode", "decode: no id", decoded_characters, [], vocab)
### BEGIN HIDDEN TESTS
for seed, length in [(1131, 30), (1132, 200), (1133, 3), (1135, 1), (1136, 5000), (1134, 40), (1137, 40), (1131, 30)]:
    if seed == 1134:  # another tokenizer
        vocab = [token + b"n" for token in reversed(vocab)]
    vocab = 50_000 * [b" the"] + vocab if seed == 1137 else vocab
    ids = np.random.default_rng(seed).integers(len(vocab), size=length).tolist()
    joined = bytes(byte for one in ids for byte in vocab[one])
    got = decode(list(ids), list(vocab))
    assert isinstance(got, str), f"decode must return a text\nit returned {type(got).__name__}"
    assert got == joined.decode("utf-8", errors="replace"), f"the text of random tokens is another one\nexpected {joined.decode('utf-8', errors='replace')!r}, but got {got!r}"
vocab, byte_ids, merges = read_tokenizer(small_merges)
for text in ["Größe 12½ €, “née”", "ثلاثة 猫猫 😀", "\ufeffthe \ufeff", "a\r\nb\r\x00\x1a", 200 * "é😀", " ", "\U0010ffff\u0301"]:
    got = decode([byte_ids[byte] for byte in text.encode()], vocab)
    assert got == text, f"the text of single bytes is another one\nexpected {text!r}, but got {got!r}"
### END HIDDEN TESTS

# %% [markdown]
# What happens to text that the merges have never seen? Nothing is lost: it stays in single bytes. There is no unknown token. The price is length: the small tokenizer below needs one token for each byte of 猫.

# %% tags=["demonstration"]
vocab, byte_ids, merges = read_tokenizer(small_merges)
for text in ["the cat on the mat", "café", "猫 😀"]:
    ids = encode(text, byte_ids, merges)
    print(f"{text!r}: {len(text)} characters, {len(text.encode())} bytes, {len(ids)} tokens: "
        f"{[vocab[one] for one in ids]}")
    print("    decoded in one piece:", repr(decode(ids, vocab)), " token by token:",
        repr("".join(decode([one], vocab) for one in ids)))


# %% [markdown]
# ## Given: attention
#
# Now the model. Its attention layer is that of lesson 04 with `causal=True`, without padding and dropout. It returns its output and its weights.

# %% locked given-attention
def split_heads(x, num_heads):
    """Return (batch, num_heads, seq, head_size) from (batch, seq, d_model)."""
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


class CausalAttention(nn.Module):
    """Attention of each token to itself and the tokens before it.
    Returns the output and the weights."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q, self.k, self.v, self.mix = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.q, self.k, self.v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [batch, num_heads, seq, seq]
        future = torch.ones_like(scores[0, 0]).triu(1).bool()
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        return self.mix((weights @ v).transpose(1, 2).flatten(2)), weights


# %% [markdown]
# ## 11.4 GPT-2's block
#
# **★ core · <!-- points -->2 points<!-- end --> · about 7 minutes · difficulty ●●○**
#
# A block has two branches. In the first, tokens read from each other; in the second, a small network (*MLP*) works on each token separately. Each branch gets a normalized copy of `x` (*pre-norm*), and its output is **added** to `x`:
#
# $$x \leftarrow x + \mathrm{attn}(\mathrm{norm}_1(x)) \qquad x \leftarrow x + \mathrm{mlp}(\mathrm{norm}_2(x)) \qquad \mathrm{mlp}(x) = \mathrm{down}(\mathrm{GELU}(\mathrm{up}(x)))$$
#
# This is the block of 9.4 with one difference. GPT-2 computes the GELU by an approximation, the *tanh form*:
#
# $$\mathrm{GELU}(h) = \frac{h}{2}\left(1 + \tanh\left(\sqrt{2 / \pi}\,\big(h + 0.044715\, h^3\big)\right)\right)$$
#
# It differs from the exact GELU by less than 0.0005, but the weights were trained with this form.
#
# | part | what it is |
# |---|---|
# | `MLP(d_model, d_hidden)` | `up`: `nn.Linear(d_model, d_hidden)`, `down`: `nn.Linear(d_hidden, d_model)` |
# | `Block(d_model, num_heads)` | `norm1`, `norm2`: `nn.LayerNorm(d_model)`; `attn`: the given `CausalAttention`; `mlp`: your `MLP` with `4 * d_model` hidden features |
#
# `Block.forward` returns two results: the new `x`, and the weights of the attention. There is no dropout here: the model will only be run.
#
# <details><summary><b>Given, if you have done 9.4</b></summary>
#
# This is the block of lesson 09, without dropout. Two things are new: the form of the GELU, and the second result.
#
# ```python
# class MLP(nn.Module):
#     def __init__(self, d_model, d_hidden):
#         super().__init__()
#         self.up = nn.Linear(d_model, d_hidden)
#         self.down = nn.Linear(d_hidden, d_model)
#
#     def forward(self, x):
#         return self.down(F.gelu(self.up(x)))
#
#
# class Block(nn.Module):
#     def __init__(self, d_model, num_heads):
#         super().__init__()
#         self.norm1 = nn.LayerNorm(d_model)
#         self.norm2 = nn.LayerNorm(d_model)
#         self.attn, self.mlp = CausalAttention(d_model, num_heads), MLP(d_model, 4 * d_model)
#
#     def forward(self, x):
#         attended, _ = self.attn(self.norm1(x))
#         x = x + attended
#         return x + self.mlp(self.norm2(x))
# ```
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# Which argument of `F.gelu` selects the tanh form?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `F.gelu(h, approximate="tanh")`, or the formula with `torch.tanh`. `out, weights = self.attn(…)`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `MLP.forward`: `up`, GELU, `down`
# 2. `Block.forward`: `out`, `weights` = attention of `norm1(x)`; the new `x` is `x` plus `out`
# 3. return this `x` plus the MLP of its `norm2`, and `weights`
# </details>
#
# <details><summary>I get “unsupported operand type(s) for +: 'Tensor' and 'tuple'”</summary>
#
# `CausalAttention` returns a pair, its output and its weights. Unpack it before you add.
# </details>

# %% solution block edition="core"
class MLP(nn.Module):
    """Two linear layers, up and down, with GPT-2's GELU between them: (..., d_model) in and out."""

    def __init__(self, d_model, d_hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        h = self.up(x)  # [..., d_hidden]
        return self.down(F.gelu(h, approximate="tanh"))  # [..., d_model]
        ### END SOLUTION


class Block(nn.Module):
    """Pre-norm attention and MLP, each added to x.

    forward(x): x (batch, seq, d_model). Returns the new x, (batch, seq, d_model),
    and the weights of the attention, (batch, num_heads, seq, seq).
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = CausalAttention(d_model, num_heads)
        self.mlp = MLP(d_model, 4 * d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        out, weights = self.attn(self.norm1(x))  # [batch, seq, d_model], [batch, num_heads, seq, seq]
        x = x + out  # [batch, seq, d_model]
        return x + self.mlp(self.norm2(x)), weights  # [batch, seq, d_model], [batch, num_heads, seq, seq]
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the MLP and its GELU (1 point).** **Test 2 of 2: the block (1 point).**

# %% test block-mlp points=1
# Test of 11.4 GPT-2's block, 1 of 2 (1 point). Run the checks cell first.
returns("block", output="sequence token feature")
check("block", "MLP: 2 sequences, 3 tokens, 4 features, 7 hidden", apply_mlp,
    example_tensor(3, 2, 3, 4), mlp_state(1, 4, 7), 7)
check("block", "MLP: large numbers", apply_mlp, 20 * example_tensor(3, 2, 3, 4), mlp_state(1, 4, 7),
    7)
check("block", "MLP: numbers near 2.7, where the forms of the GELU differ most", apply_mlp,
    2.7 + example_tensor(5, 1, 4, 3) / 4, identity_mlp(3), 3)
check_gradients("block", "gradients of the MLP", new_mlp(4, 7),
    ["up.weight", "up.bias", "down.weight", "down.bias"], x=example_tensor(3, 2, 3, 4))
### BEGIN HIDDEN TESTS
for seed, d_model, d_hidden, shape, size in [(1141, 5, 9, (3, 2, 5), 1), (1142, 6, 4, (2, 4, 6), 1), (1143, 20, 43, (9, 41, 20), 1), (1144, 1, 1, (1, 1, 1), 1), (1145, 4, 4, (4, 4, 4), 1), (1146, 3, 300, (2, 1, 3), 1), (1147, 5, 6, (5,), 1),
                                              (1148, 5, 6, (2, 5), 1), (1149, 3, 2, (2, 2, 3, 3), 1), (1150, 5, 9, (3, 2, 5), 1e3), (1151, 5, 9, (3, 2, 5), 1e-3), (1152, 5, 9, (3, 2, 5), 0), (1141, 5, 9, (3, 2, 5), 1)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(mlp_shapes(d_model, d_hidden), lambda n, *shape: random_tensor(rng, *shape)), size * random_tensor(rng, *shape)
    w, given = {name: as_array(value) for name, value in state.items()}, x.clone()
    h = as_array(x) @ w["up.weight"].T + w["up.bias"]
    h = h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2
    most = max(1, size)
    check_numbers(as_array(apply_mlp(given, state, d_hidden)) / most, (h @ w["down.weight"].T + w["down.bias"]) / most, "in the output of a larger MLP", f"with {d_model=}, {d_hidden=}, x {in_words(shape)}, ", 2e-5)
    check_unchanged([given], [x])
    if seed > 1142 and len(shape) == 3:
        continue
    check_gradients("block", "gradients of a larger MLP in eval mode", module_with_weights(state, MLP(d_model, d_hidden)).eval(), state, x=x, right=lambda w, x:
                    F.linear(F.gelu(F.linear(x, w["up.weight"], w["up.bias"]), approximate="tanh"), w["down.weight"], w["down.bias"]))
### END HIDDEN TESTS

# %% test block points=1
# Test of 11.4 GPT-2's block, 2 of 2 (1 point). Run the checks cell first.
returns("block", output="sequence token feature", weights="sequence head query key")
check("block", "2 sequences, 3 tokens, 6 features, 2 heads", apply_block,
    example_tensor(0, 2, 3, 6), block_state(1, 6), 2)
check("block", "3 sequences, 5 tokens, 4 features, 1 head", apply_block, example_tensor(4, 3, 5, 4),
    block_state(6, 4), 1)
check("block", "large numbers", apply_block, 20 * example_tensor(2, 2, 4, 6), block_state(3, 6), 3)
check("block", "small numbers, so that the eps of the norms counts", apply_block,
    0.003 * example_tensor(2, 2, 4, 6), block_state(3, 6), 3)
check_gradients("block", "gradients", new_block(6, 2), learning_names(6),
    x=example_tensor(0, 2, 3, 6))
### BEGIN HIDDEN TESTS
def slow_block(x, w, heads):
    """A block for one sequence x (seq, d), w by names: the output and the weights (heads, seq,
    seq)."""
    norm = lambda x, n: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[f"norm{n}.weight"] + w[f"norm{n}.bias"]
    q, k, v = (norm(x, 1) @ w[f"attn.{one}.weight"].T + w[f"attn.{one}.bias"] for one in "qkv")
    size, mixed, weights = x.shape[1] // heads, np.zeros(x.shape), np.zeros((heads, len(x), len(x)))
    for h, t in np.ndindex(heads, len(x)):
        own = slice(h * size, (h + 1) * size)
        dots = k[:t + 1, own] @ q[t, own] / size**0.5
        weights[h, t, :t + 1] = np.exp(dots - max(dots)) / sum(np.exp(dots - max(dots)))
        mixed[t, own] = weights[h, t] @ v[:, own]
    x = x + mixed @ w["attn.mix.weight"].T + w["attn.mix.bias"]
    h = norm(x, 2) @ w["mlp.up.weight"].T + w["mlp.up.bias"]
    h = h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2
    return x + h @ w["mlp.down.weight"].T + w["mlp.down.bias"], weights


for seed, d_model, heads, batch, seq in [(1145, 6, 2, 3, 5), (1146, 12, 3, 2, 4), (1147, 10, 5, 2, 6), (1148, 24, 8, 9, 3), (1149, 1, 1, 1, 1), (1150, 4, 4, 4, 4), (1151, 2, 1, 1, 43), (1152, 3, 3, 2, 1), (1145, 6, 2, 3, 5)]:
    rng = np.random.default_rng(seed)
    state, x = fill_state(block_shapes(d_model), lambda n, *shape: random_tensor(rng, *shape)), random_tensor(rng, batch, seq, d_model)
    kept, given = {name: as_array(value) for name, value in state.items()}, x.clone()
    output, weights = apply_block(given, state, heads)
    expected = [slow_block(one, kept, heads) for one in as_array(x)]
    sizes = f"with {d_model=}, {heads=}, {batch=}, {seq=}, "
    check_numbers(output, [one for one, _ in expected], "in the output of another block", sizes, 1e-4)
    check_numbers(weights, [one for _, one in expected], "in the weights of another block", sizes, 1e-4)
    check_unchanged([given], [x])
    block = module_with_weights(state, Block(d_model, heads))
    block(2 * x[:1, :1] + 1)    # another call, which must not count
    in_eval_mode = result_parts(block.eval()(x.clone()), 2, "x, weights")
    check_numbers(in_eval_mode[0], output, "in the output in eval mode, after another call", sizes, 1e-4)
    check_numbers(in_eval_mode[1], weights, "in the weights in eval mode, after another call", sizes, 1e-4)
    if seed > 1147 or len(x) * seq > 15:
        continue
    check_gradients("block", "gradients of another block in eval mode", module_with_weights(state, Block(d_model, heads)).eval(), {name: state[name] for name in learning_names(d_model)},
                    x=x, right=lambda w, x: np.stack([slow_block(one, kept | {name: as_array(value) for name, value in w.items()}, heads)[0] for one in as_array(x)]))
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "d_hidden": 7}, MLP(8, 7),
    torch.randn(2, 3, 8)),
              ({"batch": 4, "seq": 5, "d_model": 6, "d_hidden": 9}, MLP(6, 9),
              torch.randn(4, 5, 6)))
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "num_heads": 4}, Block(8, 4),
    torch.randn(2, 3, 8)),
              ({"batch": 4, "seq": 5, "d_model": 6, "num_heads": 2}, Block(6, 2),
              torch.randn(4, 5, 6)))


# %% [markdown]
# ## 11.5 The model
#
# **★ core · <!-- points -->2 points<!-- end --> · about 6 minutes · difficulty ●●○ · needs 11.4**
#
# This is the model of 9.5 with another block. GPT-2 learns a vector for each **position**, as for each token, and adds both. After the last block comes one more norm, and the logits are dot products with the **same token vectors** as at the beginning (*tied* weights):
#
# $$x = \mathrm{token}[\mathrm{tokens}] + \mathrm{position}[0, 1, \dots] \qquad \mathrm{logits} = \mathrm{norm}(\mathrm{blocks}(x))\; \mathrm{token.weight}^\top$$
#
# | part | what it is | in GPT-2 small |
# |---|---|---|
# | `token` | `nn.Embedding(vocab, d_model)` | 50,257 × 768 |
# | `position` | `nn.Embedding(context, d_model)` | 1,024 × 768 |
# | `blocks` | a list of `num_layers` of your blocks | 12 blocks of 12 heads |
# | `norm` | `nn.LayerNorm(d_model)` | 768 |
#
# `forward` returns the logits, and a list with the attention weights of each block. Use the names of the table, and add nothing else that appears in `state_dict()`: there is no separate output layer.
#
# <details><summary><b>Given, if you have done 9.5</b></summary>
#
# This is the model of lesson 09, without the check of the length. What is new: your block returns two results, and the model returns a list of the weights.
#
# ```python
# class GPT2(nn.Module):
#     def __init__(self, vocab, context, d_model, num_heads, num_layers):
#         super().__init__()
#         self.token = nn.Embedding(vocab, d_model)
#         self.position = nn.Embedding(context, d_model)
#         blocks = [Block(d_model, num_heads) for _ in range(num_layers)]
#         self.blocks, self.norm = nn.ModuleList(blocks), nn.LayerNorm(d_model)
#
#     def forward(self, tokens):
#         places = torch.arange(tokens.shape[1])
#         x = self.token(tokens) + self.position(places)
#         for one in self.blocks:
#             x = one(x)
#         return self.norm(x) @ self.token.weight.T
# ```
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# In which kind of list does PyTorch find the blocks, so that their parameters are in `state_dict()`?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `nn.ModuleList([...])`, `torch.arange(seq)`, `self.token.weight.T`, `@`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. `x` = the token vectors plus the position vectors of `arange(seq)`
# 2. for each block: `x`, `weights` = the block of `x`; append `weights` to a list
# 3. return the final norm of `x` times the transpose of the token matrix, and the list
# </details>

# %% solution gpt2 builds_on=["block"] edition="core"
class GPT2(nn.Module):
    """GPT-2: token and position vectors, blocks, a norm, and logits by the tied token matrix.

    forward(tokens): (batch, seq), seq at most context.
    Returns the logits, (batch, seq, vocab), and a list of the attention
    weights of each block, (batch, num_heads, seq, seq).
    """

    def __init__(self, vocab, context, d_model, num_heads, num_layers):
        super().__init__()
        ### BEGIN SOLUTION
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads) for _ in range(num_layers)])
        self.norm = nn.LayerNorm(d_model)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        x = self.token(tokens) + self.position(torch.arange(tokens.shape[1]))  # [batch, seq, d_model]
        patterns = []
        for block in self.blocks:
            x, weights = block(x)  # [batch, seq, d_model], [batch, num_heads, seq, seq]
            patterns.append(weights)
        logits = self.norm(x) @ self.token.weight.T  # [batch, seq, vocab]
        return logits, patterns
        ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: logits and weights (1 point).** **Test 2 of 2: tied weights and gradients (1 point).** In test 2, the vector of a token that does not occur in the text is changed: only this token's own logit may change. Grading also compares the logits before and after, so this test needs the blocks. In its last check, the final norm has the weight 0, so the token matrix can get a gradient only from the last product.

# %% test gpt2 points=1
# Test of 11.5 The model, 1 of 2 (1 point). Run the checks cell first.
returns("gpt2", logits="sequence position token", weights="layer sequence head query key")
check("gpt2", "2 sequences, 3 of 8 positions, 7 tokens, 3 blocks", apply_model,
    example_tokens(1, 2, 3, 7), model_state(0, 7, 8, 6, 3), 7, 8, 6, 2, 3)
check("gpt2", "a full context, one block of one head", apply_model, example_tokens(3, 3, 4, 5),
    model_state(4, 5, 4, 4, 1), 5, 4, 4, 1, 1)
check("gpt2", "small vectors, so that the eps of the final norm counts", apply_model,
    example_tokens(1, 2, 3, 7), small_state(0, 7, 5, 6, 1), 7, 5, 6, 2, 1)
check("gpt2", "one token", apply_model, example_tokens(2, 3, 1, 7), model_state(0, 7, 5, 6, 2), 7,
    5, 6, 2, 2)
### BEGIN HIDDEN TESTS
def slow_model(tokens, w, heads, layers):
    """Logits and weights (layers, heads, seq, seq) of one sequence, w by names, as arrays."""
    weights = np.zeros((layers, heads, len(tokens), len(tokens)))
    norm = lambda x, name: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".weight"] + w[name + ".bias"]
    x = w["token.weight"][tokens] + w["position.weight"][:len(tokens)]
    for at in (f"blocks.{n}." for n in range(layers)):
        q, k, v = (norm(x, at + "norm1") @ w[f"{at}attn.{one}.weight"].T + w[f"{at}attn.{one}.bias"] for one in "qkv")
        size, mixed = x.shape[1] // heads, np.zeros(x.shape)
        for h, t in np.ndindex(heads, len(x)):
            own = slice(h * size, (h + 1) * size)
            grown = np.exp(k[:t + 1, own] @ q[t, own] / size**0.5)
            mixed[t, own] = grown @ v[:t + 1, own] / grown.sum()
            weights[int(at.split(".")[1]), h, t, :t + 1] = grown / grown.sum()
        x = x + mixed @ w[at + "attn.mix.weight"].T + w[at + "attn.mix.bias"]
        h = norm(x, at + "norm2") @ w[at + "mlp.up.weight"].T + w[at + "mlp.up.bias"]
        h = h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2
        x = x + h @ w[at + "mlp.down.weight"].T + w[at + "mlp.down.bias"]
    return norm(x, "norm") @ w["token.weight"].T, weights


for seed, sizes, shape in [(1151, (11, 9, 6, 2, 2), (3, 5)), (1152, (7, 5, 12, 3, 3), (2, 5)), (1153, (5, 8, 4, 1, 1), (4, 3)), (1154, (43, 44, 24, 8, 4), (9, 3)), (1155, (2, 1, 1, 1, 1), (1, 1)), (1156, (4, 4, 4, 4, 4), (4, 4)),
                           (1157, (50_257, 3, 2, 1, 1), (2, 3)), (1158, (3, 60, 2, 1, 2), (1, 60)), (1159, (1, 2, 4, 2, 14), (1, 2))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(model_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: as_array(value) for name, value in state.items()}, torch.tensor(rng.integers(vocab, size=shape))
    given, expected = tokens.clone(), [slow_model(row, kept, heads, layers) for row in tokens.numpy()]
    logits, weights = apply_model(given, state, *sizes)
    check_numbers(logits, [one for one, _ in expected], "in the logits of another model", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    check_numbers(weights, np.stack([one for _, one in expected], axis=1), "in the weights of another model", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    check_unchanged([given], [tokens])
    model = module_with_weights(state, GPT2(*sizes))
    model(tokens[:1, :1].clone())    # another call, which must not count
    in_eval_mode = result_parts(model.eval()(tokens.clone()), 2, "logits, patterns")
    check_numbers(in_eval_mode[0], logits, "in the logits in eval mode, after another call", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    assert len(in_eval_mode[1]) == layers, f"in the second call of a model, patterns does not have {layers} entries\nbut {len(in_eval_mode[1])}"
    check_numbers(np.stack([as_array(one) for one in in_eval_mode[1]]), weights, "in the weights in eval mode, after another call", f"with {layers=}, {heads=}, tokens {in_words(shape)}, ", 2e-4)
### END HIDDEN TESTS

# %% test gpt2-tied points=1
# Test of 11.5 The model, 2 of 2 (1 point). Run the checks cell first.
returns("gpt2", change="sequence position token")
check("gpt2", "a change of the vector of a token that does not occur changes only its own logit",
    logit_changes, torch.tensor([[0, 2, 3], [4, 1, 0]]), 5, 7, 5, 6, 2, 2)
check_gradients("gpt2", "gradients", new_model(7, 5, 6, 2, 2), learning_names(6, 7, 5, 2),
    tokens=example_tokens(1, 2, 4, 7))
check_gradients("gpt2", "gradient of the tied matrix at the beginning",
    model_of_constant_vectors(7, 5, 4, 2, 2), ["token.weight"], tokens=torch.tensor([[0, 1, 2]]))
check_gradients("gpt2", "gradient of the tied matrix at the end",
    model_without_last_norm(7, 5, 6, 2, 2), ["token.weight"], tokens=example_tokens(1, 2, 4, 7))
### BEGIN HIDDEN TESTS
def given_logits(tokens, state, heads, layers):
    """Logits of a model that is made of the given attention and functions of PyTorch."""
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], state[name + ".weight"], state[name + ".bias"])
    linear = lambda x, name: F.linear(x, state[name + ".weight"], state[name + ".bias"])
    x = state["token.weight"][tokens] + state["position.weight"][:tokens.shape[1]]
    for at in (f"blocks.{n}." for n in range(layers)):
        attention = CausalAttention(x.shape[-1], heads)
        attention.load_state_dict({name.removeprefix(at + "attn."): value for name, value in state.items() if name.startswith(at + "attn.")})
        x = x + attention(norm(x, at + "norm1"))[0].detach()
        x = x + linear(F.gelu(linear(norm(x, at + "norm2"), at + "mlp.up"), approximate="tanh"), at + "mlp.down")
    return norm(x, "norm") @ state["token.weight"].T


for seed, sizes, shape in [(1155, (11, 9, 6, 2, 2), (3, 5)), (1156, (7, 5, 12, 3, 1), (2, 4))]:
    rng = np.random.default_rng(seed)
    vocab, context, d_model, heads, layers = sizes
    state = fill_state(model_shapes(vocab, context, d_model, layers), lambda n, *shape: random_tensor(rng, *shape))
    tokens = torch.tensor(rng.integers(vocab - 1, size=shape))
    # The last token does not occur: its vector counts only at the end.
    for change in (0.0, 1.5):
        state["token.weight"] = state["token.weight"] + change * (torch.arange(vocab) == vocab - 1)[:, None]
        expected = given_logits(tokens, state, heads, layers)
        check_numbers(apply_model(tokens.clone(), state, *sizes)[0], expected, "in the logits, before or after a change of the vector of a token that does not occur",
                      f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, tokens {in_words(shape)}, ", 2e-4)
    learning = {name: state[name] for name in learning_names(d_model, vocab, context, layers)}
    check_gradients("gpt2", "gradients of another model in eval mode", module_with_weights(state, GPT2(*sizes)).eval(), learning, tokens=tokens,
                    right=lambda w, tokens: given_logits(tokens, state | w, heads, layers))
### END HIDDEN TESTS

# %% tags=["demonstration"]
follow_shapes(({"batch": 2, "seq": 3, "d_model": 8, "num_heads": 4, "vocab": 11},
    GPT2(11, 5, 8, 4, 2), torch.randint(11, (2, 3))),
              ({"batch": 4, "seq": 5, "d_model": 6, "num_heads": 2, "vocab": 13},
              GPT2(13, 7, 6, 2, 1), torch.randint(13, (4, 5))))

# %% [markdown]
# ## 11.6 Published weights
#
# **★ core · <!-- points -->5 points<!-- end --> · about 23 minutes · difficulty ●●● · needs 11.5**
#
# A checkpoint is a dict of names and tensors. In GPT-2's published file they are called as in the table, where `d` is `d_model`. Write `load_gpt2(checkpoint, num_heads)`, which returns a `GPT2` with these weights.
#
# | published name | shape | yours |
# |---|---|---|
# | `wte.weight`, `wpe.weight` | `(vocab, d)`, `(context, d)` | `token.weight`, `position.weight` |
# | `h.0.ln_1.weight`, `h.0.ln_1.bias` | `(d,)` | `blocks.0.norm1.weight`, `blocks.0.norm1.bias` |
# | `h.0.attn.c_attn.weight`, `.bias` | `(d, 3·d)`, `(3·d,)` | `blocks.0.attn.q`, `.k` and `.v`, in this order side by side |
# | `h.0.attn.c_proj.weight`, `.bias` | `(d, d)`, `(d,)` | `blocks.0.attn.mix` |
# | `h.0.attn.bias` | `(1, 1, context, context)` | nothing: a causal mask, which our layer computes |
# | `h.0.ln_2.weight`, `.bias` | `(d,)` | `blocks.0.norm2` |
# | `h.0.mlp.c_fc.weight`, `.bias` | `(d, 4·d)`, `(4·d,)` | `blocks.0.mlp.up` |
# | `h.0.mlp.c_proj.weight`, `.bias` | `(4·d, d)`, `(d,)` | `blocks.0.mlp.down` |
# | `ln_f.weight`, `ln_f.bias` | `(d,)` | `norm.weight`, `norm.bias` |
#
# Three things to see:
#
# - **Transposed.** GPT-2's layers, which are called `Conv1D`, compute `x @ weight + bias`, and `nn.Linear` computes `x @ weight.T + bias`. So the weights of these layers have to be transposed: `c_attn`, `c_fc` and both called `c_proj`. If you forget it, PyTorch reports a wrong shape only where the two sizes differ.
# - **Fused.** One layer, `c_attn`, computes queries, keys and values.
# - **Not in the file.** The sizes can be read from the shapes, but not the number of heads. And there is no output matrix: it is the token matrix.
#
# The number of blocks is the number of different `h.…` in the names. GPT-2 small has twelve, so a number may have two digits. The dict `names_in_block` below holds the names of the table that differ only by their words, so you need not type them. The checkpoint must not be changed.
#
# <details><summary>Hint 1: a question</summary>
#
# The columns of `c_attn.weight` are those of q, k and v, side by side. Along which axis do you split it, before the transpose and after it?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `name.split(".")[1]` is the number of the layer, as a string. `weight.T`, `tensor.chunk(3, dim=-1)`, `zip("qkv", …)`. `tensor.t()` transposes a matrix, and returns a tensor with one axis as it is. `load_state_dict` copies the weights and complains about missing names, wrong names and wrong shapes.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. read `vocab` and `d_model` from the shape of `wte.weight`, `context` from that of `wpe.weight`; count the layers
# 2. make a `GPT2` of these sizes, and a dict for its weights
# 3. enter token, position and the final norm
# 4. for each layer: the three chunks of `c_attn`; the five parts in `names_in_block`; the weights of linear layers transposed, all else as it is
# 5. `load_state_dict`, and return the model
# </details>
#
# <details><summary>I get “size mismatch for …”</summary>
#
# The weight has to be transposed, or it was split along the wrong axis. Published: `(in, out)`, ours: `(out, in)`.
# </details>

# %% locked given-names
# The parts of a block: the published name, then ours.
names_in_block = {"ln_1": "norm1", "attn.c_proj": "attn.mix", "ln_2": "norm2", "mlp.c_fc": "mlp.up",
    "mlp.c_proj": "mlp.down"}


# %% solution load-gpt2 builds_on=["gpt2"] edition="core"
def load_gpt2(checkpoint, num_heads):
    """Return a GPT2 with the weights of a checkpoint in GPT-2's published format.

    checkpoint: a dict of names and tensors, as in the table. It is not changed.
    """
    ### BEGIN SOLUTION
    vocab, d_model = checkpoint["wte.weight"].shape
    num_layers = 1 + max(int(name.split(".")[1]) for name in checkpoint if name.startswith("h."))
    model = GPT2(vocab, len(checkpoint["wpe.weight"]), d_model, num_heads, num_layers)
    state = {"token.weight": checkpoint["wte.weight"], "position.weight": checkpoint["wpe.weight"]}
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = checkpoint[f"ln_f.{kind}"]
        for n in range(num_layers):
            ours, theirs = f"blocks.{n}", f"h.{n}"
            for letter, part in zip("qkv", checkpoint[f"{theirs}.attn.c_attn.{kind}"].chunk(3, dim=-1)):
                state[f"{ours}.attn.{letter}.{kind}"] = part.t()  # of one axis, t() changes nothing
            for source, to in names_in_block.items():
                state[f"{ours}.{to}.{kind}"] = checkpoint[f"{theirs}.{source}.{kind}"].t()
    model.load_state_dict(state)
    return model
    ### END SOLUTION


# %% [markdown]
# **Test 1 of 2: the weights (2 points).** The first call compares the weights of block 1, by name, and the second those outside of the blocks. **Test 2 of 2: the logits (3 points).** The last model has eleven blocks.

# %% test load-gpt2 points=2
# Test of 11.6 Published weights, 1 of 2 (2 points). Run the checks cell first.
returns("load-gpt2", **{name.replace(".", "_"): "row column" if name.endswith("weight")
    and "norm" not in name else "row" for name in block_shapes(6)})
check("load-gpt2", "block 1 of 3, 6 features", loaded_block, published_checkpoint(1, 7, 5, 6, 3), 2,
    1)
returns("load-gpt2", token_weight="row column", position_weight="row column", norm_weight="row",
    norm_bias="row")
check("load-gpt2", "the weights outside of the blocks", loaded_frame,
    published_checkpoint(2, 8, 3, 4, 2), 2)
### BEGIN HIDDEN TESTS
for seed, vocab, context, d_model, heads, layers in [(1161, 9, 7, 6, 3, 2), (1162, 5, 11, 8, 2, 1), (1163, 4, 4, 4, 4, 4), (1164, 1, 1, 1, 1, 1), (1165, 43, 300, 24, 8, 3), (1166, 50_257, 2, 2, 1, 1)]:
    rng = np.random.default_rng(seed)
    checkpoint = {name: random_tensor(rng, *value.shape) for name, value in published_checkpoint(0, vocab, context, d_model, layers).items()}
    checkpoint = dict([*checkpoint.items()][::-1]) if layers > 2 else checkpoint    # in another order
    kept = {name: as_array(value) for name, value in checkpoint.items()}
    for n in range(layers):
        got, at = loaded_block(checkpoint, heads, n), f"h.{n}."
        for place, letter in enumerate("qkv"):
            own = slice(place * d_model, (place + 1) * d_model)
            kept[f"{at}{letter}.weight"], kept[f"{at}{letter}.bias"] = kept[at + "attn.c_attn.weight"][:, own], kept[at + "attn.c_attn.bias"][own]
        for ours, theirs in [("attn.q", "q"), ("attn.k", "k"), ("attn.v", "v"), ("attn.mix", "attn.c_proj"), ("mlp.up", "mlp.c_fc"), ("mlp.down", "mlp.c_proj")]:
            check_numbers(got[f"{ours}.weight".replace(".", "_")], kept[f"{at}{theirs}.weight"].T, f"in the weight of {ours}", f"in block {n} of {layers}, {d_model=}, ", 0)
            check_numbers(got[f"{ours}.bias".replace(".", "_")], kept[f"{at}{theirs}.bias"], f"in the bias of {ours}", f"in block {n} of {layers}, {d_model=}, ", 0)
        for norm in (1, 2):
            for kind in ("weight", "bias"):
                check_numbers(got[f"norm{norm}_{kind}"], kept[f"{at}ln_{norm}.{kind}"], f"in the {kind} of norm{norm}", f"in block {n}, ", 0)
    got = loaded_frame(checkpoint, heads)
    for ours, theirs in [("token_weight", "wte.weight"), ("position_weight", "wpe.weight"), ("norm_weight", "ln_f.weight"), ("norm_bias", "ln_f.bias")]:
        check_numbers(got[ours], kept[theirs], f"in {ours}", f"with {vocab=}, {context=}, {d_model=}, ", 0)
### END HIDDEN TESTS

# %% test load-gpt2-logits points=3
# Test of 11.6 Published weights, 2 of 2 (3 points). Run the checks cell first.
returns("load-gpt2", logits="sequence position token")
check("load-gpt2", "logits of 2 blocks with 3 heads", loaded_logits,
    published_checkpoint(3, 7, 5, 6, 2), 3, example_tokens(1, 2, 4, 7))
check("load-gpt2", "logits of 1 block with 2 heads", loaded_logits,
    published_checkpoint(5, 5, 4, 8, 1), 2, example_tokens(2, 3, 3, 5))
check("load-gpt2", "logits of 1 block with 64 features and 4 heads", loaded_logits,
    published_checkpoint(6, 5, 3, 64, 1), 4, example_tokens(3, 2, 3, 5))
check("load-gpt2", "logits of 11 blocks", loaded_logits, published_checkpoint(4, 6, 3, 4, 11), 2,
    example_tokens(4, 2, 3, 6))
### BEGIN HIDDEN TESTS
def slow_gpt2(tokens, w, heads, layers):
    """Logits of one sequence, w in the published format, as arrays."""
    norm = lambda x, name: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".weight"] + w[name + ".bias"]
    layer = lambda x, name: x @ w[name + ".weight"] + w[name + ".bias"]
    x = w["wte.weight"][tokens] + w["wpe.weight"][:len(tokens)]
    for at in (f"h.{n}." for n in range(layers)):
        q, k, v = np.split(layer(norm(x, at + "ln_1"), at + "attn.c_attn"), 3, axis=1)
        size, mixed = x.shape[1] // heads, np.zeros(x.shape)
        for h, t in np.ndindex(heads, len(x)):
            own = slice(h * size, (h + 1) * size)
            dots = k[:t + 1, own] @ q[t, own] / size**0.5
            grown = np.exp(dots - max(dots))
            mixed[t, own] = grown @ v[:t + 1, own] / grown.sum()
        x = x + layer(mixed, at + "attn.c_proj")
        h = layer(norm(x, at + "ln_2"), at + "mlp.c_fc")
        x = x + layer(h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2, at + "mlp.c_proj")
    return norm(x, "ln_f") @ w["wte.weight"].T


for seed, vocab, context, d_model, heads, layers, shape in [(1165, 9, 7, 6, 3, 2, (2, 6)), (1166, 5, 11, 8, 2, 1, (3, 9)), (1167, 6, 4, 4, 2, 30, (1, 4)), (1168, 5, 4, 192, 2, 1, (2, 4)), (1169, 43, 44, 24, 8, 2, (9, 41)), (1170, 3, 2, 2, 1, 102, (1, 2)), (1171, 2, 1, 1, 1, 1, (1, 1))]:
    rng = np.random.default_rng(seed)
    checkpoint = {name: random_tensor(rng, *value.shape) / 2 + ("ln_" in name) for name, value in published_checkpoint(0, vocab, context, d_model, layers).items()}
    kept, tokens = {name: as_array(value).copy() for name, value in checkpoint.items()}, torch.tensor(rng.integers(vocab, size=shape))
    expected = [slow_gpt2(row, kept, heads, layers) for row in tokens.numpy()]
    check_numbers(loaded_logits(checkpoint, heads, tokens), expected, "in the logits of another checkpoint", f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, ", 5e-4)
    assert all(np.array_equal(as_array(checkpoint[name]), kept[name]) for name in kept), "the checkpoint was changed: make new tensors"
### END HIDDEN TESTS

# %% [markdown]
# ## A checkpoint that was written by hand
#
# Random weights write nothing interesting. So here is a tiny checkpoint in GPT-2's format whose numbers were written by hand: two blocks with three heads each, MLPs that add nothing, and one skill. Head 1 of block 0 writes into the vector of each token which token came **before** it. Head 2 of block 1 looks for an earlier place where the token before it is the same as the current one, and copies the token that it finds there. The other four heads spread their attention evenly and add nothing. Of the 90 features of a vector, 0 to 19 say which token it is, 20 to 49 its position, and 70 to 89 which token came before it.

# %% locked given-copying-checkpoint
def copying_checkpoint(vocab=20, context=30):
    """Return a checkpoint in GPT-2's format with two layers of three heads that continues
    repeated text."""
    size, d = context, 3 * context
    token, place, before = torch.eye(d)[:vocab], torch.eye(d)[vocab:vocab
        + context], torch.eye(d)[-vocab:]
    made = {"wte.weight": token.clone(), "wpe.weight": place.clone(), "ln_f.weight": torch.ones(d),
        "ln_f.bias": torch.zeros(d)}
    for n in (0, 1):
        # Each vector has n + 2 ones: the norm's bias restores the mean, and `std` the size.
        mean = (n + 2) / d
        std = math.sqrt(mean - mean**2)
        query, key, into = (place.T, place.T.roll(1, dims=1), before) if n == 0 else (token.T,
            before.T, 4 * token)
        head = (n + 1) * size  # where the features of head n + 1 begin
        fused, bias, mix = torch.zeros(d, 3 * d), torch.zeros(3 * d), torch.zeros(d, d)
        fused[:, head:head + query.shape[1]] = 90 * std * query
        fused[:, d + head:d + head + key.shape[1]] = std * key
        fused[:, 2 * d + head:2 * d + head + vocab] = std * token.T
        mix[head:head + vocab] = into
        if n == 1:  # token 0 has no predecessor, so the second head looks away from it
            fused[:, d + head + vocab], bias[head + vocab] = std * place[0], -90
        made |= {f"h.{n}.{name}.weight": torch.ones(d) for name in ("ln_1", "ln_2")}
        made |= {f"h.{n}.ln_1.bias": torch.full((d,), mean / std),
            f"h.{n}.ln_2.bias": torch.zeros(d)}
        made |= {f"h.{n}.attn.bias": torch.ones(1, 1, context, context).tril()}
        made |= {f"h.{n}.attn.c_attn.weight": fused, f"h.{n}.attn.c_attn.bias": bias}
        made |= {f"h.{n}.attn.c_proj.weight": mix, f"h.{n}.attn.c_proj.bias": torch.zeros(d)}
        made |= {f"h.{n}.mlp.c_fc.weight": torch.zeros(d, 4 * d),
            f"h.{n}.mlp.c_fc.bias": torch.zeros(4 * d)}
        made |= {f"h.{n}.mlp.c_proj.weight": torch.zeros(4 * d, d),
            f"h.{n}.mlp.c_proj.bias": torch.zeros(d)}
    return made


# %% [markdown]
# The next cell loads it with your code. The text is 12 different random tokens, twice. How often is the most probable next token right, in the first half and in the second? Predict it, then run the cell.

# %% tags=["demonstration"]
tiny = load_gpt2(copying_checkpoint(), num_heads=3)
repeated = torch.randperm(20, generator=torch.Generator().manual_seed(0))[:12].repeat(2)[None]
with torch.no_grad():
    logits, patterns = tiny(repeated)
right = logits[0, :-1].argmax(dim=-1) == repeated[0, 1:]
print("tokens:", *repeated[0].tolist())
print("next  :", *logits[0].argmax(dim=-1).tolist())
print(f"right: {right[:11].sum()} of 11 in the first half, {right[12:].sum()} of 11 in the second")


# %% alt="Six heatmaps of attention weights, query by key, for 24 tokens: two layers with three heads each. Layer 0, head 1 has a stripe just below the diagonal. Layer 1, head 2 is even in the first half, and in the second half it has a stripe 11 places below the diagonal. The other four heads fade evenly from top to bottom." tags=["demonstration"]
def draw_patterns(patterns, heads):
    """Draw the attention weights of some heads of the first sequence. heads: rows of (layer,
    head)."""
    fig, axes = plt.subplots(len(heads), len(heads[0]), figsize=(7, 4.8), layout="constrained",
        sharex=True, sharey=True, squeeze=False)
    for (row, column), ax in np.ndenumerate(axes):
        layer, head = heads[row][column]
        weights = patterns[layer][0, head].detach().numpy()
        later = np.triu(np.ones(weights.shape), 1) > 0    # keys after their query
        image = ax.imshow(np.ma.masked_where(later, weights), vmin=0, vmax=1, cmap="cividis")
        ax.patch.set(hatch="///", edgecolor="0.7")
        few = [n if n % 6 == 0 else "" for n in range(len(weights))]
        ax.set(xticks=range(len(weights)), xticklabels=few, yticks=range(len(weights)),
            yticklabels=few, title=f"layer {layer}, head {head}")
        ax.tick_params(length=0)
    for ax in axes[-1]:
        ax.set_xlabel("key")
    for ax in axes[:, 0]:
        ax.set_ylabel("query")
    fig.colorbar(image, ax=axes, label="weight", shrink=0.7)
    plt.show()


draw_patterns(patterns, [[(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1), (1, 2)]])


# %% [markdown]
# In the second half, all eleven predictions are right, although the model has never seen this text. Head 2 of block 1 (blocks are often called *layers*, as in the figure) is an *induction head* (Olsson and others, 2022): from each token of the second half, it attends 11 places back, to the token **after** the same token in the first half.

# %% [markdown]
# ## 11.7 Choosing the next token
#
# **★ core · <!-- points -->1 point<!-- end --> · about 4 minutes · difficulty ●●○**
#
# The last row of the logits scores all tokens that may come next. Two settings change how boldly one of them is drawn:
#
# - **temperature**: divide the logits by it, then take the softmax. Below 1, likely tokens become likelier; above 1, the probabilities become more even.
# - **top_k**: keep the `top_k` largest logits, and give all other tokens the probability 0. A token whose logit **equals** the smallest one that is kept is kept as well. If `top_k` is `None` or larger than the vocabulary, all are kept.
#
# Write `next_token_probs`. The temperature is above 0, and `top_k` is at least 1. Logits may be below −10,000. This is 9.9 without `top_p`. Unlike there, logits may be equal.
#
# <details><summary><b>Given, if you have done 9.9</b></summary>
#
# This is the function of lesson 09 without `top_p`. Read it before you run it: what does it do with equal logits?
#
# ```python
# def next_token_probs(logits, temperature=1.0, top_k=None):
#     scores = logits / temperature
#     if top_k:
#         limit = scores.topk(min(top_k, scores.shape[-1]), dim=-1).values[..., -1:]
#         scores = scores.masked_fill(scores < limit, -math.inf)
#     return scores.softmax(dim=-1)
# ```
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# Which logit gives the probability 0 after a softmax?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `logits.topk(k, dim=-1).values[..., -1:]` is the smallest logit to keep. `masked_fill(…, -math.inf)`, `softmax(dim=-1)`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. divide the logits by the temperature
# 2. if there is a `top_k`: find the smallest logit to keep, and set every smaller one to −∞
# 3. return the softmax
# </details>
#
# <details><summary>I get “selected index k out of range”</summary>
#
# `topk` can't return more than there are: use the smaller one of `top_k` and the size of the vocabulary.
# </details>

# %% solution next-token-probs edition="core"
def next_token_probs(logits, temperature=1.0, top_k=None):
    """Return the probabilities of the next token, after temperature and top_k.

    logits: (..., vocab). Returns (..., vocab), each row sums to 1. No input is changed.
    """
    ### BEGIN SOLUTION
    logits = logits / temperature
    if top_k is not None:
        smallest = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < smallest, -math.inf)
    return logits.softmax(dim=-1)
    ### END SOLUTION


# %% test next-token-probs points=1
# Test of 11.7 Choosing the next token (1 point). Run the checks cell first.
returns("next-token-probs", probabilities="sequence token")
check("next-token-probs", "temperature 2", next_token_probs, uneven_logits, 2.0)
check("next-token-probs", "top_k = 3, of 6 tokens", next_token_probs, uneven_logits, 1.0, 3)
check("next-token-probs", "temperature 0.5, top_k = 4", next_token_probs, uneven_logits, 0.5, 4)
check("next-token-probs", "top_k = 2, with three equal logits", next_token_probs, tied_logits,
    top_k=2)
check("next-token-probs", "top_k = 9, of 6 tokens", next_token_probs, uneven_logits, top_k=9)
check("next-token-probs", "logits of ±5000, top_k = 2", next_token_probs, 2500 * uneven_logits, 1.0,
    2)
check("next-token-probs", "logits near −20000, top_k = 2", next_token_probs, uneven_logits - 20000,
    top_k=2)
check("next-token-probs", "default settings", next_token_probs, uneven_logits)
returns("next-token-probs", probabilities="sequence place token")
check("next-token-probs", "three axes, top_k = 1", next_token_probs, example_tensor(7, 2, 3, 5),
    1.5, 1)
### BEGIN HIDDEN TESTS
for seed, front, vocab, temperature, top_k in [(1171, (3,), 7, 1.0, 2), (1172, (2, 4), 5, 0.3, 4), (1173, (), 9, 2.5, 1), (1174, (4,), 6, 1.0, 6), (1178, (2,), 8, 1.0, 3), (1175, (2,), 4, 0.7, None), (1177, (2, 3), 6, 1.2, None), (1176, (3,), 5, 4.0, 11), (1179, (3,), 6, 0.02, None), (1180, (9, 2), 43, 1.0, 40), (1181, (2, 3, 4), 6, 100, 5), (1182, (2,), 300, 1.0, 299), (1183, (1,), 1, 0.5, 1), (1184, (), 1, 2.0, None), (1185, (4,), 4, 1.0, 4),
                                               (1186, (2,), 7, 1.0, 50_000), (1187, (40,), 5, 1.0, 1), (1188, (1,), 600, 1.0, 7), (1189, (4,), 6, 1.0, 3), (1190, (4,), 6, 0.5, 2), (1191, (4,), 6, 1.0, 3), (1192, (4,), 6, 1.0, 3), (1193, (4,), 6, 1.0, 2), (1171, (3,), 7, 1.0, 2)]:
    rng = np.random.default_rng(seed)
    logits = np.round(2 * rng.normal(size=(*front, vocab))) + 3 * rng.normal(size=(*front, 1))  # whole numbers apart, so some are equal
    logits = np.round(logits) * {1191: 512}.get(seed, 1) - {1189: 2e6, 1190: 2e6, 1191: 2.0**32, 1192: -2e6}[seed] if seed in (1189, 1190, 1191, 1192) else logits
    logits = as_array(torch.tensor(logits / {1178: 5000, 1179: 50, 1193: 20_000}.get(seed, 1), dtype=torch.float32))
    grown = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    smallest = np.sort(logits, axis=-1)[..., -min(top_k or vocab, vocab), None]
    grown[logits < smallest] = 0
    given = torch.tensor(logits, dtype=torch.float32)
    got = next_token_probs(given, temperature, top_k)
    check_numbers(got, grown / grown.sum(axis=-1, keepdims=True), "in the probabilities", f"with rows {in_words(front)}, {vocab=}, {top_k=}, ")
    check_unchanged([given], [torch.tensor(logits, dtype=torch.float32)])
### END HIDDEN TESTS

# %% [markdown]
# The next cells continue a text with your function. The hand-written model has seen five tokens and the first of them again.

# %% locked given-continue
@torch.no_grad()
def continue_tokens(model, tokens, new_tokens, seed=0, **settings):
    """Return tokens (1, seq) with new tokens appended, drawn with these settings."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(new_tokens):
        probs = next_token_probs(model(tokens)[0][:, -1], **settings)
        tokens = torch.cat([tokens, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return tokens


# %% tags=["demonstration"]
start = torch.tensor([[3, 14, 1, 5, 9, 3]])
for settings in [{"top_k": 1}, {"temperature": 1.0}, {"temperature": 3.0},
        {"temperature": 3.0, "top_k": 3}]:
    print(f"{str(settings):32}", *continue_tokens(tiny, start, 12, **settings)[0].tolist())


# %% [markdown]
# The most probable token continues the repetition, and temperature 1 rarely draws another one. At temperature 3, other tokens are drawn. As soon as the text contains `1 1`, a 1 came after a 1, so the induction head predicts another 1.

# %% [markdown] with=["logits-with-cache"]
# ## 11.8 With a cache
#
# **more · <!-- points -->4 points<!-- end --> · about 20 minutes · difficulty ●●● · needs 11.5**
#
# `continue_tokens` runs the whole text through the model for each new token, although a causal model never changes what it has computed for earlier tokens. With a **KV cache**, only the new tokens pass through the model: the keys and values of all earlier tokens are stored, layer by layer. (Lesson 08 has this for one layer.)
#
# Write `logits_with_cache(model, tokens, cache)`. It takes the parts of your model one by one: `model.token`, `model.position`, for each block `norm1`, `attn.q`, `attn.k`, `attn.v`, `attn.mix`, `norm2` and `mlp`, and `model.norm`. `cache` is `None` at first, then the list that your function returned: one pair `(k, v)` for each block, each `(batch, num_heads, n_past, head_size)`.
#
# Two things change where there is a past:
#
# - The new tokens have the **positions** from `n_past` on, not from 0.
# - New token `i` is token `n_past + i` of the text: it sees **all** earlier tokens, and new ones up to itself.
#
# A text in pieces must give the same logits as in one call, except for rounding. The cache that you get must not be changed.
#
# <details><summary>Hint 1: a question</summary>
#
# With 3 tokens in the cache and 2 new ones, the mask has 2 rows and 5 columns. Which of the ten entries are blocked?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# The given `split_heads(x, num_heads)`, with `block.attn.num_heads`. `torch.cat([old, new], dim=2)`. `torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()` is True for the future. `transpose(1, 2).flatten(2)` merges the heads.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# ```
# n_past = number of tokens in the cache, or 0
# x      = token vectors + vectors of the positions n_past, n_past + 1, ...
# for each block:
#     q, k, v = the three layers of norm1(x), each split into heads
#     if there is a cache: put its keys before k, its values before v
#     weights = scores / sqrt(head_size), -inf in the future, softmax
#     x       = x + mix(heads of weights times v, merged)
#     x       = x + mlp(norm2(x))
#     append (k, v) to the new cache
# return final norm of x, times the transposed token matrix; the new cache
# ```
# </details>
#
# <details><summary>I get “Sizes of tensors must match except in dimension …”</summary>
#
# Keys and values that are split into heads have their tokens on axis 2. Concatenate along this axis, and store them after the split.
# </details>

# %% solution logits-with-cache builds_on=["gpt2"]
def logits_with_cache(model, tokens, cache=None):
    """Return the logits of new tokens after those in the cache, and the new cache.

    model: a GPT2. tokens: (batch, n_new). cache: None, or a list with
    (k, v) for each block, each (batch, num_heads, n_past, head_size).
    Returns (batch, n_new, vocab), and a list of (k, v) for
    n_past + n_new tokens. The cache that is passed is not changed.
    """
    ### BEGIN SOLUTION
    n_past, n_new, made = 0 if cache is None else cache[0][0].shape[2], tokens.shape[1], []
    x = model.token(tokens) + model.position(torch.arange(n_past, n_past + n_new))
    future = torch.ones(n_new, n_past + n_new).triu(n_past + 1).bool()
    for n, block in enumerate(model.blocks):
        attn, normed = block.attn, block.norm1(x)
        q, k, v = (split_heads(layer(normed), attn.num_heads) for layer in (attn.q, attn.k, attn.v))
        if cache is not None:
            k, v = torch.cat([cache[n][0], k], dim=2), torch.cat([cache[n][1], v], dim=2)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        x = x + attn.mix((weights @ v).transpose(1, 2).flatten(2))
        x = x + block.mlp(block.norm2(x))
        made.append((k, v))
    return model.norm(x) @ model.token.weight.T, made
    ### END SOLUTION


# %% [markdown] with=["logits-with-cache"]
# The test passes a text in pieces, each with the cache that your function returned before.

# %% test logits-with-cache points=4
# Test of 11.8 With a cache (4 points). Run the checks cell first.
returns("logits-with-cache", logits="sequence position token", K="sequence head token feature",
    V="sequence head token feature")
check("logits-with-cache", "4 tokens, nothing before", logits_in_pieces, example_tokens(1, 2, 4, 7),
    [4], 7, 6, 6, 2, 2)
check("logits-with-cache", "4 tokens, then 1", logits_in_pieces, example_tokens(1, 2, 5, 7), [4, 5],
    7, 6, 6, 2, 2)
check("logits-with-cache", "2 tokens, then 3", logits_in_pieces, example_tokens(1, 2, 5, 7), [2, 5],
    7, 6, 6, 2, 2)
check("logits-with-cache", "one by one, 3 blocks of 1 head", logits_in_pieces,
    example_tokens(3, 3, 4, 5), [1, 2, 3, 4], 5, 4, 4, 1, 3)
check("logits-with-cache", "20 tokens, then 2", logits_in_pieces, example_tokens(4, 1, 22, 5),
    [20, 22], 5, 24, 4, 2, 1)
check_cache_unchanged()
### BEGIN HIDDEN TESTS
def slow_step(tokens, past, w, heads):
    """Logits of tokens (batch, n_new) after the cache `past`, and the new cache. w: arrays by name."""
    norm = lambda x, name: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".weight"] + w[name + ".bias"]
    begin, made = past[0][0].shape[2], []
    x = w["token.weight"][tokens] + w["position.weight"][begin:begin + tokens.shape[1]]
    for n, (K, V) in enumerate(past):
        at = f"blocks.{n}."
        q, k, v = (norm(x, at + "norm1") @ w[f"{at}attn.{one}.weight"].T + w[f"{at}attn.{one}.bias"] for one in "qkv")
        q, k, v = (one.reshape(*one.shape[:2], heads, -1).swapaxes(1, 2) for one in (q, k, v))
        K, V, mixed = np.concatenate([K, k], axis=2), np.concatenate([V, v], axis=2), np.zeros(q.shape)
        for b, h, i in np.ndindex(*q.shape[:3]):
            dots = K[b, h, :begin + i + 1] @ q[b, h, i] / q.shape[3]**0.5
            grown = np.exp(dots - max(dots))
            mixed[b, h, i] = grown @ V[b, h, :begin + i + 1] / grown.sum()
        x = x + mixed.swapaxes(1, 2).reshape(x.shape) @ w[at + "attn.mix.weight"].T + w[at + "attn.mix.bias"]
        h = norm(x, at + "norm2") @ w[at + "mlp.up.weight"].T + w[at + "mlp.up.bias"]
        h = h * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3))) / 2
        x = x + h @ w[at + "mlp.down.weight"].T + w[at + "mlp.down.bias"]
        made.append((K, V))
    return norm(x, "norm") @ w["token.weight"].T, made


for seed, (sizes, batch, cuts) in enumerate([((11, 9, 6, 3, 2), 3, [2, 3, 9]), ((7, 8, 12, 2, 3), 2, [1, 5, 8]), ((6, 7, 8, 4, 1), 1, [3, 7]), ((5, 80, 4, 2, 1), 2, [70, 73]), ((43, 44, 24, 8, 4), 9, [1, 4]), ((2, 2, 1, 1, 1), 1, [1, 2]), ((4, 4, 4, 4, 4), 4, [2, 4]),
                                                       ((3, 23, 2, 1, 1), 1, [*range(1, 24)]), ((50_257, 3, 2, 2, 1), 1, [2, 3])], 1180):
    vocab, context, d_model, heads, layers = sizes
    rng = np.random.default_rng(seed)
    state = fill_state(model_shapes(*sizes[:3], layers), lambda n, *shape: random_tensor(rng, *shape))
    kept, tokens = {name: as_array(value) for name, value in state.items()}, rng.integers(vocab, size=(batch, cuts[-1]))
    empty = (batch, heads, 0, d_model // heads)
    right, begin = [(np.zeros(empty), np.zeros(empty)) for _ in range(layers)], 0
    for end in cuts:
        # The true cache of the tokens before, then one of random numbers, which no tokens have.
        shape = batch, heads, begin, d_model // heads
        made_up = [tuple(as_array(random_tensor(rng, *shape)) for _ in "kv") for _ in range(layers)]
        for kind, past in [("the cache of these tokens", right), ("a cache of random numbers", made_up)][:1 if begin == 0 else 2]:
            logits, made = slow_step(tokens[:, begin:end], past, kept, heads)
            piece, cache = torch.tensor(tokens[:, begin:end]), [tuple(torch.tensor(one, dtype=torch.float32) for one in pair) for pair in past] if begin else None
            given = piece.clone(), cache and [tuple(one.clone() for one in pair) for pair in cache]
            model = module_with_weights(state, GPT2(*sizes))
            got, after = result_parts(logits_with_cache(model, *given), 2, "logits, cache")
            where = f"with {vocab=}, {context=}, {d_model=}, {heads=}, {layers=}, {batch=}, tokens {begin} to {end - 1} after {kind}, "
            check_numbers(got, logits, "in the logits of another model", where, 5e-4)
            assert len(after) == layers, f"the cache does not have one entry for each block\n{where}got {len(after)}"
            for n, pair in enumerate(after):
                for name, mine, expected in zip(["keys", "values"], result_parts(pair, 2, "k, v"), made[n]):
                    check_numbers(mine, expected, f"in the {name} of the cache", f"{where}block {n}, ", 1e-4)
            check_unchanged([given[0], *sum(given[1] or [], ())], [piece, *sum(cache or [], ())])
            if past is right:
                step = made
        right, begin = step, end
### END HIDDEN TESTS

# %% [markdown] with=["logits-with-cache"]
# How much does it save? The next cell feeds 30 tokens to the hand-written model one by one, with and without the cache, and compares the logits. The saving grows with the length: without a cache, all 1,000 tokens of a long text pass through the layers to predict token 1,000, with a cache only one.

# %% tags=["demonstration"] with=["logits-with-cache"]
text, cache, rows, seconds = torch.randint(20, (1, 30),
    generator=torch.Generator().manual_seed(1)), None, [[], []], [time.perf_counter()]
with torch.no_grad():
    for i in range(30):
        one, cache = logits_with_cache(tiny, text[:, i:i + 1], cache)
        rows[0].append(one[0, -1])
    seconds.append(time.perf_counter())
    for i in range(30):
        rows[1].append(tiny(text[:, :i + 1])[0][0, -1])
seconds.append(time.perf_counter())
gap = (torch.stack(rows[0]) - torch.stack(rows[1])).abs().max()
print(f"with the cache {1e3 * (seconds[1] - seconds[0]):.0f} ms, without "
    f"{1e3 * (seconds[2] - seconds[1]):.0f} ms; largest gap of the logits {gap:.0e}")
print("one block of the cache:", tuple(cache[0][0].shape), "keys and as many values")


# %% [markdown] with=["induction-scores"]
# ## 11.9 Which heads are induction heads?
#
# **more · <!-- points -->2 points<!-- end --> · about 8 minutes · difficulty ●●○**
#
# GPT-2 small has 144 heads, too many to look at. So you need a number for each. Take `period` different random tokens and repeat them. In the second copy, and in all later ones, an induction head attends to the token **after** the same token in the copy before: `period − 1` places back. The *induction score* of a head is its mean weight there, over all sequences and over all queries **from position `period` on**. The queries of the first copy have nothing to repeat.
#
# The *prefix matching score* of 10.1 measures the same for any text: it adds up the weights on all matches, wherever they are. The induction score needs no tokens, and has one key for each query. In a third copy, a match in the first one does not count.
#
# Write `induction_scores(patterns, period)`. `patterns` is the list that your model returns, one tensor `(batch, num_heads, seq, seq)` for each layer. Return the scores of all heads, `(num_layers, num_heads)`.
#
# An example: with `period` 3 and 6 tokens, the queries are 3, 4 and 5, and their keys 1, 2 and 3.
#
# <details><summary><b>Given, if you have done 10.1</b></summary>
#
# This is the score of lesson 10, for one layer. What is new: there are several layers, and whether key `j` counts for query `i` depends on the positions alone.
#
# ```python
# def prefix_matching_score(weights, tokens):
#     same = tokens[:, :, None] == tokens[:, None, :]
#     match = F.pad(same[:, :, :-1], (1, 0)).tril()
#     mass = (weights * match[:, None]).sum(dim=-1)
#     return mass.sum(dim=(0, 2)) / match.any(dim=-1).sum().clamp(min=1)
# ```
# </details>
#
# <details><summary>Hint 1: a question</summary>
#
# For which queries is `query − (period − 1)` a key, and which one of these is still in the first block?
# </details>
#
# <details><summary>Hint 2: functions that help</summary>
#
# `weights.diagonal(-n, dim1=-2, dim2=-1)` contains the weights `n` places below the diagonal, `(batch, num_heads, seq − n)`, beginning with query `n`. Or an index for the queries and one for the keys. `mean(dim=(0, 2))`, `torch.stack`.
# </details>
#
# <details><summary>Hint 3: the steps</summary>
#
# 1. for each layer: the weights of query `i` on key `i − period + 1`, for all `i` from `period` on
# 2. their mean over sequences and queries
# 3. stack the layers
# </details>

# %% solution induction-scores
def induction_scores(patterns, period):
    """Return the induction score of each head.

    patterns: a list of weights (batch, num_heads, seq, seq), one for each layer,
    of a text that repeats every `period` tokens. Returns (num_layers, num_heads).
    """
    ### BEGIN SOLUTION
    stripes = [weights.diagonal(1 - period, dim1=-2, dim2=-1)[..., 1:] for weights in patterns]
    return torch.stack([stripe.mean(dim=(0, 2)) for stripe in stripes])
    ### END SOLUTION


# %% test induction-scores points=2
# Test of 11.9 Which heads are induction heads? (2 points). Run the checks cell first.
returns("induction-scores", scores="layer head")
check("induction-scores", "1 layer, 2 heads, 8 tokens, period 4", induction_scores,
    example_patterns(1, 1, 1, 2, 8), 4)
check("induction-scores", "3 layers, 2 heads, 6 tokens, period 3", induction_scores,
    example_patterns(2, 3, 2, 2, 6), 3)
check("induction-scores", "2 layers, 4 heads, 3 blocks of 3 tokens", induction_scores,
    example_patterns(3, 2, 3, 4, 9), 3)
check("induction-scores", "period 2, 5 tokens", induction_scores, example_patterns(5, 2, 2, 3, 5),
    2)
### BEGIN HIDDEN TESTS
for seed, layers, batch, heads, seq, period in [(1191, 3, 2, 4, 10, 5), (1192, 1, 3, 2, 13, 4), (1193, 4, 1, 3, 7, 6), (1194, 2, 9, 8, 43, 20), (1195, 12, 1, 12, 9, 2), (1196, 1, 1, 1, 2, 1), (1197, 4, 4, 4, 8, 4), (1198, 1, 2, 1, 300, 50),
                                                (1199, 30, 1, 1, 5, 3), (1200, 1, 1, 2, 300, 299), (1201, 2, 1, 40, 60, 3), (1191, 3, 2, 4, 10, 5)]:
    rng = np.random.default_rng(seed)
    weights = np.tril(rng.random((layers, batch, heads, seq, seq)))
    weights, queries = weights / weights.sum(axis=-1, keepdims=True), np.arange(period, seq)
    expected = weights[..., queries, queries - period + 1].mean(axis=(1, 3))
    given = [torch.tensor(one, dtype=torch.float32) for one in weights]
    check_numbers(induction_scores(given, period), expected, "in the scores of larger weights", f"with {layers=}, {batch=}, {heads=}, {seq=}, {period=}, ")
    check_unchanged(given, [torch.tensor(one, dtype=torch.float32) for one in weights])
### END HIDDEN TESTS

# %% [markdown] with=["induction-scores"]
# The map of the hand-written model. Predict: which squares are bright?

# %% alt="Heatmap of induction scores with a row for each of two layers and a column for each of three heads. Layer 1, head 2 has 1.00. All others are near 0." tags=["demonstration"] with=["induction-scores"]
def draw_scores(scores):
    """Draw a heatmap of the scores by layer and head, and write the numbers into a small one."""
    fig, ax = plt.subplots(figsize=(4.5, 2.6) if scores.shape[0] < 5 else (5.5, 4.8),
        layout="constrained")
    image = ax.imshow(scores.numpy(), vmin=0, vmax=1, cmap="cividis")
    for (layer, head), score in np.ndenumerate(scores.numpy() if scores.numel() < 20
            else np.zeros((0, 0))):
        ax.text(head, layer, f"{score:.2f}", ha="center", va="center",
            color="black" if score > 0.5 else "white")
    ax.set(xlabel="head", ylabel="layer", xticks=range(scores.shape[1]),
        yticks=range(scores.shape[0]), title="induction score")
    fig.colorbar(image, ax=ax, label="mean weight", shrink=0.8)
    plt.show()


draw_scores(induction_scores(patterns, 12))


# %% task why-logits [markdown] points=1
# ## 11.10 In your own words: a mistake without an error
#
# **more · <!-- points -->1 point<!-- end --> · about 4 minutes · difficulty ●●○ · read by a person**
#
# A friend loads GPT-2 small. `load_state_dict` reports no error, all tensors have the right shapes, and the model writes nonsense: the friend has transposed the weights of all linear layers, except those of `attn.c_proj`. Why did nobody complain, and which check would have found it? Two or three sentences are enough.
#
# ### BEGIN MARK SCHEME
# **1 point:** `attn.c_proj.weight` is square (768 × 768), so its transpose has the same shape, and a check of shapes can't tell the two apart. Only a check of *numbers* can: compare the logits (or the output of one layer) with those of another implementation on the same weights and the same tokens, or, weaker, the loss on real text with the published one.
#
# **Half right (½ point):** only the reason (the matrix is square), or only the check (compare logits with a reference).
# ### END MARK SCHEME

# %% [markdown]
# > ✍️ **Your answer to 11.10** (double-click here, and write in place of this line)

# %% [markdown]
# ## The real one
#
# Now the published model. The file is 548 MB and comes from Hugging Face (`openai-community/gpt2`), in the *safetensors* format: eight bytes with the length of a header, the header in JSON with the name, type, shape and place of each tensor, then the numbers. A few lines read it. The file is kept in your system's temporary folder. Before it is used, its SHA-256 hash is compared with the known one, so nobody can slip you other weights.

# %% locked given-safetensors
def read_safetensors(data):
    """Return the tensors of a safetensors file by name. data: its bytes, as a bytearray;
    numbers are float32."""
    length = int.from_bytes(data[:8], "little")
    header, tensors = json.loads(data[8:8 + length]), {}
    header.pop("__metadata__", None)
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            raise ValueError(f"{name} has the type {entry['dtype']}, and only F32 can be read")
        begin, end = entry["data_offsets"]
        tensors[name] = torch.frombuffer(data, dtype=torch.float32, count=(end - begin) // 4,
            offset=8 + length + begin).view(entry["shape"])
    return tensors


# %% locked given-download
GPT2_FILES = ("https://huggingface.co/openai-community/gpt2/resolve/"
    "607a30d783dfa663caf39e06633721c8d4cfcd7e/")
GPT2_HASHES = {  # SHA-256
    "merges.txt": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "model.safetensors": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
}


def fetch(name):
    """Return the bytes of a published file, and keep it. If it can't be fetched,
    an error is raised and nothing is kept."""
    path = Path(tempfile.gettempdir()) / f"gpt2-small-{name}"
    if not path.exists():
        partial = path.with_suffix(".partial")
        try:
            with urllib.request.urlopen(GPT2_FILES + name,
                    timeout=30) as answer, partial.open("wb") as file:
                while part := answer.read(2**26):
                    file.write(part)
                    print(f"{name}: {file.tell() / 1e6:.0f} MB", flush=True)
            partial.rename(path)
        finally:
            partial.unlink(missing_ok=True)
    data = bytearray(path.read_bytes())
    if hashlib.sha256(data).hexdigest() != GPT2_HASHES[name]:
        path.unlink()
        raise ValueError(f"{name} is not the published file (its hash differs), so it was deleted: "
            "try again, or in another network")
    return data


def download_gpt2():
    """Return (checkpoint, merges.txt) of GPT-2 small, or None where it can't be fetched."""
    try:
        merges, weights = fetch("merges.txt"), fetch("model.safetensors")
    except Exception as problem:  # no network, a full disk, another file
        print(f"GPT-2 could not be fetched, so the tiny model is used ({str(problem).strip()}).")
        return None
    return read_safetensors(weights), merges.decode("utf-8")


# %% [markdown]
# Set `wanted = True` in the next cell to fetch the file. You need 1.5 GB of memory. (This part has no points, and grading does not need it. Set it back to `False` before you submit.)
#
# You can check the first text that it prints: in the tests of Hugging Face's library `transformers` (`test_modeling_gpt2.py`), GPT-2 small continues `The dog` with its most probable tokens as `The dog was found in a field near the intersection of West and West Streets.`, then an empty line and `The dog` again. The second text is drawn.

# %% tags=["demonstration"]
wanted = False
published = download_gpt2() if wanted else print(
    "GPT-2 was not requested, so the tiny model is used.")
if published:
    gpt2 = load_gpt2(published[0], num_heads=12)
    vocab, byte_ids, merges = read_tokenizer(published[1])
    prompt = torch.tensor([encode("The dog", byte_ids, merges)])
    for settings in [{"top_k": 1}, {"temperature": 0.8, "top_k": 40}]:
        print(settings, decode(continue_tokens(gpt2, prompt, 18, **settings)[0].tolist(), vocab),
            sep="\n")
else:
    gpt2 = tiny

# %% [markdown] with=["induction-scores"]
# Which heads of the published model are induction heads? The next cell repeats a block of random tokens and draws the score of each head. (Without the published model it draws the tiny one again.) Wang and others (2022) studied which heads of GPT-2 small work together on one task (a *circuit*). The induction heads among them are 5.5, 5.8, 5.9 and 6.9 (layer 5, head 5, and so on). Are they bright in your figure, and are there others?

# %% alt="Heatmap of induction scores by layer and head, of the tiny model unless the published one was fetched: layer 1, head 2 has 1.00, all others are near 0." tags=["demonstration"] with=["induction-scores"]
period = 50 if published else 12
block = torch.randperm(len(gpt2.token.weight), generator=torch.Generator().manual_seed(2))[:period]
with torch.no_grad():
    scores = induction_scores(gpt2(block.repeat(2)[None])[1], period)
draw_scores(scores)
for place in scores.flatten().argsort(descending=True)[:5].tolist():
    layer, head = divmod(place, scores.shape[1])
    print(f"layer {layer}, head {head}: {scores[layer, head]:.2f}")

# %% [markdown]
# ## What you have built
#
# You have built everything that lies between a text and the next token: the tokenizer, the model, and the reading of weights that others have trained. The tiny checkpoint has the format of the published one, with other sizes and numbers.
#
# Later models vary the parts. Many have a norm without mean and bias, a gated MLP, rotary positions and fewer heads for keys than for queries (lesson 08 has the last two). The way from text to logits is the same.
#
# ### Three questions to think about
#
# 1. Why is GPT-2's position matrix a limit on the length of a text, and would your code notice if a text were longer?
# 2. The model has 50,257 tokens, and `wte.weight` has 38.6 million numbers, 31 % of all. What would be lost if GPT-2 used bytes as tokens?
# 3. Two tokenizers give the same ids to the same tokens, but apply their merges in another order. Do they give the same ids for each text? Do they decode the same ids to the same text?
#
# <details><summary>Answers</summary>
#
# 1. There are only 1,024 rows, and nothing was learned for a position beyond them. An embedding raises an error for a row that it doesn't have (`index out of range`), so your code notices.
# 2. Every text could still be written, but English texts would be about four times as long. A context of 1,024 tokens would hold a quarter of the text, and attention costs grow with the square of the length. The model would also have to learn words from letters.
# 3. The ids of a text may differ: where two merges compete for a byte, the rank decides. Decoding only looks up the bytes of each id, so it is the same.
#
# </details>
#
# ### References
#
# - Alec Radford, Jeffrey Wu, Rewon Child, David Luan, Dario Amodei, Ilya Sutskever: *Language Models are Unsupervised Multitask Learners*, 2019. GPT-2 and its byte-level encoding.
# - Rico Sennrich, Barry Haddow, Alexandra Birch: *Neural Machine Translation of Rare Words with Subword Units*, 2016. Byte-pair encoding for tokens.
# - Dan Hendrycks, Kevin Gimpel: *Gaussian Error Linear Units (GELUs)*, 2016. The GELU and its tanh form.
# - Catherine Olsson, Nelson Elhage, Neel Nanda and others: *In-context Learning and Induction Heads*, 2022. Induction heads.
# - Kevin Wang, Alexandre Variengien, Arthur Conmy, Buck Shlegeris, Jacob Steinhardt: *Interpretability in the Wild: a Circuit for Indirect Object Identification in GPT-2 small*, 2022. The induction heads of GPT-2 small.
