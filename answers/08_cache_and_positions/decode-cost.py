# %% right: one token, then all
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    numbers_of_a_token = layers * num_kv_heads * head_size * 2
    stored = numbers_of_a_token * bytes_per_number * batch * seq_len
    scores = layers * num_heads * seq_len * head_size
    mixing = layers * num_heads * seq_len * head_size
    work = batch * (scores + mixing)
    return stored, work, work / stored

# %% right: counted in loops
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    stored = work = 0
    for _ in range(batch * layers):
        for _ in range(num_kv_heads):
            for part in ("keys", "values"):
                stored += seq_len * head_size * bytes_per_number
        for _ in range(num_heads):
            for part in ("scores", "mixing"):
                work += seq_len * head_size
    return [stored, work, work / stored]

# %% right: math.prod
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    cache = math.prod([2, batch, seq_len, layers, num_kv_heads, head_size, bytes_per_number])
    work = math.prod([2, batch, seq_len, layers, num_heads, head_size])
    return cache, work, work / cache

# %% right: intensity by its own formula
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    both = 2 * batch * layers * seq_len * head_size
    return (both * num_kv_heads * bytes_per_number, both * num_heads,
            num_heads / (num_kv_heads * bytes_per_number))

# %% right: sums over sequences, layers and heads, as an array
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    stored = sum(2 * seq_len * num_kv_heads * head_size * bytes_per_number for _ in range(batch) for _ in range(layers))
    work = batch * layers * sum(seq_len * head_size + head_size * seq_len for _ in range(num_heads))
    return np.array([stored, work, work / stored])

# %% right: NumPy
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    shape = np.array([batch, layers, seq_len, head_size], dtype=np.int64)
    table = np.prod(shape)
    cache = table * num_kv_heads * bytes_per_number * 2
    work = table * num_heads * 2
    return int(cache), int(work), float(np.divide(work, cache))

# %% right: a dict of the three names
def decode_cost(batch, seq_len, layers, num_heads, num_kv_heads, head_size, bytes_per_number):
    keys = batch * layers * num_kv_heads * seq_len * head_size
    queries = batch * layers * num_heads
    found = {"cache_bytes": (keys + keys) * bytes_per_number, "multiply_adds": queries * seq_len * (head_size + head_size)}
    return dict(found, intensity=found["multiply_adds"] / found["cache_bytes"])

# %% wrong: bytes: keys alone advice="The bytes are half of what they should be: the cache holds keys and values, so there is a factor 2." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: query heads in the cache advice="The cache is counted with num_heads: it holds num_kv_heads heads of keys and values." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_heads * head_size * bytes_per_number

# %% wrong: bytes: no layers advice="The bytes are those of one layer: multiply them by layers." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: no batch advice="The bytes are those of one sequence: multiply them by batch." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: no bytes advice="The numbers in the cache are counted, not their bytes: multiply by bytes_per_number." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size

# %% wrong: work: scores alone advice="The multiply-adds are half of what they should be: scores and weighted sums take as many each, so there is a factor 2." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * layers * num_heads * head_size

# %% wrong: work: key heads advice="The multiply-adds are counted with num_kv_heads: each of the num_heads query heads computes scores and weighted sums, also where keys are shared." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_kv_heads * head_size

# %% wrong: work: no layers advice="The multiply-adds are those of one layer: multiply them by layers." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * num_heads * head_size

# %% wrong: work: no batch advice="The multiply-adds are those of one sequence: multiply them by batch." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * seq_len * layers * num_heads * head_size

# %% wrong: work: all queries advice="The multiply-adds have seq_len squared: there is only one new query, so seq_len counts once." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len**2 * layers * num_heads * head_size

# %% wrong: result: upside down advice="The intensity is inverted: divide the multiply-adds by the bytes." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, cache_bytes / multiply_adds

# %% wrong: result: whole numbers advice="The intensity lost its fraction: divide with /, not with //." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds // cache_bytes

# %% wrong: bytes: all heads in the cache advice="The cache is counted with query heads, too: it holds num_kv_heads heads of keys and as many of values, no queries." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * (num_heads + num_kv_heads) * head_size * bytes_per_number

