# %% [markdown] right: traffic, and exact factors
# 1. The n² scores are never written to slow memory and never read from it again. That traffic takes more time than the arithmetic, so tiles are faster although they compute a few exponentials more.
# 2. It is not an approximation: no score is left out, and when a larger score appears, the old sums are multiplied by exactly the factor that changes the maximum. The output is the same up to rounding. The memory is different, too: only a tile of scores and d_v + 2 numbers per query are kept, so it grows with n instead of n².

# %% [markdown] right: with numbers
# Take 4096 tokens with 64 features. Whole tables of scores and weights are written and read, which moves 68 million numbers; with tiles of 128 queries it is 17 million, for the same two billion multiply-adds. Moving numbers to and from slow memory is what takes time, and the additional exponentials cost little beside it. The result is exact, since e^(s − old m) times e^(old m − new m) is e^(s − new m). And at no time is more kept than one tile, and m, l and o, which grow only with n.

# %% [markdown] right: short
# Tiles save trips to slow memory: no score of the n × n table is written there or fetched again, and those trips take longer than the few additional exponentials. Rescaling by e^(m − new m) is exact, so the output is exact. The memory is linear in n, because the scores of a tile are forgotten.

# %% [markdown] wrong: half right, nothing says why it is faster
# Tiles use less memory, because the whole table is never there at once, so they are faster and longer texts fit. The result is the same as before.

# %% [markdown] wrong: tiles skip work
# Tiles compute fewer scores: small scores get weights near 0, and their tiles can be left out. So it is an approximation, but a good one, at a lower price, and the memory is that of the tiles that are left.

# %% [markdown] wrong: parallel tiles
# Tiles are faster because all of them can be computed at the same time on different cores, while the whole table has to be computed row by row. The price is a little accuracy, since the maximum of a row is not known in advance. The memory is the same, because all tiles together are the table.
