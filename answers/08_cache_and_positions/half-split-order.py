# %% right: two ranges
def half_split_order(d):
    return list(range(0, d, 2)) + list(range(1, d, 2))

# %% right: pairs turned into two rows
def half_split_order(d):
    return np.arange(d).reshape(d // 2, 2).T.reshape(d)

# %% right: a loop over pairs
def half_split_order(d):
    order = [None] * d
    for i in range(d // 2):
        order[i], order[d // 2 + i] = 2 * i, 2 * i + 1
    return order

# %% right: by arithmetic
def half_split_order(d):
    return [2 * n % d + 2 * n // d for n in range(d)]

# %% right: sorted by parity
def half_split_order(d):
    return sorted(range(d), key=lambda n: n % 2)

# %% right: slices, as a tuple
def half_split_order(d):
    features = np.arange(d)
    return *features[::2], *features[1::2]

# %% right: in torch
def half_split_order(d):
    return torch.arange(d).view(-1, 2).mT.flatten()

# %% wrong: as they are advice="The features stay where they were: all even ones, 0, 2, 4, …, go to the first half, the odd ones to the second." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d)

# %% wrong: the way back advice="This is the way back, from halves to neighbours: order[0], order[1], … are the old places 0, 2, 4, …, then 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(2, d // 2).T.ravel()

# %% wrong: argsort of it advice="This is the way back, from halves to neighbours: order[0], order[1], … are the old places 0, 2, 4, …, then 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.argsort(np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)]))

# %% wrong: the way back, in a loop advice="This is the way back, from halves to neighbours: order[0], order[1], … are the old places 0, 2, 4, …, then 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: order = []
# becomes: for i in range(d // 2):
# becomes:     order += [i, i + d // 2]
# becomes: return order

# %% wrong: odd first advice="The odd features stand first: the even ones, 0, 2, 4, …, belong to the first half." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(1, d, 2), np.arange(0, d, 2)])

# %% wrong: halves exchanged advice="The two halves have only changed places: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.roll(np.arange(d), d // 2)

# %% wrong: turned round advice="The features are in reverse order: all even ones, 0, 2, 4, …, go to the first half, the odd ones to the second, rising." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d)[::-1]

# %% wrong: neighbours exchanged advice="Neighbours have only changed places: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(-1, 2)[:, ::-1].ravel()

# %% wrong: odd ones fall advice="The odd features fall: they rise, 1, 3, 5, …, so that feature 1 stands d/2 places after feature 0." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)[::-1]])

# %% wrong: even ones fall advice="The even features fall: they rise, 0, 2, 4, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 2)[::-1], np.arange(1, d, 2)])

# %% wrong: both fall advice="Both halves fall: they rise, 0, 2, 4, … and then 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 2)[::-1], np.arange(1, d, 2)[::-1]])

# %% wrong: even ones alone advice="Only the even features came back: the odd ones, 1, 3, 5, …, follow them." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(0, d, 2)

# %% wrong: odd ones alone advice="Only the odd features came back: the even ones, 0, 2, 4, …, stand before them." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(1, d, 2)

# %% wrong: counted from 1 advice="The features are counted from 1: the first is feature 0." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(1, d + 1, 2), np.arange(2, d + 1, 2)])

# %% wrong: even and even advice="The even features are there twice: the second half holds the odd ones, 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 2), np.arange(0, d, 2)])

# %% wrong: odd and odd advice="The odd features are there twice: the first half holds the even ones, 0, 2, 4, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(1, d, 2), np.arange(1, d, 2)])

# %% wrong: even, then each plus half advice="The second half of the order is the old second half: put the odd features there, 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 2), np.arange(d // 2, d)])

# %% wrong: two halves, one after the other, twice advice="The first half of the order is the old first half: put the even features there, 0, 2, 4, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d // 2), np.arange(1, d, 2)])

# %% wrong: as a table of two rows advice="The order has two axes: put its two rows one after the other, with reshape(d), so that d numbers come back." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(-1, 2).T

# %% wrong: as a table of pairs advice="The order has two axes: give back d numbers, all even features and then the odd ones." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(-1, 2)

# %% wrong: as a list of two lists advice="The order has two axes: put its two rows one after the other, with reshape(d), so that d numbers come back." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return [list(range(0, d, 2)), list(range(1, d, 2))]

# %% wrong: two arrays advice="The order has two axes: put its two rows one after the other, with reshape(d), so that d numbers come back." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(0, d, 2), np.arange(1, d, 2)

# %% wrong: pairs of features advice="These are the pairs of the other convention: give back d numbers, all even features and then the odd ones." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return [(i, i + d // 2) for i in range(d // 2)]

# %% wrong: for 6 features advice="This is the order of 6 features: make it for any d, with range(0, d, 2) and range(1, d, 2)." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return [0, 2, 4, 1, 3, 5]

# %% wrong: for 8 features advice="This is the order of 8 features: make it for any d, with range(0, d, 2) and range(1, d, 2)." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return [0, 2, 4, 6, 1, 3, 5, 7]

# %% wrong: step of half advice="This is the way back, from halves to neighbours: order[0], order[1], … are the old places 0, 2, 4, …, then 1, 3, 5, …." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return [n for start in range(d // 2) for n in range(start, d, d // 2)]

# %% wrong: thirds advice="Each third feature is taken: take each second one, first the even and then the odd." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d, 3), np.arange(1, d, 3), np.arange(2, d, 3)])

# %% wrong: pairs of pairs advice="The pairs are in reverse order, and still neighbours: all even features, 0, 2, 4, …, go to the first half, the odd ones to the second." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(-1, 2)[::-1].ravel()

# %% wrong: last one left out advice="The last feature is missing: the odd ones end with d − 1, so range(1, d, 2) ends at d." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d - 1, 2), np.arange(1, d - 1, 2)])

# %% wrong: first one left out advice="Feature 0 is missing: the even ones begin with it." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(2, d, 2), np.arange(1, d, 2)])

# %% wrong: half as many advice="Only d/2 features came back: let both ranges run to d." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, d // 2, 2), np.arange(1, d // 2, 2)])

# %% wrong: twice as many advice="There are 2·d numbers: let both ranges end at d." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate([np.arange(0, 2 * d, 2), np.arange(1, 2 * d, 2)])

# %% wrong: truth values advice="These are truth values, which choose features: give back their numbers, all even ones and then the odd ones." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d) % 2 == 0

# %% wrong: parities advice="These are remainders by 2: give back the features' numbers, all even ones and then the odd ones." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d) % 2

# %% wrong: sorted numbers advice="The features stay where they were: all even ones, 0, 2, 4, …, go to the first half, the odd ones to the second." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.sort(np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)]))

# %% wrong: a set says="should be one array of numbers" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return set(range(0, d, 2)) | set(range(1, d, 2))

# %% wrong: added up advice="The two halves are added: put them one after the other, with np.concatenate." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(0, d, 2) + np.arange(1, d, 2)

# %% wrong: shuffled features themselves advice="These are features that were put in order: give back the order itself, d whole numbers." of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.random.default_rng(0).normal(size=(3, d))[:, np.r_[0:d:2, 1:d:2]]

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: order = np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])

# %% wrong: print instead says="does your function end with a return?" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: print([*range(0, d, 2), *range(1, d, 2)])

# %% wrong: two arrays for concatenate says="integer scalar arrays can be converted" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.concatenate(np.arange(0, d, 2), np.arange(1, d, 2))

# %% wrong: half of d is no whole number says="cannot be interpreted as an integer" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return np.arange(d).reshape(d / 2, 2).T.ravel()

# %% wrong: ranges added says="unsupported operand" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return range(0, d, 2) + range(1, d, 2)

# %% wrong: a list changed in place, and its None says="does your function end with a return?" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return list(range(0, d, 2)).extend(range(1, d, 2))

# %% wrong: a dict says="it should have the keys order" of="reference"
# was:     return np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])
# becomes: return {n: 2 * n % d + 2 * n // d for n in range(d)}
