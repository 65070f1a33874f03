"""What the tests of lesson 05 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import itertools
import math

import matplotlib.pyplot as plt
import numpy as np

# All exercises


def in_words(shape):
    """Write a shape as 3 × 5: in a message of a hidden test, numbers in brackets are a student's result."""
    return " × ".join(map(str, shape)) or "1"


def many_sizes(count, values=(1, 2, 5, 9)):
    """Return sizes of `count` axes: all pairs of `values` at any two axes, long axes, and one size again."""
    missing, found = {}, []
    for sizes in itertools.product(values, repeat=count):
        missing[sizes] = {*itertools.combinations(enumerate(sizes), 2 if count > 1 else 1)}
    while left := [sizes for sizes in missing if missing[sizes]]:
        found.append(sorted(left, key=lambda sizes: -len(missing[sizes]))[0])
        covered = {*missing[found[-1]]}
        missing = {sizes: pairs - covered for sizes, pairs in missing.items()}
    long_ones = [tuple(48 if n == place else n + 2 for n in range(count)) for place in range(count)]
    return [*found, *long_ones, (12,) * count, found[-1]]


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return sizes[np.isfinite(sizes)].max(initial=1.0)


def check_numbers(got, expected, where, tolerance=1e-6, sizes=""):
    """Raise AssertionError unless `got` equals `expected`. Only the lines after the first contain numbers."""
    assert got is not None, "your function returned None: does it end with a return?"
    try:
        got = np.asarray(got)
        # 32-bit floats have only seven digits.
        tolerance = max(tolerance, 1e-4) if got.dtype == np.float32 else tolerance
        got = got.astype(float)
    except (TypeError, ValueError) as problem:
        raise AssertionError(f"{where}, the result is not an array of numbers\n{problem}") from None
    shape = np.shape(expected)
    assert got.shape == shape, (
        f"{where}, {sizes}the shape is not right\nexpected {shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def check_unchanged(arrays, before, problem):
    """Raise AssertionError(problem) unless two lists of arrays hold exactly the same numbers."""
    assert all(map(np.array_equal, arrays, before)), problem


def copies(*arrays):
    """Return copies of arrays, to pass to a function that might change its input."""
    return [np.array(array) for array in arrays]


def example_array(*shape, start=0):
    """Return mixed numbers from −1 to 1, the same ones for the same shape and start."""
    n = np.arange(start, start + math.prod(shape))
    return ((7 * n**2 + n) % 17 - 8).reshape(shape) / 8


def row_shares(scores):
    """Return the softmax of scores along the last axis."""
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def call_with_advice(advice, function, *arguments):
    """Return function(*arguments). Explain an error whose text contains a key of `advice`."""
    try:
        return function(*arguments)
    except Exception as problem:
        meant = [said for words, said in advice.items() if words in str(problem)]
        if not meant or isinstance(problem, AssertionError):
            raise
        raise AssertionError(f"{type(problem).__name__}: {problem}\n{meant[0]}") from None


def set_parameter(layer, name, value):
    """Put `value` into the parameter `name` of `layer`, and set its gradient to 0."""
    assert hasattr(layer, name), f"the layer has no {name}\nassign it to self.{name}"
    parameter = getattr(layer, name)
    assert hasattr(parameter, "grad"), f"{name} has no .data and .grad\nmake it a Parameter"
    shape = np.shape(parameter.data)
    assert shape == np.shape(value), (
        f"{name} has the wrong shape\n"
        f"it is {shape}, and should be {np.shape(value)}: {'(in, out)' if np.ndim(value) == 2 else '(out,)'}")
    parameter.data = np.array(value, dtype=float)
    parameter.grad = np.zeros(np.shape(value))


def check_digits(name, rest):
    """Raise AssertionError unless a sum that is 0 by mathematics is 0 to about 12 digits."""
    assert np.abs(rest).max() < 1e-11, (
        f"{name} has only about {round(-np.log10(np.abs(rest).max()))} right digits\ncompute in float64, like the inputs: no float32, and nothing rounded")


# 5.1 A linear layer, forward and backward

# Wrong standard deviations of a layer from 300 to 100 numbers, and the advice for each.
start_mistakes = {
    0: "the weight is 0: draw it from rng",
    1: "these are standard normal numbers: their deviation should be √(2/(in + out))",
    0.0816: "this is √(2/in): Xavier's has in + out below",
    0.1414: "this is √(2/out): Xavier's has in + out below",
    0.0577: "this is √(1/in): Xavier's is √(2/(in + out))",
    0.1: "this is √(1/out), or a fixed 0.1: Xavier's is √(2/(in + out))",
    0.05: "this is √(1/(in + out)), or a fixed 0.05: Xavier's has a 2 on top",
    0.005: "this is 2/(in + out): the root is missing",
    0.1225: "this is √(6/(in + out)), the bound of uniform numbers: of normal ones take √(2/(in + out))",
    0.0408: "these lie between −√(2/(in + out)) and √(2/(in + out)): take rng.normal, not rng.uniform",
    0.2659: "this is the root of √(2/(in + out)): take the root once",
    0.01: "this is a fixed 0.01: Xavier's deviation is √(2/(in + out))",
    0.0082: "this is √(2/(in · out)): add in and out",
}


def check_linear_start(inputs, outputs):
    """Raise AssertionError unless a new Linear starts as it should. Return how many parameters it has."""
    layer, twin, other = (Linear(inputs, outputs, np.random.default_rng(seed)) for seed in (51, 51, 52))
    assert hasattr(layer, "weight") and hasattr(layer, "bias"), "weight or bias is missing\nassign both to self.weight and self.bias"
    assert hasattr(layer.weight, "grad") and hasattr(layer.bias, "grad"), (
        "weight or bias is not a Parameter\nmake both Parameters, so that each has .data and .grad")
    start, zeros = (np.array(part.data, dtype=float) for part in (layer.weight, layer.bias))
    assert start.shape == (inputs, outputs), f"weight has the shape {start.shape}\nit should be (in, out)"
    assert zeros.shape == (outputs,), f"bias has the shape {zeros.shape}\nit should be (out,)"
    assert not zeros.any(), "the bias isn't 0 at the start\ninitialize it with zeros"
    assert abs(start.mean()) < 0.01, "the mean of the weight's numbers isn't 0\ndraw them with rng.normal(0, …)"
    for wrong, advice in start_mistakes.items():
        assert abs(start.std() - wrong) > 0.02 * wrong, (
            f"the weight has the standard deviation {start.std():.4f}\n{advice}")
    right = math.sqrt(2 / (inputs + outputs))
    assert abs(start.std() - right) < 0.03 * right, (
        f"the standard deviation is {start.std():.4f} and should be {right:.4f}\ntake √(2/(in + out))")
    assert abs((np.abs(start) < start.std()).mean() - 0.6827) < 0.015, (
        "the weight's numbers are not normal (uniform ones, perhaps)\ndraw them with rng.normal")
    assert np.array_equal(twin.weight.data, start), (
        "two generators with the same seed give two weights\ndraw only from the rng that is passed in")
    assert not np.array_equal(other.weight.data, start), (
        "two generators with two seeds give the same weight\ndraw from the rng that is passed in")
    found = list(layer.parameters())
    assert len(found) == 2 and found[0] is layer.weight and found[1] is layer.bias, (
        "parameters() returns something else\nit must return [self.weight, self.bias]: the two Parameters themselves")
    return len(found)


def linear_with_weights(weight, bias):
    """Return the student's Linear with copies of these numbers in its parameters."""
    layer = Linear(*np.shape(weight), np.random.default_rng(51))
    set_parameter(layer, "weight", weight)
    set_parameter(layer, "bias", bias)
    return layer


def linear_advice(weight, x):
    """Return what errors of a Linear mean that has a weight of this shape and gets this x, by words of their text."""
    (rows, columns), (batch, seq) = np.shape(weight), np.shape(x)[:2]
    joined = "the tokens of a sequence are joined to one row: multiply x as it is, its last axis holds the features of one token"
    return {"'Parameter' object": "a Parameter only holds an array: take self.weight.data, or self.bias.data",
            f"(size {rows} is different from {columns})":
                "grad_output has out numbers for each token: multiply it by the transposed weight, which is (out, in)",
            f"shapes ({rows},{columns}) ({columns},{columns})":
                "the input is made of outputs here: store the x of forward, before the product",
            f"shapes ({rows},{columns}) ({columns},{rows})":
                "the weight's gradient is transposed: it is (in, out), so the transposed x comes first",
            f"non-broadcastable output operand with shape ({columns},)":
                "the array added to bias.grad has too many axes: sum over both batch and sequence",
            f"non-broadcastable output operand with shape ({rows},{columns})":
                "the array added to weight.grad has too many axes: sum over the batch as well",
            f"({batch},{seq * rows}) and ({rows},{columns})": joined,
            f"(size {rows} is different from {seq * rows})": joined,
            f"shapes ({batch},{seq},{columns}) ({batch},{columns})":
                "one row per sequence is added to the product: add self.bias.data itself, which is added to every token"}


def linear_forward(weight, bias, x):
    """Return the result of the student's Linear.forward with these numbers in its parameters."""
    return call_with_advice(linear_advice(weight, x), linear_with_weights(weight, bias).forward, x)


def linear_forward_after_step(weight, bias, x):
    """Return what forward gives after a first forward, and then a step that exchanges the rows of the weight."""
    layer = linear_with_weights(weight, bias)
    call_with_advice(linear_advice(weight, x), layer.forward, x)
    set_parameter(layer, "weight", weight[::-1])
    set_parameter(layer, "bias", bias + 1)
    return layer.forward(x)


def linear_rest(weight, bias):
    """Return forward of a sum, less forward of its two parts, plus the bias: 0."""
    forward, x = linear_with_weights(weight / 3, bias / 3).forward, np.cos(np.arange(40.0)).reshape(2, 2, 2, 5)
    return np.asarray(forward(x[0] + x[1])) - forward(x[0]) - forward(x[1]) + bias / 3


def linear_gradients(weight, bias, x, G, next_x=None, next_G=None):
    """Run one round of forward and backward, or two. Return the last gradient of x, and both .grad."""
    layer, advice = linear_with_weights(weight, bias), linear_advice(weight, x)
    call_with_advice(advice, layer.forward, x)
    back = call_with_advice(advice, layer.backward, G)
    assert not layer.weight.grad.any() or np.array_equal(layer.weight.data, weight), (
        "weight.data is another after backward\nbackward changes weight.data: it only adds to .grad; the step comes later")
    if next_x is not None:
        layer.forward(next_x)
        back = layer.backward(next_G)
    assert back is not None, "backward returned None\ndoes it end with a return?"
    assert not isinstance(back, tuple), (
        "backward returned several things\nreturn the gradient of x alone; the other two go to .grad")
    return back, layer.weight.grad, layer.bias.grad


def linear_gradients_after_step(weight, bias, x, G, next_x, next_G):
    """Run a round, a step that exchanges the rows of the weight, and a round. Return the gradients of the second."""
    layer = linear_with_weights(weight, bias)
    layer.forward(x)
    layer.backward(G)
    set_parameter(layer, "weight", weight[::-1])
    set_parameter(layer, "bias", bias + 1)
    layer.forward(next_x)
    return layer.backward(next_G), layer.weight.grad, layer.bias.grad


def linear_gradients_beside(weight, bias, x, G, other_x):
    """Run forward, forward of another layer with other_x, and backward. Return the gradients of the first layer."""
    layer, other = linear_with_weights(weight, bias), linear_with_weights(weight[::-1], bias)
    layer.forward(x)
    other.forward(other_x)
    return layer.backward(G), layer.weight.grad, layer.bias.grad


# 5.2 Attention in loops, and what it costs

small_Q, small_K, small_V = 3 * example_array(2, 3, 5, start=3), example_array(2, 4, 5, start=1), 2 * example_array(2, 4, 6)
small_K[1, 2] = 0  # so these scores are 0
small_masks = np.array([[[0, -np.inf, 0, 0], [-np.inf, 0, -np.inf, 0], [0, 0, 0, -np.inf]],
                        [[-np.inf, 0, 0, -np.inf], [0, 0, 0, 0], [0, 0, -np.inf, -np.inf]]])
whole_Q, whole_K = np.array([[[2, -1], [0, 3], [1, 1]]]), np.array([[[1, 0], [0, 1]]])
whole_V = np.array([[[5, 0, -3, 2], [4, 1, 2, -7]]])
# The largest score is 990 for one query, −990 for the next.
extreme_Q = np.array([[[1400.0, 0], [-1400, -1400], [0, 1400]]])
extreme_K = np.array([[[1.0, 0], [0, 1], [0.5, 0.5]]])
extreme_V = example_array(1, 3, 4, start=5)
extreme_mask = np.array([[-np.inf, 0, -np.inf], [0, 0, -np.inf], [0, -np.inf, -np.inf]])


def loops_with_mask(Q, K, V, mask):
    """Call attention_loops with a mask, and explain errors of its indices."""
    advice = "a mask with three axes has mask[b, i, j], one with two mask[i, j]: query i comes before key j"
    errors = "element with a sequence", "inhomogeneous", "too many indices", "out of bounds"
    return call_with_advice(dict.fromkeys(errors, advice), attention_loops, Q, K, V, mask)


def loops_of_integers(Q, K, V):
    """Call attention_loops with arrays of integers, and explain an error of arrays that hold only these."""
    advice = "an array of integers can't hold the results: make arrays with np.zeros(shape), without a dtype and not like Q, K or V"
    return call_with_advice({"Cannot cast ufunc": advice}, attention_loops, Q, K, V)


# 5.3 The backward pass of softmax

tiny_scores = 2 * example_array(2, 3, 4, 5)
tiny_scores[..., 0, 1] = -np.inf
tiny_weights, tiny_incoming = row_shares(tiny_scores), 2 * example_array(2, 3, 4, 5, start=9)


def softmax_backward_of_rows(weights, grad_weights):
    """Call softmax_backward with many rows, and explain errors of a formula for a single row."""
    advice = "np.diag and np.outer are for one row: take the last form of 5.3, which needs no Jacobian"
    n, row = weights.size, weights.shape[-1]
    errors = dict.fromkeys(("1- or 2-d", f"different from {n})", f"({n},{n})", f"({row},{row})"), advice)
    errors["too many values to unpack"] = "any number of axes may come before the last: take the last form of 5.3, which needs no sizes"
    errors["not aligned"] = "np.dot doesn't sum along the last axis: multiply entry by entry, then sum with axis=-1 and keepdims=True"
    return call_with_advice(errors, softmax_backward, weights, grad_weights)


# 5.4 The backward pass of one head


def head_inputs(front, n_q, n_k, d_k, d_v):
    """Return grad_output, Q, K, V and weights of these sizes. front: the sizes of the leading axes."""
    Q, K = 2 * example_array(*front, n_q, d_k, start=4), 2 * example_array(*front, n_k, d_k, start=1)
    scores = Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)
    scores[..., 0, 1] = -np.inf
    return example_array(*front, n_q, d_v, start=2), Q, K, 2 * example_array(*front, n_k, d_v), row_shares(scores)


