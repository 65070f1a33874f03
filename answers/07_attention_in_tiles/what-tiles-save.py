# %% [markdown] right: traffic, and use of what was brought
# 1. The n² scores never go to slow memory and are never read back from it. That traffic takes more time than the arithmetic, so tiles are faster although they compute a few exponentials more. They give up nothing: the output is the same up to rounding, no score is left out or approximated, and the memory needed grows with n instead of n².
# 2. In one step of writing, each number of the cache is read for a single multiply-add of each query head that shares it. That is num_heads / (num_kv_heads · bytes) multiply-adds for each byte, far fewer than a processor could do in that time, so the bytes set the time, and MHA has num_heads times as many bytes to read as MQA. While the prompt is read, each key that is brought meets the queries of many tokens. Then there are many multiply-adds for each byte, and the arithmetic sets the time, which is the same for both.

# %% [markdown] right: with numbers
# Take 4096 tokens of 64 numbers. The whole table is written and read as scores and as weights, which moves 68 million numbers; with tiles of 128 queries it is 17 million, for the same two billion multiply-adds. Moving numbers to and from slow memory is what takes time, and the additional exponentials cost little beside it. The result is exact, and at no time is more kept than a tile and what grows with n. A model with 64 heads that makes one token: with 64 key heads and 2 bytes, there is half a multiply-add for each byte that is read, with one key head there are 32, while the processor could do about a hundred. Both are limited by memory, and MHA reads 64 times as much. With a prompt of 1000 tokens, a key is read once for many of its queries, so there are hundreds of multiply-adds a byte with MHA already, and what counts is how fast the processor computes.

# %% [markdown] right: short
# Tiles save trips to slow memory: no score of the n × n table is written there or fetched again, and those trips last longer than the few exponentials more. The output stays exact and memory stays linear in n. A step of writing brings each cached key for one query of each head that shares it, so the processor waits for bytes, and MHA has the most of them. Reading a prompt brings a key once for many queries at a time, so the processor is busy computing, and it computes equally much for both.

# %% [markdown] wrong: half right, nothing says why it is faster
# Tiles use less memory, because the whole table is never there at once. So longer texts fit. MQA has a smaller cache than MHA, because the heads share keys and values, and it is faster for this reason. With a prompt there is no cache yet, so it makes no difference.

# %% [markdown] wrong: tiles skip work
# Tiles compute fewer scores: small scores get weights near 0 and their tiles can be left out, so the result is a good approximation at a lower price. MHA is slower than MQA since each of its heads has to compute scores with its own keys, and with MQA the scores are computed once for all heads. When a prompt is read, all tokens are computed in parallel, so both are fast.

# %% [markdown] wrong: half right, the prompt is left out
# The scores of a tile stay in fast memory and never have to be written to slow memory or read again, which would take longer than computing them. The output is exactly the same and the memory grows only with n. In a step of writing MHA has more multiply-adds, because it has more key heads, and with a prompt there are many tokens, which hides this.

# %% [markdown] wrong: parallel tiles
# Tiles are faster because all of them can be computed at the same time on different cores, while the whole table has to be computed row by row. The price is a little accuracy, since the maximum of a row is not known in advance. MQA is faster than MHA because it has fewer parameters. With a prompt, its keys are cached already.
