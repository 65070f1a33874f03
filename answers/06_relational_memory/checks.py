"""What the tests of lesson 06 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import math

import matplotlib.pyplot as plt
import numpy as np
import torch

# All exercises


def as_array(result):
    """Return a NumPy array of a tensor, a list or a tuple."""
    assert result is not None, "your function returned None: does it end with a return?"
    if isinstance(result, (list, tuple)):
        parts = [as_array(part) for part in result]
        assert len({part.shape for part in parts}) < 2, "your function returned several things, not one"
        return np.array(parts)
    try:
        return np.asarray(result.detach().cpu() if torch.is_tensor(result) else result, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"the result is not an array of numbers\n{problem}") from None


def in_words(shape):
    """Write a shape as 3 × 5: in a message of a hidden test, numbers in brackets are a student's result."""
    return " × ".join(map(str, shape)) or "1"


def magnitude(numbers):
    """Return the largest finite absolute value, at least 1: large numbers are compared less exactly."""
    sizes = np.abs(np.asarray(numbers, dtype=float))
    return max(1.0, sizes[np.isfinite(sizes)].max(initial=0))


def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Raise AssertionError unless `got` equals `expected`. Only the lines after the first contain numbers."""
    got, expected = as_array(got), as_array(expected)
    assert got.shape == expected.shape, (
        f"{where}, {sizes}the shape is not right\nexpected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def as_pair(result, names):
    """Return the pair. Raise AssertionError if the result is something else."""
    assert result is not None, "it returned None\ndoes your function end with a return?"
    assert isinstance(result, (tuple, list)) and len(result) == 2, (
        f"the result is not a pair\nreturn two things: ({names})")
    return result


def example_array(start, *shape):
    """Return numbers between −2 and 2 with one decimal, the same ones for the same start and shape."""
    places = start + np.arange(math.prod(shape))
    return np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape)


def example_tensor(start, *shape):
    """Return the numbers of example_array as a tensor."""
    return torch.tensor(example_array(start, *shape), dtype=torch.float32)


def random_arrays(rng, *shapes, dtype=np.float64):
    """Return normal numbers. Divide tables with two axes by the root of their rows, to keep products near 1."""
    made = [rng.normal(size=shape) / (shape[0] ** 0.5 if len(shape) == 2 else 1) for shape in shapes]
    return [one.astype(dtype) for one in made]


def random_tensors(rng, *shapes):
    """Return the numbers of random_arrays as tensors."""
    return [torch.tensor(one, dtype=torch.float32) for one in random_arrays(rng, *shapes)]


def check_unchanged(given, before):
    """Raise AssertionError unless the inputs are unchanged."""
    same = (np.array_equal(as_array(one), as_array(other)) for one, other in zip(given, before) if one is not None)
    assert all(same), "an input was changed: make new arrays"


# 6.1 Slots attend to slots


def attention_inputs(start, batch, slots, d):
    """Return memory, token and three weight matrices."""
    shapes = (batch, slots, d), (batch, d), (d, d), (d, d), (d, d)
    memory, token, *matrices = [example_array(start + 50 * n, *shape) for n, shape in enumerate(shapes)]
    memory[-1, -1] = 0
    return memory, token, *(matrix / 4 for matrix in matrices)


slot_mask = np.zeros((4, 5))
slot_mask[[0, 0, 1, 1, 2, 3, 3], [1, 3, 2, 4, 0, 3, 4]] = -math.inf

# 6.2 The token's weight is a gate


def blend_inputs(start, *front, n_q, n, depth):
    """Return scores of slots and token, then values of slots and token. front: the sizes of the leading axes."""
    slot_scores, token_score = example_array(start, *front, n_q, n), example_array(start + 90, *front, n_q)
    return slot_scores, token_score, example_array(start + 30, *front, n, depth), example_array(start + 60, *front, depth)


extreme_inputs = blend_inputs(4, 2, n_q=3, n=4, depth=2)
extreme_inputs = extreme_inputs[0] * 1000, extreme_inputs[1] * 1000, *extreme_inputs[2:]
blocked_inputs = blend_inputs(5, 3, n_q=2, n=4, depth=5)
blocked_inputs[0][0, 1, 2] = blocked_inputs[0][1, 0, :3] = blocked_inputs[0][2, 1, 0] = -math.inf

# 6.3 Each row by itself


def row_inputs(start, batch, slots, d, hidden):
    """Return memory, attended, and the matrices and biases of a network."""
    shapes = (batch, slots, d), (batch, slots, d), (d, hidden), (hidden,), (hidden, d), (d,)
    return [example_array(start + 40 * n, *shape) for n, shape in enumerate(shapes)]


def near_zero_inputs(start, *sizes):
    """Return row_inputs whose memory and attended sum to numbers near 0, and to 0 in the first row."""
    memory, attended, *network = row_inputs(start, *sizes)
    memory[0, 0] = 0
    return [memory, -0.99 * memory, *network]


# 6.4 Gates: what is written, what is kept


def gate_inputs(start, batch, slots, d):
    """Return memory, candidate, token, W, U and b."""
    shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
    memory, candidate, token, W, U, b = [example_array(start + 60 * n, *shape) for n, shape in enumerate(shapes)]
    memory[-1, -1] = 0
    return memory, candidate, token, W / 2, U, b


# Tokens from -10 to 10, so W is small: without it, all gates would be near 0 or 1.
wide_gate_inputs = [one * factor for one, factor in zip(gate_inputs(3, 3, 2, 4), (1, 1, 5, 0.2, 1, 1))]


# 6.8 Catch the bug


def verdict_of(candidate):
    """Return the verdict of the student's test about a candidate, or the text of the error that it raised."""
    try:
        return check_gates(candidate)
    except Exception as error:
        return repr(error)