def head_gradients(grad_output, Q, K, V, weights):
    """Call attention_backward, and explain errors of its matrix products."""
    (n_q, n_k), d_k, d_v = weights.shape[-2:], Q.shape[-1], V.shape[-1]
    rows = ("weights and grad_scores are (n_q, n_k): multiply them by rows of keys (K) as they are, "
            "and transposed by rows of queries (Q, grad_output)")
    advice = {f"(size {n_q} is different from {n_k})": rows, f"(size {n_k} is different from {n_q})": rows,
              f"(size {d_k} is different from {n_k})": "K is transposed here: (n_q, n_k) times K, (n_k, d_k), needs no transpose of K",
              f"(size {d_k} is different from {n_q})": "Q is transposed here: (n_k, n_q) times Q, (n_q, d_k), needs no transpose of Q",
              f"(size {d_k} is different from {d_v})": "the gradient of the weights is grad_output times the transposed values: take V there, not K or Q",
              f"(size {n_k} is different from {d_v})": "the gradient of the weights is grad_output times the transposed values: transpose the last two axes of V"}
    return call_with_advice(advice, attention_backward, grad_output, Q, K, V, weights)


def head_rests(grad_output, Q, K, V, weights):
    """Return differences of the three gradients that are 0, since the scores are products and the weights sum to 1."""
    grad_Q, grad_K, grad_V = (np.asarray(grad, dtype=float) for grad in attention_backward(grad_output, Q, K, V, weights))
    return np.append((grad_Q * Q).sum(axis=(1, 2)) - (grad_K * K).sum(axis=(1, 2)), grad_V.sum(axis=1) - grad_output.sum(axis=1))


