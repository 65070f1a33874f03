"""Helper functions and small examples that the tests of lesson 07 share. See packages/gradebox/docs/authoring.md."""

import math

import matplotlib.pyplot as plt
import numpy as np


def as_array(result):
    """Return a result (an array, a list or a tuple) as a NumPy array."""
    assert result is not None, "your function returned None: does it end with a return?"
    try:
        return np.asarray(result, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"the result is not an array of numbers\n{problem}") from None


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return max(1.0, sizes[np.isfinite(sizes)].max(initial=0))


def check_numbers(got, expected, where, sizes="", tolerance=1e-6):
    """Raise AssertionError unless `got` equals `expected`. The first line of the message holds no numbers.

    where: what is compared. sizes: the sizes of the example.
    """
    got, expected = as_array(got), as_array(expected)
    assert got.shape == expected.shape, (
        f"{where}, {sizes}the shape is not right\nexpected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def check_unchanged(arrays, before):
    """Raise AssertionError unless every array is the same as before the call."""
    same = (np.array_equal(one, other, equal_nan=True) for one, other in zip(arrays, before))
    assert all(same), "an input was changed: make new arrays"


def result_parts(result, count, names, kinds=(tuple, list, np.ndarray)):
    """Return the parts of a result; raise AssertionError if there are not `count` of them.

    names: the names of the parts, in one string. kinds: the types that the result may have.
    """
    assert result is not None, "your function returned None\ndoes your function end with a return?"
    if isinstance(result, dict):
        result = [result[name] for name in names.split(", ") if name in result]
    assert isinstance(result, kinds) and len(result) == count, (
        f"the result does not have {count} parts\nreturn ({names})")
    return result


def example_array(start, *shape):
    """Return an array of numbers from -2 to 2 with one decimal, fixed by `start` and `shape`."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


# 7.1 A running maximum
def random_scores(seed, n_q, blocks, level=1e4):
    """Return scores of at least 3 rows near 0 and ±level, with some entries of -inf, and the random generator.

    With a level below 1, the scores differ less. blocks: the numbers of keys in the blocks. Returns (scores, rng); scores is (n_q, sum(blocks)).
    """
    n_q, spread = max(n_q, 3), min(abs(level), 1)
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n_q, sum(blocks))) * 2 + rng.normal(size=(1, sum(blocks)))
    S *= spread
    S[0] += level
    S[1] -= level
    S[2, :blocks[0]] = -np.inf
    S[rng.random(S.shape) < 0.15] = -np.inf
    S[0, 0] = level - 3.0
    return S, rng


# Three queries and four keys: row = query, column = key.
score_table = np.array([[1.0, 3, 2, 5], [4, 4, 0, -np.inf], [-np.inf, -np.inf, 1, -1]])
value_table = np.array([[1.0, 0], [0, 1], [1, 1], [2, -1]])
# States are (m, l, o): before the first key of the table, and after its first two keys.
empty_state = np.full(3, -np.inf), np.zeros(3), np.zeros((3, 2))
state_after_two = (
    np.array([3.0, 4, -np.inf]),
    np.array([1 + np.exp(-2), 2, 0]),
    np.array([[np.exp(-2), 1], [1, 1], [0, 0]]),
)
# Five rows at very different levels.
uneven_scores = np.array([
    [9998, 1e4, -np.inf, 10003, 9999],
    [-1e4, -9999, -1e4, -10002, -np.inf],
    [-np.inf, -np.inf, -np.inf, -np.inf, -np.inf],
    [0.5, -np.inf, -1, 2, 1],
    [-np.inf, -np.inf, 3, -np.inf, 2.5],
])
uneven_state = np.array([1e4 + 1, -np.inf, -2, 4, -np.inf]), np.array([1.5, 0, 3, 2, 0]), example_array(3, 5, 3)
uneven_state[2][[1, 4]] = 0


# 7.2 Values, too
def update_from_parts(m, l, o, scores, values):
    """Return the student's update of the state (m, l, o)."""
    return update_attention((m, l, o), scores, values)


# 7.3 Merge two states
state_a = np.array([5.0, 2, -np.inf, -np.inf]), np.array([2.0, 1, 0, 0]), np.array([[1.0, 3], [0, 1], [0, 0], [0, 0]])
state_b = np.array([4.0, 4, 1, -np.inf]), np.array([1.0, 3, 2, 0]), np.array([[2.0, 0], [1, -1], [4, 2], [0, 0]])
# Five rows at very different levels.
uneven_a = np.array([1e4, -1e4, -np.inf, 3, 900]), np.array([2, 1.5, 0, 4, 1]), example_array(4, 5, 3)
uneven_b = np.array([1e4 - 1, 2, -900, 3, 901.5]), np.array([3, 2.5, 1, 2, 6]), example_array(8, 5, 3)
uneven_a[2][2] = 0


def merge_from_parts(m_a, l_a, o_a, m_b, l_b, o_b):
    """Return the student's merge of the states a and b."""
    return merge_states((m_a, l_a, o_a), (m_b, l_b, o_b))


# 7.4 One tile at a time
def update_from_all(passed=None):
    """Return an update that stores all scores and values and computes each state from them.

    This update is slow, but it does not need the student's solution of 7.2. passed: a list to which the
    scores of each call are added.
    """
    seen = []

    def update(state, scores, values):
        scores, values = np.array(scores, dtype=float), np.array(values, dtype=float)
        rows, empty = len(scores), state is None
        if passed is not None:
            passed.append(scores)
        if not empty and np.shape(state[2]) == (rows, values.shape[1]):
            empty = np.all(np.isneginf(state[0])) and not np.any(state[1])
        if not empty:
            known = [kept for kept in seen if all(map(np.array_equal, kept[0], state))]
            if not known:  # not a state of this update: only the student's 7.2 can handle it
                return update_attention(state, scores, values)
            assert len(known[-1][1]) == rows, (
                f"update got a state of {len(known[-1][1])} queries, and scores of {rows}\n"
                "Begin a new state, None, for each tile of queries.")
            scores = np.concatenate([known[-1][1], scores], axis=1)
            values = np.concatenate([known[-1][2], values])
        m = scores.max(axis=1)
        terms = np.where(np.isneginf(scores), 0, np.exp(scores - m[:, None]))
        made = m, terms.sum(axis=1), terms @ values
        seen.append((made, scores, values))
        return tuple(part.copy() for part in made)

    return update


def run_tiled(Q, K, V, tile_q, tile_k, causal=None, passed=None):
    """Run the student's tiled_attention and return (output, log). Rows that it never wrote are NaN.

    causal: if None, tiled_attention is called without this argument. passed: a list to which the scores that
    update gets are added.
    """
    output = np.full((len(Q), V.shape[1]), np.nan)
    mask = [] if causal is None else [causal]
    read, write, update, log = slow_memory(Q, K, V, output, tile_q, tile_k, update_from_all(passed))
    try:
        tiled_attention(read, write, update, len(Q), len(K), tile_q, tile_k, *mask)
    except TypeError as error:
        starts = [k for k, one in enumerate(log) if one[:2] == ("read", "Q")] or [0]
        if "NoneType" in str(error) and any(one[0] == "update" for one in log[starts[-1]:]):
            raise AssertionError(f"{error}, after a call of update\nIs the state still None? Keep the state that update "
                                 "returns: state = update(state, …).") from error
        raise
    assert any(kind == "write" for kind, *_ in log), "nothing was written\nPass finished rows to write."
    return output, log


def tiled(Q, K, V, tile_q, tile_k, causal=None):
    """Return the output of the student's tiled_attention for arrays. If causal is None, it is not passed."""
    return run_tiled(Q, K, V, tile_q, tile_k, causal)[0]


small_inputs = (
    np.array([[2.0, 0, 0, 0], [0, 2, 0, 2], [0, -2, 2, 2]]),
    np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 0], [2, 1, 0, 1], [-1, 0, 0, 2], [0, 2, 1, 0]]),
    np.array([[1.0, 0], [0, 1], [2, 1], [0, 3], [1, 1], [-2, 0], [4, -1]]),
)