def required_verdict(candidate, what):
    """Return the verdict of the student's test. Raise AssertionError if it is neither True nor False."""
    try:
        verdict = check_gates(candidate)
    except Exception as error:
        raise AssertionError(
            f"{what}: your test raised {type(error).__name__}: {error}\nA test returns a verdict and raises nothing: "
            "call the candidate inside try; or is the error in a line of your own?") from error
    assert verdict is not None, (
        f"{what}: your test returned None\nEvery path through your test must end with return True or return False.")
    assert isinstance(verdict, (bool, np.bool_)), (
        f"{what}: your test returned neither True nor False\nEvery path through it must end with one of them.")
    return verdict


def own_gates_pass():
    """Return True if the student's function of 6.4 passes its visible test."""
    returns("gated-memory", memory="sequence slot feature")
    try:
        check("gated-memory", "3 sequences, 3 slots of 2 features", gated_memory, *gate_inputs(0, 3, 3, 2), -0.5)
        check("gated-memory", "with the default forget bias", gated_memory, *gate_inputs(7, 2, 3, 4))
        check("gated-memory", "2 sequences, 4 slots of 3 features", gated_memory, *gate_inputs(2, 2, 4, 3), forget_bias=2.0)
        check("gated-memory", "one slot of one feature", gated_memory, *gate_inputs(5, 2, 1, 1))
        check("gated-memory", "with tokens up to ±10", gated_memory, *wide_gate_inputs, forget_bias=1.0)
    except AssertionError:
        return False
    return True


def rounded_gated_memory(shift, bias=0):
    """Return a function that returns the result of the student's function of 6.4, plus `shift`, with `bias` added to b."""
    return lambda *arguments: np.asarray(gated_memory(*arguments[:5], arguments[5] + bias, *arguments[6:])) + shift


def check_accepts_own():
    """Raise AssertionError if the student's test rejects the student's 6.4, or accepts it with a larger bias.

    The check is left out if 6.4 does not pass its test. When notebooks are graded, it is also left out if 6.4 returned
    wrong numbers to the student's test: `slow_gates`, in the hidden tests of 6.4, returns the right ones.
    """
    stops, sizes, mistaken, right_gates = [], ["nothing"], [], globals().get("slow_gates")

    def recorded(*arguments, **named):
        sizes[0] = ", ".join(str(np.shape(one)) for one in arguments[:6])
        if named or len(arguments) != 7:
            stops.append(f"your test called it with {len(arguments)} arguments by position and {len(named)} by name\n"
                         "Pass all seven by position, also the forget bias: a candidate may have other names.")
            raise TypeError("a candidate takes seven arguments, all by position")
        try:
            made = gated_memory(*arguments)
            if right_gates and not np.allclose(as_array(made), right_gates(*map(as_array, arguments)), atol=1e-5):
                mistaken.append(sizes[0])
            return made
        except Exception as error:
            stops.append(f"at your input with the sizes {sizes[0]} it raises {type(error).__name__}: {error}\n"
                         "Is this input valid? memory, candidate, token, W, U, b, and the forget bias, in this order.")
            raise

    if own_gates_pass():
        accepted = required_verdict(recorded, "your function of 6.4")
        if mistaken:
            return
        assert accepted, (
            f"your test rejects your function of 6.4, and the last input had the sizes {sizes[0]}\n" + (stops + [
                "It passes its test: are your own numbers right there, with both tanh, b and the forget bias, and is "
                "the first half the input gate? And does no line of yours inside try raise an error?"])[0])
        for shift in (9e-6, -9e-6):
            assert required_verdict(rounded_gated_memory(shift), "your function of 6.4, rounded differently"), (
                "your test rejects your function of 6.4, rounded differently by up to 1e-5\n"
                "Compare to about 1e-4, with np.allclose(…, atol=1e-4): its default tolerance is smaller.")
        for shift in (0, 9e-6, -9e-6):
            assert not required_verdict(rounded_gated_memory(shift, 1), "your function of 6.4, with 1 added to b"), (
                "your test accepts your function of 6.4 with 1 added to b\n"
                "Compare every number with your own to about 1e-4, for inputs that are not all near 0.")


