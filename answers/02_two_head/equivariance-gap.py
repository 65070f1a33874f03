# %% right: explicit loops over entries
def equivariance_gap(attend, X, permutation):
    permuted = np.zeros_like(X)
    for j, n in enumerate(permutation):
        permuted[:, j] = X[:, n]
    first, last = attend(permuted), attend(X)
    gap = 0.0
    for d in range(len(first)):
        for j, n in enumerate(permutation):
            gap = max(gap, abs(first[d, j] - last[d, n]))
    return gap

# %% right: permutation as a matrix from the right
def equivariance_gap(attend, X, permutation):
    P = np.eye(len(permutation))[:, permutation]
    return np.linalg.norm((attend(X @ P) - attend(X) @ P).ravel(), ord=np.inf)

# %% right: take, and the result put back in order instead of permuting the other
def equivariance_gap(attend, X, permutation):
    back = np.argsort(permutation)
    restored = np.take(attend(np.take(X, permutation, axis=1)), back, axis=1)
    return np.ptp([0, np.max(np.abs(restored - attend(X)))])

# %% right: rows of the transposed table
def equivariance_gap(attend, X, permutation):
    first = attend(X.T[permutation].T)
    last = attend(X).T[permutation].T
    return max(np.max(first - last), np.max(last - first))

# %% base
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).max())

# %% wrong: sign lost advice="the sign is lost: take the absolute value of each difference, then the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float((first - last).max())

# %% wrong: sign lost, the other way round advice="the sign is lost: take the absolute value of each difference, then the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float((last - first).max())

# %% wrong: absolute value of the largest advice="the sign is lost: take the absolute value of each difference, then the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(abs((first - last).max()))

# %% wrong: smallest difference advice="this is the smallest of the signed differences: take the largest of their absolute values" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float((first - last).min())

# %% wrong: result not permuted advice="the columns of the two results are not in the same order: permute those of attend(X), and of no other result, before you subtract" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X)

# %% wrong: X not permuted advice="permute the columns of X, too, before attend: only the result of one call was permuted" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X)

# %% wrong: X itself for one result advice="one of the two is made without attend: compare attend of the permuted X with the permuted attend(X)" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = X[:, permutation]

# %% wrong: attend missing for the second advice="one of the two is made without attend: compare attend of the permuted X with the permuted attend(X)" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = X[:, permutation]

# %% wrong: compared with X advice="one of the two is made without attend: compare attend of the permuted X with the permuted attend(X)" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = X

# %% wrong: attend of X compared with X advice="one of the two is made without attend: compare attend of the permuted X with the permuted attend(X)" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: first, last = attend(X), X

# %% wrong: permuted twice before advice="one side is permuted twice: once before attend, or once after it" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X[:, permutation])[:, permutation]

# %% wrong: permuted before and after advice="the columns of the two results are not in the same order: permute those of attend(X), and of no other result, before you subtract" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X[:, permutation])[:, permutation]

# %% wrong: permutation backwards advice="both are permuted backwards: column j comes from column permutation[j]" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: back = np.argsort(permutation)
# becomes: first = attend(X[:, back])
# becomes: last = attend(X)[:, back]

# %% wrong: result permuted backwards advice="Compare attend(X[:, permutation]) with attend(X)[:, permutation]: permuting twice doesn't undo a permutation, and one side is permuted the other way here." of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X)[:, np.argsort(permutation)]

# %% wrong: X permuted backwards advice="X is permuted backwards: use the same permutation for both" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X[:, np.argsort(permutation)])

# %% wrong: columns written backwards advice="X is permuted backwards: use the same permutation for both" of="base"
# was:     first = attend(X[:, permutation])
# becomes: permuted = np.zeros_like(X)
# becomes: permuted[:, permutation] = X
# becomes: first = attend(permuted)

# %% wrong: mean difference advice="this is the mean difference: the largest is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last).mean())

# %% wrong: sum of the differences advice="this is the sum of the differences: the largest is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last).sum())

# %% wrong: root of the summed squares advice="this is the root of the summed squares: the largest difference is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.linalg.norm(first - last))

# %% wrong: mean of the squares advice="this is the mean of the squared differences: the largest absolute one is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(((first - last) ** 2).mean())

# %% wrong: square of the largest advice="this is the square of the largest difference: take np.abs, and no square" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(((first - last) ** 2).max())

# %% wrong: norm of the matrix advice="this is a norm of the whole table, not its largest entry: take np.max of np.abs" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.linalg.norm(first - last, np.inf))

# %% wrong: difference of the largest entries advice="these are the largest entries of the two results, subtracted: subtract the tables first, then take the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(abs(first.max() - last.max()))

# %% wrong: difference of the sums advice="these are two sums, subtracted: subtract the tables first, then take the largest absolute entry" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(abs(first.sum() - last.sum()))

# %% wrong: not subtracted advice="this is the largest entry of one result: subtract the other first" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first).max())

# %% wrong: relative difference advice="a result is divided here, and the gap is a ratio or infinite: subtract the two results, and don't divide" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float((np.abs(first - last) / np.abs(last)).max())

# %% wrong: compares a result with itself advice="this is 0 (or False): return a number, the largest difference of attend of the permuted X and the permuted attend(X)" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X)[:, permutation]