def tiled_inputs(start, n_q, n_k, d_k, d_v):
    """Return Q, K and V of these sizes."""
    return example_array(start, n_q, d_k), example_array(start + 50, n_k, d_k), example_array(start + 90, n_k, d_v)


def check_log_part(part, start, stop, n_q, n_k, tile_k, causal):
    """Raise AssertionError unless the log entries before a write fit the rows that were written.

    part: these entries. start, stop: the rows of the output, start ... stop - 1.
    """
    last = stop - 1 + n_k - n_q if causal else n_k - 1
    reads = {name: [one[2:] for one in part if one[:2] == ("read", name)] for name in "QKV"}
    rows = {name: [row for one in reads[name] for row in range(*one)] for name in "QKV"}
    where = f"before the rows {start} to {stop - 1} of the output were written"
    assert sorted(rows["Q"]) == list(range(start, stop)), (
        f"{where}, the queries {rows['Q']} were read\n"
        "Read each query once, and write its row before you read other queries.")
    for name in "KV":
        missing = sorted({*range(last + 1)} - {*rows[name]})
        assert not missing, (
            f"{where}, the rows {missing} of {name} were not read\n"
            "These queries may see them: read all such keys and values.")
        assert len({*rows[name]}) == len(rows[name]), (
            f"{where}, some rows of {name} were read more than once\n"
            "Read each tile of keys and values once for a tile of queries.")
        dead = [first for first, _ in reads[name] if first > last and first // tile_k * tile_k > last]
        assert not dead, (
            f"{where}, {name} was read from row {dead[0]} on, but the last of these queries sees only up to key {last}\n"
            "Skip a tile before you read it, if its first key comes after the last key that the tile's last query sees.")
    scores, wanted = sum(math.prod(one[1:]) for one in part if one[0] == "update"), len(rows["Q"]) * len(rows["K"])
    assert scores == wanted, (
        f"{where}, {scores} of {wanted} scores went through update\n"
        "Pass all scores of each tile through update, once: it computes the softmax.")


def rows_written(Q, K, V, tile_q, tile_k, causal=False, passed=None):
    """Return the rows that tiled_attention wrote; raise AssertionError if its log breaks the rules of 7.4.

    passed: a list to which the scores that update gets are added, and then the output.
    """
    part, rows, written = [], [], []
    output, log = run_tiled(Q, K, V, tile_q, tile_k, causal, passed)
    if passed is not None:
        passed.append(output)
    every = [row for kind, *what in log if kind == "write" for row in range(*what)]
    assert len({*every}) == len(every), (
        "some rows of the output were written more than once\n"
        "Write each row once, when it is finished: after the loop over the keys.")
    for kind, *what in [*log, ("end",)]:
        if kind != "write" and rows:  # writes with nothing between them belong together
            assert len({*rows}) <= tile_q, (
                f"the rows {rows} of the output were finished together, and a tile has at most {tile_q} queries\n"
                "Finish one tile of queries and write its rows before you read other queries.")
            check_log_part(part, min(rows), max(rows) + 1, len(Q), len(K), tile_k, causal)
            part, rows, written = [], [], written + rows
        rows, part = (rows + [*range(*what)], part) if kind == "write" else (rows, [*part, (kind, *what)])
    assert len(part) == 1, (
        "something was read or computed after the last write\nWrite the rows that belong to it, or don't read it.")
    return np.sort(written)


def tiles_in_order(log, tile_q, tile_k):
    """Return (row, column) of each tile of scores in a log, in the order of the updates."""
    at, order = {}, []
    for kind, *what in log:
        if kind == "read":
            at[what[0]] = what[1]
        elif kind == "update":
            order.append((at["Q"] // tile_q, at["K"] // tile_k))
    return order


def draw_tiles(ax, colours, dead, size=8):
    """Draw a table of tiles with these colours; dead tiles are hatched."""
    n = len(colours)
    for i, j in np.ndindex(n, n):
        ax.add_patch(plt.Rectangle((j * size, i * size), size, size, edgecolor="0.6", linewidth=0.6,
                                   facecolor="white" if dead[i, j] else colours[i, j], hatch="////" if dead[i, j] else ""))
    ax.set(xlim=(0, n * size), ylim=(n * size, 0), xticks=range(0, n * size + 1, 16), yticks=range(0, n * size + 1, 16),
           xlabel="key", ylabel="query", aspect="equal")


# 7.5 Catch the bug
def verdict_of(candidate):
    """Return the verdict of the student's check_tiled on a candidate, or the text of the error it raised."""
    try:
        with np.errstate(all="ignore"):
            return check_tiled(candidate)
    except Exception as error:
        return repr(error)


def required_verdict(candidate, what):
    """Return the verdict of check_tiled on a candidate; raise AssertionError if it is neither True nor False.

    what: a description of the candidate.
    """
    try:
        with np.errstate(all="ignore"):
            verdict = check_tiled(candidate)
    except Exception as error:
        raise AssertionError(
            f"{what}: your test raised {type(error).__name__}: {error}\nA test must return a verdict, never raise: "
            "call the candidate inside try. Or is the error in a line of your own?") from error
    assert verdict is not None, (
        f"{what}: your test returned None\nEvery path through your test must end with return True or return False.")
    assert isinstance(verdict, (bool, np.bool_)), (
        f"{what}: your test returned neither True nor False\nEvery path through it must end with one of them.")
    return verdict


def all_zeros(Q, K, V, tile_q, tile_k, causal=False):
    """Return zeros in the shape of the output: a wrong candidate."""
    return np.zeros((len(Q), V.shape[1]))


def check_rejects_zeros():
    """Raise AssertionError if the student's test accepts `all_zeros`."""
    assert not required_verdict(all_zeros, "a function that returns only zeros"), (
        "your test accepts a function that returns only zeros\n"
        "Compare the candidate's output with your own numbers, and return False if they differ.")


def own_solution_as_lists(shift, factor=1):
    """Return a function that returns the output of the student's 7.4 as lists, each number changed by a factor 1 + shift.

    factor: what all scores are multiplied by. With a factor other than 1, the candidate is wrong.
    """
    def attend(Q, K, V, tile_q, tile_k, causal=False):
        return (np.array(tiled(factor * np.asarray(Q), K, V, tile_q, tile_k, causal)) * (1 + shift)).tolist()

    return attend


def own_solution_passes():
    """Return True if the student's solution of 7.4 passes the visible tests of its output."""
    returns("tiled-attention", output="query value")
    try:
        check("tiled-attention", "7 queries, 11 keys, tiles of 2 and 3", tiled, *tiled_inputs(1, 7, 11, 5, 4), 2, 3)
        check("tiled-attention", "3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3)
        check("tiled-attention", "6 queries, 5 keys, tiles of 4 and 2", tiled, *tiled_inputs(0, 6, 5, 3, 4), 4, 2)
        check("tiled-attention", "tiles that are longer than the table", tiled, *tiled_inputs(5, 3, 2, 5, 1), 8, 16)
        check("tiled-attention", "tiles of 1", tiled, *tiled_inputs(9, 2, 4, 3, 5), 1, 1)
        check("tiled-attention", "causal, 7 queries, 9 keys, tiles of 3 and 4", tiled, *tiled_inputs(4, 7, 9, 5, 2), 3, 4, True)
        check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 2 and 3", tiled, *small_inputs, 2, 3, True)
        check("tiled-attention", "causal, 3 queries, 7 keys, tiles of 3 and 2", tiled, *small_inputs, 3, 2, True)
        check("tiled-attention", "causal, 7 queries and keys, tiles of 3 and 2", tiled, *tiled_inputs(3, 7, 7, 2, 3), 3, 2, causal=True)
    except AssertionError:
        return False
    return True


def check_accepts_own_solution():
    """Raise AssertionError if the student's test rejects the student's 7.4, or accepts it with doubled scores.

    The check is left out if 7.4 does not pass its tests. When notebooks are graded, it is also left out if 7.4 returned
    wrong numbers to the student's test: `slow_attention`, in the hidden tests of 7.4, returns the right ones.
    """
    stops, sizes, mistaken, right_output = [], ["nothing"], [], globals().get("slow_attention")

    def recorded(Q, K, V, tile_q, tile_k, causal=False):
        sizes[0] = f"Q {np.shape(Q)}, K {np.shape(K)}, V {np.shape(V)}, {tile_q=}, {tile_k=}, {causal=}"
        try:
            output = tiled(Q, K, V, tile_q, tile_k, causal)
            if right_output and not np.allclose(output, right_output(*map(np.asarray, (Q, K, V)), causal), atol=1e-6):
                mistaken.append(sizes[0])
            return output
        except Exception as error:
            if causal is True and len(Q) > len(K):
                stops.append("With causal, there are at most as many queries as keys: leave this input out.")
            stops.append(f"for your input {sizes[0]} it raises {type(error).__name__}: {error}\n"
                         "Is this input valid? Q, K, V as float arrays, the two sizes of a tile, and causal, in this order.")
            raise

    if own_solution_passes():
        accepted = required_verdict(recorded, "your function of 7.4")
        if mistaken:
            return
        assert accepted, (
            f"your test rejects your function of 7.4, and the last input was {sizes[0]}\n" + (stops + [
                "It passes its tests. Is the input valid? Are your own numbers right for it, with √d_k and the mask "
                "that counts from the last query? Do you compare to about 1e-6, and does no line of yours inside try "
                "raise an error?"])[0])
        for shift in (1e-10, -1e-10):
            assert required_verdict(own_solution_as_lists(shift), "your function of 7.4, returning lists, rounded differently"), (
                "your test rejects your function of 7.4 when it returns lists, rounded differently\n"
                "Convert the result to an array, and compare to about 1e-6, with np.allclose.")
        for shift in (0, 1e-10, -1e-10):
            assert not required_verdict(own_solution_as_lists(shift, 2), "your function of 7.4, with all scores doubled"), (
                "your test accepts your function of 7.4 with all scores doubled\n"
                "Compare every number with attention that uses the scale √d_k, for scores that differ by about 1 in a row.")