# 6.5 The same step, trainable


def core_weights(start, input_size, d, hidden):
    """Return numbers for all layers, by their names in state_dict()."""
    shapes = {"project.weight": (d, input_size), "project.bias": (d,), "q.weight": (d, d), "k.weight": (d, d),
              "v.weight": (d, d), "mlp_in.weight": (hidden, d), "mlp_in.bias": (hidden,), "mlp_out.weight": (d, hidden),
              "mlp_out.bias": (d,), "gate_token.weight": (2 * d, d), "gate_token.bias": (2 * d,),
              "gate_memory.weight": (2 * d, d)}
    return {name: example_tensor(start + 37 * n, *shape) / 2 for n, (name, shape) in enumerate(shapes.items())}


def steep_weights(*sizes):
    """Return core_weights with so large a weight of q that most scores are near ±1e30."""
    weights = core_weights(*sizes)
    return {**weights, "q.weight": weights["q.weight"] * 1e30}


def core_inputs(start, batch, slots, d, input_size):
    """Return a memory and an input."""
    return example_tensor(start, batch, slots, d), example_tensor(start + 20, batch, input_size)


def core_with_weights(weights, *sizes, **options):
    """Return a new module of the student's class with these weights in its layers."""
    core = RelationalMemory(*sizes, **options)
    own = {name: tuple(value.shape) for name, value in core.state_dict().items()}
    missing, extra = sorted(set(weights) - set(own)), sorted(set(own) - set(weights))
    assert not missing, (
        f"state_dict() has no {', '.join(missing)}\nname the layers as in the table, assign them to self.…, with or without "
        "bias as the table says")
    assert not extra, (
        f"state_dict() also holds {', '.join(extra)}\nleave out other layers and parameters, and pass bias=False where "
        "the table says so")
    for name, value in weights.items():
        assert own[name] == tuple(value.shape), (
            f"{name} has the shape {own[name]} and should have {tuple(value.shape)}\n"
            "nn.Linear takes the input features first, then the output features")
    core.load_state_dict({name: value.clone() for name, value in weights.items()})
    return core


def core_step(memory, x, weights, input_size, d, num_heads, hidden, **options):
    """Return the result of one step of the student's module. Raise AssertionError if a second call returns another."""
    core = core_with_weights(weights, input_size, d, num_heads, hidden, **options)
    first = as_pair(core(memory.clone(), x.clone()), "memory, weights")
    again = as_pair(core(memory, x), "memory, weights")
    same = all(np.array_equal(as_array(one), as_array(other), equal_nan=True) for one, other in zip(first, again))
    assert same, "a second call with the same input returns other numbers\nstore nothing on self in forward, and use no random numbers"
    return again


def check_core(right, cases, seed, linked):
    """Raise AssertionError unless two calls of the student's module return what `right` returns, for random inputs."""
    rng = np.random.default_rng(seed)
    for batch, slots, d, heads, size, hidden, bias in cases:
        weights = {name: random_tensors(rng, value.shape)[0] * 0.8
                   for name, value in core_weights(0, size, d, hidden).items()}
        given = random_tensors(rng, (batch, slots, d)) + [
            torch.tensor(rng.normal(size=(batch, size)), dtype=torch.float32)]
        before = [one.clone() for one in given]
        core = core_with_weights(weights, size, d, heads, hidden, forget_bias=bias, linked=linked)
        expected = right(weights, *map(as_array, before), heads, bias, linked)
        sizes = f"with {batch=}, {slots=}, {d=}, {heads=}, {size=}, {hidden=}, {linked=}, "
        for training in (True, False):
            core.train(training)
            core(given[0][:1, :1].clone(), given[1][:1].clone())    # another number of slots, which it must not keep
            passed = [one.clone() for one in given]
            memory, shares = core(*passed)
            check_unchanged(passed, before)
            check_numbers(shares, expected[1], "in the weights of a larger module", 1e-4, sizes)
            check_numbers(memory, expected[0], "in the memory of a larger module", 1e-4, sizes)


def heads_of_new_core(d, heads):
    """Make a module, and return its number of heads."""
    RelationalMemory(3, d, heads, 4)
    return heads