# %% wrong: bytes: queries, keys and values advice="The bytes have a factor 3: queries aren't kept, only keys and values." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 3 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: bits advice="The bytes are multiplied by 8, as if bits were counted: leave this out." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 8 * 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: bytes divided advice="The bytes are divided by bytes_per_number: multiply by it." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size / bytes_per_number

# %% wrong: bytes: no seq_len advice="The bytes are those of one token: multiply them by seq_len." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: seq_len squared advice="The bytes have seq_len squared: the cache holds each token once." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len**2 * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: no head_size advice="head_size is missing in the bytes: each head stores that many numbers per token." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * bytes_per_number

# %% wrong: bytes: head_size squared advice="The bytes have head_size squared: a key is head_size numbers, so it counts once." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size**2 * bytes_per_number

# %% wrong: bytes: one key head advice="num_kv_heads is missing in the bytes: each of these heads has keys and values of its own." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * head_size * bytes_per_number

# %% wrong: bytes: the new token, too advice="The bytes count one token more: seq_len tokens are in the cache, and the new one doesn't count." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * (seq_len + 1) * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: one token fewer advice="The bytes count one token fewer: all seq_len tokens are in the cache." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * (seq_len - 1) * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: the group's size for the key heads advice="The cache is counted with num_heads / num_kv_heads, the size of a group: count it with num_kv_heads." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * (num_heads // num_kv_heads) * head_size * bytes_per_number

# %% wrong: bytes: four numbers always advice="Each number is counted with 4 bytes: use bytes_per_number." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * 4

# %% wrong: bytes: four times advice="The bytes are twice what they should be: the factor is 2, for keys and values." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 4 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# %% wrong: bytes: a sum of heads for a product advice="layers and num_kv_heads are added: each layer has num_kv_heads heads, so multiply." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * (layers + num_kv_heads) * head_size * bytes_per_number

# %% wrong: bytes: in KiB advice="The bytes are divided by 1024: return plain bytes." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number / 1024

# %% wrong: work: two operations each advice="The multiply-adds are twice what they should be: the factor 2 is for scores and weighted sums, and a multiply and its add count as one." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 4 * batch * seq_len * layers * num_heads * head_size

# %% wrong: work: both kinds of heads advice="The multiply-adds have num_heads and num_kv_heads: each query head meets one key head, so count num_heads alone." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_heads * num_kv_heads * head_size

# %% wrong: work: scores of query heads, mixing of key heads advice="The scores or the weighted sums are counted with num_kv_heads: both are computed for each of the num_heads query heads." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * layers * (num_heads + num_kv_heads) * head_size

# %% wrong: work: half of all queries advice="The multiply-adds are those of a whole causal table, or have seq_len squared in the scores or the weighted sums: there is only one new query, so each takes seq_len · head_size." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * (seq_len + 1) * layers * num_heads * head_size

# %% wrong: work: no seq_len advice="The multiply-adds are those of one key: multiply them by seq_len." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * layers * num_heads * head_size

# %% wrong: work: no head_size advice="head_size is missing in the multiply-adds: one score takes head_size of them." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_heads

# %% wrong: work: head_size squared advice="The multiply-adds have head_size squared: one score takes head_size of them, and projections don't count." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size**2

# %% wrong: work: projections, too advice="The multiply-adds count projections, too: only scores and weighted sums count here." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size + 4 * batch * layers * (num_heads * head_size) ** 2

# %% wrong: work: its own key, too advice="The multiply-adds count one key more: the new token's own key doesn't count here." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * (seq_len + 1) * layers * num_heads * head_size

# %% wrong: work: one head advice="num_heads is missing in the multiply-adds: each query head computes scores and weighted sums." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * head_size

# %% wrong: work: with bytes advice="The multiply-adds are multiplied by bytes_per_number: the size of a number doesn't change the work." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size * bytes_per_number

# %% wrong: work: softmax, too advice="The multiply-adds count one more for each score, as for the softmax: count head_size for a score and head_size for its value." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * layers * num_heads * (2 * head_size + 1)

# %% wrong: work: additions one fewer advice="The multiply-adds count one fewer for each score: a multiply and its add count as one, so a score takes head_size." of="reference"
# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * layers * num_heads * (2 * head_size - 1)

# %% wrong: result: not divided advice="The intensity is the multiply-adds themselves: divide them by the bytes." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds

# %% wrong: result: rounded advice="The intensity is rounded to an integer: return the quotient as it is." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, round(multiply_adds / cache_bytes)

# %% wrong: result: rounded to one place advice="The intensity is rounded: return the quotient as it is." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, round(multiply_adds / cache_bytes, 1)

# %% wrong: result: two operations in the intensity advice="The intensity is twice what it should be: it is the multiply-adds divided by the bytes, both as you return them." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, 2 * multiply_adds / cache_bytes

# %% wrong: result: for each number advice="The intensity is per number of the cache: divide by the bytes." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds * bytes_per_number / cache_bytes

# %% wrong: result: of keys alone advice="The intensity is twice what it should be: it is the multiply-adds divided by the bytes, both as you return them." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds / (cache_bytes / 2)

# %% wrong: result: for one sequence advice="The intensity is divided by batch: the bytes are those of all sequences already." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds / cache_bytes / batch

# %% wrong: result: for each layer advice="The intensity is divided by layers: the bytes are those of all layers already." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds / cache_bytes / layers

# %% wrong: result: a difference advice="The intensity is a difference: divide the multiply-adds by the bytes." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds - cache_bytes

# %% wrong: result: a product advice="The intensity is a product: divide the multiply-adds by the bytes." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds * cache_bytes

# %% wrong: result: in another order advice="The first two results are swapped: return (cache_bytes, multiply_adds, intensity)." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return multiply_adds, cache_bytes, multiply_adds / cache_bytes

# %% wrong: result: intensity first advice="The results are in another order: return (cache_bytes, multiply_adds, intensity)." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return multiply_adds / cache_bytes, cache_bytes, multiply_adds

# %% wrong: result: in reverse advice="The results are in reverse order: return (cache_bytes, multiply_adds, intensity)." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return multiply_adds / cache_bytes, multiply_adds, cache_bytes

# %% wrong: result: intensity alone advice="Only the intensity was returned: return (cache_bytes, multiply_adds, intensity)." of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return multiply_adds / cache_bytes

# %% wrong: result: intensity forgotten says="return 3 values" of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds

# %% wrong: result: no return says="does your function end with a return?" of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: intensity = multiply_adds / cache_bytes

# %% wrong: result: a dict of other names says="it should have the keys cache_bytes, multiply_adds, intensity" of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return {"bytes": cache_bytes, "work": multiply_adds, "ratio": multiply_adds / cache_bytes}

# %% wrong: result: another name says="is not defined" of="reference"
# was:     return cache_bytes, multiply_adds, multiply_adds / cache_bytes
# becomes: return cache_bytes, multiply_adds, multiply_adds / cache_size

# %% wrong: both of one layer advice="Both counts are those of one layer: multiply them by layers." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * num_kv_heads * head_size * bytes_per_number

# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * num_heads * head_size

# %% wrong: both of one sequence advice="Both counts are those of one sequence: multiply them by batch." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * seq_len * layers * num_heads * head_size

# %% wrong: both without their factor 2 advice="Both counts are half of what they should be: the factor 2 of the bytes is for keys and values, that of the multiply-adds for scores and weighted sums." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number

# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = batch * seq_len * layers * num_heads * head_size

# %% wrong: kinds of heads exchanged advice="num_heads and num_kv_heads are swapped: the cache has num_kv_heads, the work num_heads." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_heads * head_size * bytes_per_number

# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * seq_len * layers * num_kv_heads * head_size

# %% wrong: with the new token advice="Both counts have one token more: seq_len tokens are in the cache, and the new one's own key doesn't count." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: cache_bytes = 2 * batch * (seq_len + 1) * layers * num_kv_heads * head_size * bytes_per_number

# was:     multiply_adds = 2 * batch * seq_len * layers * num_heads * head_size
# becomes: multiply_adds = 2 * batch * (seq_len + 1) * layers * num_heads * head_size

# %% wrong: head_size is that of the model advice="Both counts lack head_size, or have it divided by num_heads: multiply by head_size, which is that of one head already." of="reference"
# was:     cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
# becomes: head_size = head_size // num_heads
# becomes: cache_bytes = 2 * batch * seq_len * layers * num_kv_heads * head_size * bytes_per_number