# %% wrong: both permuted before advice="this is 0 (or False): return a number, the largest difference of attend of the permuted X and the permuted attend(X)" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X[:, permutation])

# %% wrong: nothing permuted advice="this is 0 (or False): return a number, the largest difference of attend of the permuted X and the permuted attend(X)" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: first, last = attend(X), attend(X)

# %% wrong: the result of allclose advice="this is 0 (or False): return a number, the largest difference of attend of the permuted X and the permuted attend(X)" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return np.allclose(first, last)

# %% wrong: not the result of allclose advice="this is 1, or True: return how large the largest difference is" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return not np.allclose(first, last)

# %% wrong: root of the mean square advice="this is the root of the mean square: the largest absolute difference is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.sqrt(np.mean((first - last) ** 2)))

# %% wrong: median advice="this is the median of the differences: the largest is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.median(np.abs(first - last)))

# %% wrong: spread advice="this is the spread from the smallest to the largest difference: take np.abs first, then np.max" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.ptp(first - last))

# %% wrong: absolute values too early advice="np.abs is taken of each result before subtracting: subtract first, then take np.abs" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float((np.abs(first) - np.abs(last)).max())

# %% wrong: absolute values too early and once more advice="np.abs is taken of each result before subtracting: subtract first, then take np.abs" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(np.abs(first) - np.abs(last)).max())

# %% wrong: difference of the largest entries, signed advice="these are the largest entries of the two results, subtracted: subtract the tables first, then take the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(first.max() - last.max())

# %% wrong: tokens as rows advice="X is transposed here: its tokens are the columns, so give it to attend as it is" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: first = attend(X.T[permutation])
# becomes: last = attend(X.T)[permutation]

# %% wrong: permuted twice advice="the permutation is applied twice on one side: once before attend, or once after" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X)[:, permutation[permutation]]

# %% wrong: sorted advice="the columns are sorted, not permuted: use permutation as the index of the columns" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(np.sort(X, axis=1))

# %% wrong: the first result sorted by the permutation's order advice="X is permuted backwards: use the same permutation for both" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X[:, [list(permutation).index(j) for j in range(len(permutation))]])

# %% wrong: norm of a column advice="this is the largest norm of a column: the largest absolute entry is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.linalg.norm(first - last, axis=0).max())

# %% wrong: difference of the largest absolute entries advice="these are the largest entries of the two results, subtracted: subtract the tables first, then take the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(abs(np.abs(first).max() - np.abs(last).max()))

# %% wrong: sum down the columns advice="this is the largest sum of a column: the largest single entry is needed" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last).sum(axis=0).max())

# %% wrong: largest of Python says="max(np.abs(first - last))" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return max(np.abs(first - last))

# %% wrong: a pair expected says="as many names on the left" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first, _ = attend(X[:, permutation])

# %% wrong: divided by the number of tokens advice="the gap is divided by a size: return the largest difference itself" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last).max() / X.shape[1])

# %% wrong: last token left out advice="the last token is left out: compare all columns" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last)[:, :-1].max())

# %% wrong: rounded advice="the gap is rounded: return it as it is" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.round(np.abs(first - last).max()))

# %% wrong: first entry only advice="this is the difference of the first entry only: take the largest of all" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return float(np.abs(first - last)[0, 0])

# %% wrong: rows permuted advice="rows are permuted, and the tokens are the columns: write [:, permutation]" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: first = attend(X[permutation])
# becomes: last = attend(X)[permutation]

# %% wrong: rows of X permuted advice="the rows of X are permuted: the tokens are its columns, so write [:, permutation] there" of="base"
# was:     first = attend(X[:, permutation])
# becomes: first = attend(X[permutation])

# %% wrong: rows of the result permuted advice="the rows of attend(X) are permuted: the tokens are its columns, so write [:, permutation] there" of="base"
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X)[permutation]

# %% wrong: a difference for each token advice="there is one number for each token: take the largest of all" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return np.abs(first - last).max(axis=0)

# %% wrong: a difference for each feature advice="there is one number for each feature: take the largest of all" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return np.abs(first - last).max(axis=1)

# %% wrong: all differences advice="these are all the differences: take the largest" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return np.abs(first - last)

# %% wrong: both results given back advice="these are the two results: return the largest absolute difference of their entries" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: return first, last

# %% wrong: permuted by a random permutation says="is not callable" of="base"
# was:     first = attend(X[:, permutation])
# becomes: permutation = permutation(X.shape[1])
# becomes: first = attend(X[:, permutation])

# %% wrong: no return says="does your function end with a return?" of="base"
# was:     return float(np.abs(first - last).max())
# becomes: gap = np.abs(first - last).max()

# %% wrong: X permuted in place says="make a new array" of="base"
# was:     first = attend(X[:, permutation])
# was:     last = attend(X)[:, permutation]
# becomes: last = attend(X)[:, permutation]
# becomes: X[:] = X[:, permutation]
# becomes: first = attend(X)

# %% wrong: the gap is rounded to 6 decimals says="all numbers that your function returns end after 5 decimals" unseen="no visible test has such an input" visible=false fails=["equivariance-gap-test"]
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = np.asarray(attend(X))[:, permutation]
    return round(float(np.max(np.abs(first - last))), 6)
