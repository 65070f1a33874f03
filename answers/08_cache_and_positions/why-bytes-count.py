# %% [markdown] right: bytes, and use of each of them
# 1. In one step of writing, each number of the cache is read for a single multiply-add of each query head that shares it. That is num_heads / (num_kv_heads · bytes) multiply-adds per byte, far fewer than a processor could do in that time. So the bytes set the time, and MHA has num_heads times as many bytes to read as MQA.
# 2. While the prompt is processed, each key that is read meets the queries of many tokens. Then there are many multiply-adds per byte, and the arithmetic sets the time, which is the same for both.

# %% [markdown] right: with numbers
# Take a model with 64 heads and 2 bytes per number. In a step of writing, MHA does half a multiply-add per byte that it reads, and MQA does 32, while the processor could do about a hundred. Both wait for memory, and MHA reads 64 times as much. With a prompt of 1000 tokens, a key is read once for many of its queries, so there are hundreds of multiply-adds per byte even with MHA, and what counts is how fast the processor computes. Both compute equally much.

# %% [markdown] right: short
# A step of writing reads each cached key for only one query of each head that shares it, so the processor waits for bytes, and MHA has the most of them. A prompt reads a key once for many queries, so the processor is busy computing, and it computes equally much for both.

# %% [markdown] wrong: half right, the prompt is left out
# In a step of writing the processor waits for the cache, since it does only one multiply-add with each number for each head, and the cache of MHA is larger by the number of heads. With a prompt there are more tokens, which hides this.

# %% [markdown] wrong: half right, nothing says why bytes set the time
# MQA has a smaller cache than MHA, because the heads share keys and values, and it is faster for this reason. With a prompt there is no cache yet, so it makes no difference.

# %% [markdown] wrong: MQA computes less
# MHA is slower than MQA since each of its heads has to compute scores with its own keys, and with MQA the scores are computed once for all heads. When a prompt is processed, all tokens are computed in parallel, so both are fast.

# %% [markdown] wrong: fewer parameters
# MQA is faster than MHA because it has fewer parameters, and the parameters are read in each step. With a prompt, its keys are cached already.