def returns_gradients(front):
    """Note the axes of the three gradients. front: the names of the leading axes."""
    rows = {"grad_Q": "query", "grad_K": "key", "grad_V": "key"}
    returns("attention-backward", **{name: f"{front} {row} feature" for name, row in rows.items()})


# 5.5 The layer and its backward pass

projections = ["q_proj", "k_proj", "v_proj", "out_proj"]
tiny_x = example_array(4, 5, 6, start=3)
tiny_mask = np.where(sum(np.eye(5, k=offset) for offset in (0, -1, -3, 2)) == 1, 0, -np.inf)
tiny_masks = np.stack([tiny_mask, np.zeros((5, 5)), tiny_mask[::-1], tiny_mask[:, ::-1]])


def projection_weights(embed_dim=6, rng=None):
    """Return [weight, bias] of each projection: fixed numbers, or random ones from rng."""
    if rng is None:
        return {name: [example_array(embed_dim, embed_dim, start=10 * index), example_array(embed_dim, start=10 * index + 5)]
                for index, name in enumerate(projections)}
    return {name: [rng.normal(size=(embed_dim, embed_dim)) * embed_dim**-0.5, rng.normal(size=embed_dim) / 2]
            for name in projections}


def layer_with_weights(weights, num_heads=2):
    """Return the student's layer with copies of these numbers in its parameters."""
    layer = MultiHeadAttention(len(weights["q_proj"][1]), num_heads, np.random.default_rng(0))
    for name, numbers in weights.items():
        assert hasattr(layer, name), f"the layer has no {name}\nassign it to self.{name}"
        for kind, value in zip(("weight", "bias"), numbers):
            set_parameter(getattr(layer, name), kind, value)
    return layer