def check_error_names_sizes(d, heads):
    """Raise AssertionError unless the constructor raises a ValueError whose text contains both sizes."""
    said = "no error"
    try:
        RelationalMemory(3, d, heads, 4)
    except ValueError as error:
        said = str(error)
    assert str(d) in said and str(heads) in said, (
        f"d {d} and {heads} heads: {said}\nthe text of the ValueError should contain both values, here {d} and {heads}")


# 6.7 Sequences of different lengths


def simple_step(memory, x):
    """Return the new memory and the weights of 2 heads, by a simple rule."""
    assert memory.ndim == 3 and x.ndim == 2 and len(memory) == len(x), (
        f"step was called with a memory {tuple(memory.shape)} and an input {tuple(x.shape)}\n"
        "give it (batch, slots, d) and (batch, input_size), both of the same sequences")
    slots = memory.shape[1]
    numbered = torch.arange(1, slots + 1, dtype=memory.dtype)[None, :, None]
    new = memory / 2 + numbered * x.mean(dim=1)[:, None, None] + x[:, :1, None] * x[:, 1:2, None]
    scores = torch.cat([new @ memory.transpose(1, 2), x[:, :1, None].expand(-1, slots, 1)], dim=-1)
    return new, torch.stack([scores.softmax(dim=-1), (2 * scores).softmax(dim=-1)], dim=1)


def unroll_simple_step(memory, inputs, lengths):
    """Return the result of the student's unroll for simple_step, with weights at padded steps set to 0."""
    ends = [int(length) for length in lengths]
    memories, weights = as_pair(unroll(simple_step, memory, inputs, lengths), "memories, weights")
    weights = np.array(as_array(weights))
    if weights.ndim > 1:
        tables = weights if weights.shape[:2] == inputs.shape[:2] else weights.swapaxes(0, 1)
        for table, end in zip(tables, ends):
            table[end:] = 0
    return memories, weights


def check_unroll_gradients(start=21, right=None):
    """Raise AssertionError unless gradients flow through unroll, with the student's 6.5 as the step, if that works.

    right: see `check_gradients`.
    """
    memory, x = core_inputs(1, 3, 4, 8, 5)
    returns("relational-memory", memory="sequence slot feature", weights="sequence head slot column")
    try:
        check("relational-memory", "3 sequences, 4 slots, 2 heads", core_step, memory, x, core_weights(0, 5, 8, 6), 5, 8, 2, 6)
        core = core_with_weights(core_weights(0, 5, 8, 6), 5, 8, 2, 6)
        check_gradients("relational-memory", "gradients", core, memory=memory, x=x)
    except Exception:
        return
    for steps, lengths in [(5, [2, 5, 1]), (1, [1, 1, 1]), (4, [2, 1, 2])]:
        inputs = example_tensor(start, 3, steps, 5)
        try:
            check_gradients("unroll", f"gradients, {steps=}", unroll, step=core, memory=memory, inputs=inputs, lengths=lengths,
                            right=right)
        except AssertionError as error:
            *above, last = str(error).split("\n")
            # lengths have no gradient.
            last = "use the tensors themselves, without .detach(), .data, no_grad or NumPy" if "lengths" in last else last
            raise AssertionError("\n".join([*above, last])) from None


# The pictures of the training


def draw_attention(model, name, hatch_blocked=False):
    """Draw the weights of one example: a row for each head, a column for each question."""
    stored, asked, _ = asked_of(torch.tensor([[0.2, 1.2, 3.2, 4.4]]), torch.tensor([[0, 1, 2]]))
    with torch.no_grad():
        weights = model(stored, asked)[2][0]
    fig, axes = plt.subplots(2, 3, figsize=(9.4, 5.9), layout="constrained")
    fig.get_layout_engine().set(hspace=0.06)
    for (t, h), ax in zip(np.ndindex(3, 2), axes.T.ravel()):
        table = weights[t, h].numpy()
        ax.imshow(table, vmin=0, vmax=1, cmap="cividis")
        for i, j in np.ndindex(4, 5):
            if hatch_blocked and j not in (i, 4):
                ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", edgecolor="gray", hatch="////", lw=0))
            else:
                ax.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", fontsize=9,
                        color="black" if table[i, j] > 0.5 else "white")
        ax.axvline(3.5, color="white", linewidth=5)
        ax.set(xticks=range(5), xticklabels=[*range(4), f"ask {t}"], yticks=range(4), xlabel="key", ylabel="query")
    for t, ax in enumerate(axes[0]):
        ax.set_title(f"{name}, question {t}", fontsize=10)
    for h, ax in enumerate(axes[:, 0]):
        ax.set_ylabel(f"head {h}\n\nquery")
    fig.colorbar(axes[0, 0].images[0], ax=axes, shrink=0.6, label="attention weight")
    plt.show()
