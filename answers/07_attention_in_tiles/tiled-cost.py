# %% right: single keys and queries in a table
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    i, j = np.arange(n)[:, None], np.arange(n)
    ends = np.minimum(i // tile_q * tile_q + tile_q, n) - 1
    live = (j // tile_k * tile_k <= ends) if causal else np.ones((n, n), dtype=bool)
    size = d_k + d_v
    return n * size + live[::tile_q].sum() * size, live.sum() * size

# %% right: closed form, tile of queries by tile
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    keys_for = lambda last: min(n, (last // tile_k + 1) * tile_k) if causal else n
    starts = range(0, n, tile_q)
    lasts = [min(start + tile_q, n) - 1 for start in starts]
    brought = sum(keys_for(last) for last in lasts)
    scores = sum((last + 1 - start) * keys_for(last) for start, last in zip(starts, lasts))
    return (d_k + d_v) * (n + brought), (d_k + d_v) * scores

# %% right: counts what 7.4 would do, as a list
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    traffic, products = [n * d_k, n * d_v], []
    i = 0
    while i < n:
        q_stop, j = min(i + tile_q, n), 0
        while j < n and (not causal or j < q_stop):
            k_stop = min(j + tile_k, n)
            traffic += [(k_stop - j) * d_k, (k_stop - j) * d_v]
            products += [(q_stop - i) * (k_stop - j) * d_k, (q_stop - i) * (k_stop - j) * d_v]
            j = k_stop
        i = q_stop
    return [sum(traffic), sum(products)]

# %% right: recursion over tiles of queries, divmod
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    def rest(i):
        if i >= n:
            return 0, 0
        rows = tile_q if i + tile_q <= n else n - i
        whole, over = divmod(i + rows if causal else n, tile_k)
        cols = min((whole + (over > 0)) * tile_k, n)
        moved, work = rest(i + rows)
        return moved + (rows + cols) * (d_k + d_v), work + rows * cols * (d_k + d_v)
    return rest(0)

# %% right: lengths of tiles, a matrix product
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    rows = np.diff([*range(0, n, tile_q), n])
    cols = np.diff([*range(0, n, tile_k), n])
    live = np.ones((len(rows), len(cols)))
    if causal:
        live = np.cumsum(cols)[None, :] - cols < np.cumsum(rows)[:, None]
    scores = rows @ live @ cols
    keys = (live @ cols).sum()
    return int(n + keys) * (d_k + d_v), int(scores) * (d_k + d_v)

# %% right: runs 7.4 with functions that only count
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    moved, work = [], []
    def rows_of(name, start, stop):
        length = min(stop, n) - start
        size = {"K": d_k, "V": d_v, "Q": d_k}[name]
        moved.append(length * size)
        return length
    for i in range(0, n, tile_q):
        rows = rows_of("Q", i, i + tile_q)
        for j in range(0, n, tile_k):
            if not causal or j <= i + rows - 1:
                cols = rows_of("K", j, j + tile_k)
                work.append(rows * cols * d_k)
                rows_of("V", j, j + tile_k)
                work.append(rows * cols * d_v)
        moved.append(rows * d_v)
    return float(sum(moved)), float(sum(work))

# %% wrong: output not counted advice="The output is not counted: each of its rows, d_v numbers, is written once." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * d_k

# %% wrong: queries not counted advice="The queries are not counted: each row of Q, d_k numbers, is read once." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * d_v

# %% wrong: neither queries nor output advice="What is moved is n · (d_k + d_v) too little: did you count Q and the output, and the round of the last tile of queries, which is not full?" of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: pass

# %% wrong: the output as wide as a query advice="A row of the output has d_v numbers, not d_k." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * (d_k + d_k)

# %% wrong: queries as wide as values advice="A row of Q has d_k numbers, not d_v." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * (d_v + d_v)

# %% wrong: values not moved advice="The values are not counted in what is moved: with each key comes its value, d_v numbers." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * d_k

# %% wrong: keys not moved advice="The keys are not counted in what is moved: with each value comes its key, d_k numbers." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * d_v

# %% wrong: values as wide as keys advice="A value has d_v numbers, not d_k." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * 2 * d_k

# %% wrong: keys as wide as values advice="A key has d_k numbers, not d_v." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * 2 * d_v

# %% wrong: queries for each tile of keys advice="Q and the output are counted once for each tile of keys: count them once for each tile of queries, outside the inner loop." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes:

# was:     moved += cols * (d_k + d_v)
# becomes: moved += (rows + cols) * (d_k + d_v)

# %% wrong: queries read for each tile of keys advice="Q is counted once for each tile of keys: a tile of queries is read once, before the inner loop." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * d_v

# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * (d_k + d_v) + rows * d_k

# %% wrong: output written for each tile of keys advice="The output is counted once for each tile of keys: its rows are written once, after the inner loop." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes: moved += rows * d_k

# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * (d_k + d_v) + rows * d_v

# %% wrong: keys once advice="The keys and values are counted once: they come past again for each tile of queries." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * (d_k + d_v) * (i == 0)

# %% wrong: all once advice="The keys and values are counted once: they come past again for each tile of queries." of="reference"
# was:     moved += rows * (d_k + d_v)
# becomes:

# was:     moved += cols * (d_k + d_v)
# becomes:

# was:     return moved, work
# becomes: return 2 * n * (d_k + d_v), work

# %% wrong: keys for each query advice="The keys and values are counted for each query: they are read once for a whole tile of queries." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += rows * cols * (d_k + d_v)

# %% wrong: tiles always full advice="All tiles are counted as full: the last ones have only n − start rows or columns." of="reference"
# was:     rows = min(tile_q, n - i)
# becomes: rows = tile_q

# was:     cols = min(tile_k, n - j)
# becomes: cols = tile_k

# %% wrong: tiles of queries always full advice="Every tile of queries is counted as full: the last one has only n − i rows." of="reference"
# was:     rows = min(tile_q, n - i)
# becomes: rows = tile_q

# %% wrong: tiles of keys always full advice="Every tile of keys is counted as full: the last one has only n − j columns." of="reference"
# was:     cols = min(tile_k, n - j)
# becomes: cols = tile_k

# %% wrong: last tiles left out advice="Tiles that are not full are left out: the last ones count with the rows and columns that they have." of="reference"
# was:     for i in range(0, n, tile_q):
# becomes: for i in range(0, n - tile_q + 1, tile_q):

# was:     for j in range(0, n, tile_k):
# becomes: for j in range(0, n - tile_k + 1, tile_k):

# %% wrong: last tile of queries left out advice="The last tile of queries is left out: it counts with the rows that it has." of="reference"
# was:     for i in range(0, n, tile_q):
# becomes: for i in range(0, n // tile_q * tile_q, tile_q):

# %% wrong: last tile of keys left out advice="The last tile of keys is left out: it counts with the columns that it has." of="reference"
# was:     for j in range(0, n, tile_k):
# becomes: for j in range(0, n // tile_k * tile_k, tile_k):

# %% wrong: tiles exchanged advice="Q and the output are counted again and again, or in steps of tile_k: the outer loop goes over queries, in steps of tile_q, and the keys come past in the inner one." of="reference"
# was:     for i in range(0, n, tile_q):
# becomes: tile_q, tile_k = tile_k, tile_q
# becomes: for i in range(0, n, tile_q):

# %% wrong: keys outside, queries inside advice="Q and the output are counted again and again, or in steps of tile_k: the outer loop goes over queries, in steps of tile_q, and the keys come past in the inner one."
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    moved = work = 0
    for j in range(0, n, tile_k):
        cols = min(tile_k, n - j)
        moved += cols * (d_k + d_v)
        for i in range(0, n, tile_q):
            rows = min(tile_q, n - i)
            if causal and j > i + rows - 1:
                continue
            moved += rows * (d_k + d_v)
            work += rows * cols * (d_k + d_v)
    return moved, work

# %% wrong: work without mixing advice="The mixing is not counted: each weight is multiplied with d_v numbers of a value." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += rows * cols * d_k

# %% wrong: work without scores advice="The scores are not counted: each of them takes d_k multiply-adds." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += rows * cols * d_v

# %% wrong: a product for d_k and d_v advice="d_k and d_v are multiplied: each score takes d_k multiply-adds, and its weight then takes d_v more." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += rows * cols * d_k * d_v

# %% wrong: multiply and add as two advice="The multiply-adds are twice too many: a multiply and its add count as one." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += 2 * rows * cols * (d_k + d_v)

# %% wrong: mixing as wide as the scores advice="The mixing takes d_v multiply-adds for each weight, not d_k." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += 2 * rows * cols * d_k

# %% wrong: scores only counted advice="These are the scores: each takes d_k multiply-adds, and the mixing takes d_v for each." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += rows * cols

# %% wrong: rows plus cols advice="rows and columns are added: a tile has rows · cols scores." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += (rows + cols) * (d_k + d_v)

# %% wrong: work of the whole tile sizes advice="The multiply-adds are counted as if all tiles were full: the last ones have fewer rows or columns." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += tile_q * tile_k * (d_k + d_v)

# %% wrong: softmax counted too advice="There is one multiply-add too many for each score: only d_k for the score and d_v for the mixing count." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += rows * cols * (d_k + d_v + 1)

# %% wrong: scores moved too advice="The scores are counted as moved: they stay in the fast memory and are never written." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * (d_k + d_v) + rows * cols

# %% wrong: scores written and read advice="The scores are counted as moved: they stay in the fast memory and are never written." of="reference"
# was:     moved += cols * (d_k + d_v)
# becomes: moved += cols * (d_k + d_v) + 2 * rows * cols

# %% wrong: causal does nothing advice="The causal mask changes nothing here: leave out tiles whose first key comes after their last query." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# becomes:

# %% wrong: live by the first query advice="A tile is left out though its last query sees its first key: it is live, and counts whole." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j > i:

# %% wrong: a tile with its first key at its last query left out advice="A tile is left out though its last query sees its first key: it is live, and counts whole." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j >= i + rows - 1:

# %% wrong: only tiles that are seen whole advice="A tile is left out though its last query sees its first key: it is live, and counts whole." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j + tile_k > i + 1:

# %% wrong: as many keys as queries so far advice="A tile is left out though its last query sees its first key: it is live, and counts whole." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j + min(tile_k, n - j) > i + rows:

# %% wrong: tile numbers compared advice="The number of a tile of keys is compared with that of a tile of queries, though they are of different lengths: compare its first key with the last query." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j // tile_k > i // tile_q:

# %% wrong: half of the table advice="Half of the table is counted: count the live tiles one by one, each of them whole." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# becomes:

# was:     return moved, work
# becomes: return (moved, work // 2) if causal else (moved, work)

# %% wrong: half of the table and half of the keys advice="Half of everything is counted: count the live tiles one by one, each of them whole, and Q and the output in full." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# becomes:

# was:     return moved, work
# becomes: return (moved // 2, work // 2) if causal else (moved, work)

# %% wrong: only visible scores advice="Only scores that are seen are counted: a live tile is computed whole, so all of its scores count." of="reference"
# was:     work += rows * cols * (d_k + d_v)
# becomes: work += sum(1 for r in range(i, i + rows) for c in range(j, j + cols) if not causal or c <= r) * (d_k + d_v)

# %% wrong: only visible keys moved advice="Only the keys up to the tile's last query are counted: a live tile counts whole, with all of its columns." of="reference"
# was:     cols = min(tile_k, n - j)
# becomes: cols = min(tile_k, n - j, i + rows - j) if causal else min(tile_k, n - j)

# %% wrong: moved for dead tiles, too advice="Keys of a dead tile are counted as moved: dead tiles are not read." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# was:     cols = min(tile_k, n - j)
# was:     moved += cols * (d_k + d_v)
# becomes: cols = min(tile_k, n - j)
# becomes: moved += cols * (d_k + d_v)
# becomes: if causal and j > i + rows - 1:
# becomes:     break

# %% wrong: moved for all dead tiles advice="Keys of a dead tile are counted as moved: dead tiles are not read." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# was:     cols = min(tile_k, n - j)
# was:     moved += cols * (d_k + d_v)
# becomes: cols = min(tile_k, n - j)
# becomes: moved += cols * (d_k + d_v)
# becomes: if causal and j > i + rows - 1:
# becomes:     continue

# %% wrong: the diagonal left out advice="A tile is left out though its last query sees its first key: it is live, and counts whole." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j >= i:

# %% wrong: a dead tile ends all advice="The count stops at the first dead tile: go on with the next tile of queries, since break leaves the inner loop only." of="reference"
# was:     if causal and j > i + rows - 1:
# was:         break
# becomes: if causal and j > i + rows - 1:
# becomes:     return moved, work

# %% wrong: a dead tile counted advice="A tile whose first key comes just after its last query is counted: it is dead." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j > i + rows:

# %% wrong: a full tile's last query advice="One tile too many is counted for each tile of queries: a tile is dead if its first key comes after its last query." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if causal and j > i + tile_q - 1 + tile_k:

# %% wrong: always causal advice="Tiles are left out though causal is False: leave them out only if causal." of="reference"
# was:     if causal and j > i + rows - 1:
# becomes: if j > i + rows - 1:

# %% wrong: results exchanged advice="The two have changed places: give back (numbers_moved, multiply_adds)." of="reference"
# was:     return moved, work
# becomes: return work, moved

# %% wrong: only what is moved advice="Give back two numbers: (numbers_moved, multiply_adds)." of="reference"
# was:     return moved, work
# becomes: return moved

# %% wrong: only the work advice="Give back two numbers: (numbers_moved, multiply_adds)." of="reference"
# was:     return moved, work
# becomes: return work

# %% wrong: nothing given back says="does your function end with a return?" of="reference"
# was:     return moved, work
# becomes: pass

# %% wrong: their sum advice="Give back two numbers: (numbers_moved, multiply_adds)." of="reference"
# was:     return moved, work
# becomes: return moved + work

# %% wrong: in bytes advice="These are 8 bytes for each number: give numbers, not bytes." of="reference"
# was:     return moved, work
# becomes: return 8 * moved, work

# %% wrong: printed says="does your function end with a return?" of="reference"
# was:     return moved, work
# becomes: print(moved, work)

# %% wrong: averages of a tile advice="The tiles are counted as n / tile_q and so are no whole number: round up, since the last one is a round of its own."
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    rounds, tiles = n / tile_q, n / tile_q * n / tile_k
    return n * (d_k + d_v) + rounds * n * (d_k + d_v), tiles * tile_q * tile_k * (d_k + d_v)

# %% wrong: whole numbers of tiles advice="What is moved is n · (d_k + d_v) too little: did you count Q and the output, and the round of the last tile of queries, which is not full?"
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    rounds = n // tile_q
    return n * (d_k + d_v) + rounds * n * (d_k + d_v), n * n * (d_k + d_v)

# %% wrong: tiles rounded up, no mask advice="The causal mask changes nothing here: leave out tiles whose first key comes after their last query."
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    rounds = math.ceil(n / tile_q)
    return n * (d_k + d_v) + rounds * n * (d_k + d_v), n * n * (d_k + d_v)

# %% wrong: sums forgotten advice="Only the last tile of queries is counted: begin with 0 before the outer loop, not inside of it."
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    for i in range(0, n, tile_q):
        rows = min(tile_q, n - i)
        moved, work = rows * (d_k + d_v), 0
        for j in range(0, n, tile_k):
            if causal and j > i + rows - 1:
                break
            cols = min(tile_k, n - j)
            moved += cols * (d_k + d_v)
            work += rows * cols * (d_k + d_v)
    return moved, work

# %% wrong: return inside the loop advice="Only the first tile of queries is counted: return after both loops, not inside of one."
def tiled_cost(n, d_k, d_v, tile_q, tile_k, causal=False):
    moved, work = 0, 0
    for i in range(0, n, tile_q):
        rows = min(tile_q, n - i)
        moved += rows * (d_k + d_v)
        for j in range(0, n, tile_k):
            if causal and j > i + rows - 1:
                break
            cols = min(tile_k, n - j)
            moved += cols * (d_k + d_v)
            work += rows * cols * (d_k + d_v)
        return moved, work