def all_parameters(layer):
    """Return layer.parameters(). Raise AssertionError unless it is the list of the eight Parameters in order."""
    found = list(layer.parameters())
    assert len(found) == 8, (
        f"parameters() has {len(found)} entries\nmake it one list of 8: weight and bias of each of the four layers")
    for place, parameter in enumerate(found):
        name, kind = projections[place // 2], ("weight", "bias")[place % 2]
        assert hasattr(parameter, "grad"), f"parameters()[{place}] has no .data and .grad\nreturn the Parameters themselves"
        assert parameter is getattr(getattr(layer, name), kind), (
            f"parameters()[{place}] is not {name}.{kind}\nthe order is weight, then bias, of q, k, v, out")
    return found


def check_layer_start(embed_dim, num_heads):
    """Raise AssertionError unless the four projections start as they should. Return how many parameters there are."""
    layers = [MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(seed)) for seed in (55, 55, 56)]
    drawn = {}
    for name in projections:
        assert all(hasattr(layer, name) for layer in layers), f"the layer has no {name}\nassign it to self.{name}"
        one, twin, other = (np.array(getattr(layer, name).weight.data) for layer in layers)
        assert np.array_equal(one, twin), (
            f"two generators with the same seed give two weights of {name}\ndraw from the given rng, only")
        assert not np.array_equal(one, other), (
            f"two generators with two seeds give the same weight of {name}\npass the given rng to Linear")
        alike = [earlier for earlier in drawn if np.array_equal(drawn[earlier], one)]
        assert not alike, f"{alike[0]} and {name} start alike\nmake a layer for each, and draw all from one rng"
        drawn[name] = one
    return len(all_parameters(layers[0]))


