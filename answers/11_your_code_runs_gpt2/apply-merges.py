# %% right: one merge after the other over the whole list
def apply_merges(ids, merges):
    made = list(ids)
    for pair, new_id in sorted(merges.items(), key=lambda one: one[1]):
        made = merge_pair(made, pair, new_id)
    return made

# %% right: one place at a time
def apply_merges(ids, merges):
    ids = [*ids]
    while len(ids) > 1:
        ranks = [merges.get((a, b), float("inf")) for a, b in zip(ids, ids[1:])]
        place = ranks.index(min(ranks))
        if ranks[place] == float("inf"):
            break
        ids[place:place + 2] = [ranks[place]]
    return ids

# %% right: recursion on the smallest id
def apply_merges(ids, merges):
    found = {merges[pair]: pair for pair in set(zip(ids[:-1], ids[1:])) & merges.keys()}
    if not found:
        return list(ids)
    new_id = min(found)
    return apply_merges(merge_pair(list(ids), found[new_id], new_id), merges)

# %% wrong: by position advice="The pair is chosen by its place or by how often it occurs: take the pair with the smallest id in merges, wherever it is." fails=["apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         best = min(pairs, key=merges.get)
# becomes:     best = pairs[0]

# %% wrong: largest id first advice="The wrong pair comes first: take the pair whose id in merges is smallest, with min and key=merges.get." fails=["apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         best = min(pairs, key=merges.get)
# becomes:     best = max(pairs, key=merges.get)

# %% wrong: smallest pair advice="The wrong pair comes first: take the pair whose id in merges is smallest, with min and key=merges.get." fails=["apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         best = min(pairs, key=merges.get)
# becomes:     best = min(pairs)

# %% wrong: a single merge advice="It stops after one merge: repeat until no pair of neighbours is in merges." fails=["apply-merges-test", "encode-decode-encode-test"]
def apply_merges(ids, merges):
    pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
    return merge_pair(ids, min(pairs, key=merges.get), merges[min(pairs, key=merges.get)]) if pairs else list(ids)

# %% wrong: one pass from left to right advice="This goes once through the text and merges greedily: go by rank, and start again after each merge." fails=["apply-merges-test", "encode-decode-encode-test"]
def apply_merges(ids, merges):
    made = []
    for one in ids:
        if made and (made[-1], one) in merges:
            made[-1] = merges[made[-1], one]
        else:
            made.append(one)
    return made

# %% wrong: most frequent pair advice="The pair is chosen by its place or by how often it occurs: take the pair with the smallest id in merges, wherever it is." fails=["apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         best = min(pairs, key=merges.get)
# becomes:     best = max(pairs, key=pairs.count)

# %% wrong: pairs only of the first list advice="Tokens that were made by a merge are not merged again: find the pairs again after each merge." fails=["apply-merges-test", "encode-decode-encode-test"]
def apply_merges(ids, merges):
    pairs = {pair for pair in zip(ids, ids[1:]) if pair in merges}
    for pair in sorted(pairs, key=merges.get):
        ids = merge_pair(ids, pair, merges[pair])
    return list(ids)

# %% wrong: the last pair first advice="The pair is chosen by its place or by how often it occurs: take the pair with the smallest id in merges, wherever it is." fails=["apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         best = min(pairs, key=merges.get)
# becomes:     best = pairs[-1]

# %% wrong: backwards through the merges advice="The merges are applied from the last to the first: the smallest id comes first." fails=["apply-merges-test", "encode-decode-encode-test"] of="one merge after the other over the whole list"
# was:     for pair, new_id in sorted(merges.items(), key=lambda one: one[1]):
# becomes: for pair, new_id in sorted(merges.items(), key=lambda one: -one[1]):

# %% wrong: at most 20 merges advice="It stops too early: repeat until no pair of neighbours is in merges, however many merges that takes." of="reference"
# was:     for _ in range(len(ids)):  # enough, because each merge leaves fewer ids
# becomes: for _ in range(20):

# %% wrong: results kept between calls advice="This result belongs to an earlier call with other merges: keep nothing from one call to the next." fails=["apply-merges-test", "encode-decode-encode-test"]
merged_before = {}


def apply_merges(ids, merges):
    key = tuple(ids)
    while key not in merged_before:
        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
        if pairs:
            best = min(pairs, key=merges.get)
            ids = merge_pair(ids, best, merges[best])
        else:
            merged_before[key] = ids
    return list(merged_before[key])

# %% wrong: a fixed number of rounds advice="It stops too early: repeat until no pair of neighbours is in merges, however many merges that takes." of="reference"
# was:     for _ in range(len(ids)):  # enough, because each merge leaves fewer ids
# becomes: for _ in range(min(len(ids), 10)):

# %% wrong: the longest token first advice="This takes the longest token that fits, from left to right: merge the pair with the smallest new id, again and again." fails=["apply-merges-test"]
def apply_merges(ids, merges):
    pairs = {new: pair for pair, new in merges.items()}

    def spelled(one):
        return spelled(pairs[one][0]) + spelled(pairs[one][1]) if one in pairs else (one,)

    tokens = {spelled(new): new for new in pairs}
    made, i = [], 0
    while i < len(ids):
        end = next((end for end in range(len(ids), i + 1, -1) if tuple(ids[i:end]) in tokens), i + 1)
        made.append(tokens.get(tuple(ids[i:end]), ids[i]))
        i = end
    return made

# %% wrong: the order of the dict for the rank says="in a longer list" unseen="no visible test has such an input" visible=false fails=["apply-merges-test"]
def apply_merges(ids, merges):
    made = list(ids)
    for pair, new_id in merges.items():
        made = merge_pair(made, pair, new_id)
    return made
