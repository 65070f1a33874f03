# %% right: an iterator that skips
def merge_pair(ids, pair, new_id):
    made, skip = [], False
    for place, one in enumerate(ids):
        if skip:
            skip = False
        elif place + 1 < len(ids) and one == pair[0] and ids[place + 1] == pair[1]:
            made.append(new_id)
            skip = True
        else:
            made.append(one)
    return made

# %% right: a queue
def merge_pair(ids, pair, new_id):
    rest, made = list(ids), []
    while rest:
        one = rest.pop(0)
        if rest and (one, rest[0]) == tuple(pair):
            rest.pop(0)
            one = new_id
        made.append(one)
    return made

# %% right: the last token of the new list
def merge_pair(ids, pair, new_id):
    made, free = [], False
    for one in ids:
        # The last token can be merged unless it is the result of a merge.
        if free and made[-1] == pair[0] and one == pair[1]:
            made[-1], free = new_id, False
        else:
            made.append(one)
            free = True
    return made

# %% wrong: a recursion, which long lists end says="RecursionError" unseen="no visible test has such an input" visible=false fails=["merge-pair-test"]
def merge_pair(ids, pair, new_id):
    if len(ids) < 2:
        return list(ids)
    if tuple(ids[:2]) == tuple(pair):
        return [new_id] + merge_pair(ids[2:], pair, new_id)
    return [ids[0]] + merge_pair(ids[1:], pair, new_id)

# %% wrong: only the first occurrence advice="Only the first occurrence is merged: go on to the end of the list."
def merge_pair(ids, pair, new_id):
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == pair:
            return ids[:i] + [new_id] + ids[i + 2:]
    return list(ids)

# %% wrong: overlapping pairs advice="A token is used in two merges: after a match, go on two places." fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:             i += 2
# becomes:         i += 1

# %% wrong: overlapping pairs, with the second token dropped advice="A token is used in two merges: after a match, go on two places, also in a row of equal ids." fails=["merge-pair-test", "apply-merges-test"]
def merge_pair(ids, pair, new_id):
    made = []
    for i, one in enumerate(ids):
        if i and (ids[i - 1], one) == pair:
            made[-1] = new_id
        else:
            made.append(one)
    return made

# %% wrong: from right to left advice="The pairs are taken from right to left: go from left to right." fails=["merge-pair-test", "apply-merges-test"]
def merge_pair(ids, pair, new_id):
    made, i = [], len(ids) - 1
    while i >= 0:
        if i and (ids[i - 1], ids[i]) == pair:
            made.insert(0, new_id)
            i -= 2
        else:
            made.insert(0, ids[i])
            i -= 1
    return made

# %% wrong: either order advice="A pair has an order: (5, 3) is not (3, 5)." fails=["merge-pair-test", "apply-merges-test"] of="reference"
# was:         if ids[i:i + 2] == list(pair):
# becomes:     if sorted(ids[i:i + 2]) == sorted(pair):

# %% wrong: only the first id compared advice="Only the left id is compared: both have to match." fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         if ids[i:i + 2] == list(pair):
# becomes:     if ids[i] == pair[0]:

# %% wrong: the last id is lost advice="The last id is lost if it is not part of a pair: let the loop run to the end of the list." fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:     while i < len(ids):
# becomes: while i < len(ids) - 1:

# %% wrong: a list compared with a tuple advice="Nothing is merged: a list never equals a tuple, so compare with list(pair)." fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"] of="reference"
# was:         if ids[i:i + 2] == list(pair):
# becomes:     if ids[i:i + 2] == pair:

# %% wrong: digits replaced in a text advice="The pair is also found within other ids, such as (1, 2) in 11, 2: compare whole ids, not the digits in a text." fails=["merge-pair-test", "apply-merges-test"]
def merge_pair(ids, pair, new_id):
    text = " ".join(map(str, ids)).replace(f"{pair[0]} {pair[1]}", str(new_id))
    return [int(one) for one in text.split()]

# %% wrong: is for == advice="Large ids are not merged: equal integers may be separate objects, so compare with ==, not with is." fails=["merge-pair-test"]
def merge_pair(ids, pair, new_id):
    made, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and ids[i] is pair[0] and ids[i + 1] is pair[1]:
            made.append(new_id)
            i += 2
        else:
            made.append(ids[i])
            i += 1
    return made

# %% wrong: ids as bytes says="keep the ids in a list of integers" fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"]
def merge_pair(ids, pair, new_id):
    return list(bytes(ids).replace(bytes(pair), bytes([new_id])))

# %% wrong: ids in an array of bytes says="keep the ids in a list of integers" fails=["merge-pair-test", "apply-merges-test", "encode-decode-encode-test"]
def merge_pair(ids, pair, new_id):
    numbers, made, i = np.array(ids, dtype=np.uint8), [], 0
    while i < len(numbers):
        both = i + 1 < len(numbers) and tuple(numbers[i:i + 2].tolist()) == tuple(pair)
        made.append(new_id if both else int(numbers[i]))
        i += 2 if both else 1
    return made

# %% wrong: recursive: RecursionError for about 1000 ids says="recursion depth" unseen="no visible test has such an input" visible=false fails=["merge-pair-test"]
def merge_pair(ids, pair, new_id):
    if len(ids) < 2:
        return list(ids)
    if ids[0] == pair[0] and ids[1] == pair[1]:
        return [new_id] + merge_pair(ids[2:], pair, new_id)
    return [ids[0]] + merge_pair(ids[1:], pair, new_id)