def heads_of_new_layer(embed_dim, num_heads):
    """Make a layer, and return its number of heads."""
    MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(0))
    return num_heads


def check_value_error(embed_dim, num_heads):
    """Raise AssertionError unless the constructor raises a ValueError for these sizes, which don't divide."""
    error = None
    try:
        MultiHeadAttention(embed_dim, num_heads, np.random.default_rng(0))
    except Exception as problem:
        error = problem
    assert isinstance(error, ValueError), (
        "num_heads doesn't divide embed_dim\nthe constructor should raise a ValueError")


def layer_output(x, mask=None, query_scale=1):
    """Return the result of the student's forward, with all numbers of q_proj multiplied by `query_scale`."""
    weights = projection_weights()
    weights["q_proj"] = [query_scale * numbers for numbers in weights["q_proj"]]
    layer = layer_with_weights(weights)
    if mask is None:
        return layer.forward(x)
    advice = "the scores have an axis for the heads, the third from the right: the mask needs one of length 1 there"
    return call_with_advice({"broadcast": advice}, layer.forward, x, mask)


tiny_G = example_array(4, 5, 6, start=1)


def run_backward(x, G, masks):
    """Run forward and backward with each mask. Return the student's layer and the last gradient of x."""
    layer, back = layer_with_weights(projection_weights()), None
    tokens = math.prod(x.shape[:2])
    advice = {f"{x.shape}->".replace(" ", ""): "the result of out_proj.backward has no axis for the heads yet: split it, as in forward",
              f"size {2 * tokens} is different from {tokens}": "combine the heads before their gradient goes through a projection"}
    for mask in masks:
        layer.forward(x, mask)
        back = call_with_advice(advice, layer.backward, G)
    assert back is not None, "backward returned None\ndoes it end with a return?"
    return layer, back


def x_gradient(x, G, mask=None):
    """Return the gradient of x after one round with this mask."""
    return run_backward(x, G, [mask])[1]


def x_gradient_of_second_round(x, G, mask):
    """Return the gradient of x in a second round with this mask, after a first round without a mask."""
    return run_backward(x, G, [None, mask])[1]


def x_gradient_beside(x, G):
    """Return the gradient of x if another layer runs forward with other numbers before backward."""
    layer, other = layer_with_weights(projection_weights()), layer_with_weights(projection_weights())
    layer.forward(x)
    other.forward(x[::-1])
    return layer.backward(G)


def parameter_gradients(kind, x, G, first_mask=None, rounds=1):
    """Return .grad of the four weight matrices, or biases. The second round, if any, has no mask."""
    layer = run_backward(x, G, [first_mask, None][:rounds])[0]
    return [getattr(getattr(layer, name), kind).grad for name in projections]


def measured_gradient(loss, array, by_rule):
    """Return `by_rule` if the loss changes accordingly when all numbers move at once; else measure each number."""
    by_rule, move = np.asarray(by_rule, dtype=float), np.ones(array.shape)
    move += np.modf(np.arange(move.size) * 0.618)[0].reshape(move.shape)
    step = 2.0**-16
    slope = (loss(array + step * move) - loss(array - step * move)) / (2 * step)
    if by_rule.shape == move.shape and np.isclose(slope, (by_rule * move).sum(), rtol=1e-5, atol=1e-5):
        return by_rule
    return numerical_gradient(loss, array)


def check_parameter_gradients(x, G, mask):
    """Compare each .grad with finite differences."""
    weights = projection_weights()
    layer = layer_with_weights(weights)

    def forward():
        return np.asarray(layer.forward(x.copy(), None if mask is None else mask.copy()))

    forward()
    layer.backward(G.copy())
    for name in projections[::-1]:
        for kind, numbers in zip(("weight", "bias"), weights[name]):
            parameter = getattr(getattr(layer, name), kind)
            by_rule = np.array(parameter.grad, dtype=float)
            measured = measured_gradient(loss_of(parameter, forward, G), numbers, by_rule)
            parameter.data = numbers.copy()
            check_numbers(by_rule, measured, f"compared with the measured gradient of {name}.{kind}", 1e-5)


# The pictures of the training


def draw_weights(weights, queries, keys, ax, marked):
    """Draw a heatmap as in lesson 01: a row per query, a column per key, colours from 0 to 1, marked cells framed."""
    ax.imshow(weights, vmin=0, vmax=1, cmap="cividis")
    ax.set(xlabel="key", ylabel="query", xticks=range(len(keys)), xticklabels=keys,
           yticks=range(len(queries)), yticklabels=queries)
    for (i, j), weight in np.ndenumerate(weights):
        ink = "black" if weight > 0.5 else "white"
        ax.text(j, i, f"{weight:.2f}", ha="center", va="center", fontsize=10, color=ink)
        if marked[i, j]:
            ax.add_patch(plt.Rectangle((j - 0.44, i - 0.44), 0.88, 0.88, fill=False, edgecolor=ink))
