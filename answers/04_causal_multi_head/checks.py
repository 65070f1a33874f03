"""What the tests of lesson 04 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import itertools
import math
from copy import deepcopy

import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def as_array(result):
    """Return a NumPy array of a result: a tensor on any device, a list or a tuple."""
    assert result is not None, "you returned None: does your function end with a return?"
    if isinstance(result, (list, tuple)):
        parts = [as_array(part) for part in result]
        assert len({part.shape for part in parts}) < 2, "you returned several things, not one"
        return np.array(parts)
    try:
        return np.asarray(result.detach().cpu() if torch.is_tensor(result) else result, dtype=float)
    except (TypeError, ValueError, RuntimeError) as problem:
        raise AssertionError(f"the result is not an array of numbers\n{problem}") from None


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


def check_numbers(got, expected, where, tolerance=1e-3, sizes=""):
    """Raise AssertionError unless `got` equals `expected`; the first line of the message holds no numbers."""
    got, expected = as_array(got), as_array(expected)
    assert got.shape == expected.shape, (
        f"{where}, {sizes}the shape is not right\nexpected {expected.shape}, but got {got.shape}")
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * magnitude(expected)), (
        f"{where}, {sizes}the shape is right, but the numbers are not\n"
        f"expected\n{np.round(expected, 4)}\nbut got\n{np.round(got, 4)}")


def are_close(a, b):
    """Return True if two arrays hold the same numbers, up to rounding."""
    return np.shape(a) == np.shape(b) and np.allclose(a, b, atol=1e-5, equal_nan=True)


def random_tensor(rng, *shape):
    """Return a tensor of normal random numbers in float32."""
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


def random_weights(rng, input_size, hidden, names=("q", "k", "v", "mix")):
    """Return random weights and biases for the layers called `names`; outputs stay near 1."""
    weights = {}
    for name in names:
        inputs = hidden if name == "mix" else input_size
        weights[f"{name}.weight"] = random_tensor(rng, hidden, inputs) / inputs**0.5
        weights[f"{name}.bias"] = random_tensor(rng, hidden) / 2
    return weights


def with_weights(layer, weights):
    """Load copies of `weights` into `layer`, switch it to eval mode, and return it."""
    own = {name: tuple(value.shape) for name, value in layer.state_dict().items()}
    missing, extra = sorted(set(weights) - set(own)), sorted(set(own) - set(weights))
    assert not missing, (
        f"the layer lacks weights\nits state_dict() has no {', '.join(missing)}\n"
        "name the nn.Linear layers as asked, keep them as self.…, and leave them their bias")
    assert not extra, (
        "state_dict() should hold the named layers only, but it holds more\n"
        f"it also holds {', '.join(extra)}\n"
        "leave out other layers and parameters; a mask is made in forward, or is a buffer with "
        "persistent=False")
    for name, value in weights.items():
        assert own[name] == tuple(value.shape), (
            "the weights of a layer have another shape than they should have\n"
            f"{name} has shape {own[name]} and should have {tuple(value.shape)}\n"
            "nn.Linear takes how many numbers come in, then how many go out: input_size and hidden"
            + (" (for mix: hidden and hidden)" if "mix.weight" in weights else ""))
    layer.load_state_dict({name: value.clone() for name, value in weights.items()})
    layer.eval()
    return layer


def output_of(layer, x, **options):
    """Return the layer's output for a copy of x, as a NumPy array."""
    return as_array(layer(x.clone(), **options))


def repeatable_output(layer, x, **options):
    """Return the layer's output for x; raise AssertionError unless two calls give the same."""
    try:
        first, out = layer(x.clone(), **options), layer(x, **options)
    except RuntimeError as error:
        if "invalid for input of size" in str(error):
            error.args = (f"{error} (is one of these sizes input_size, from x? The layers return hidden numbers)",)
        raise
    assert not torch.is_tensor(first) or are_close(as_array(first), as_array(out)), (
        "two calls give different numbers, in eval mode\nnothing may be drawn there: make nn.Dropout in __init__, "
        "or give F.dropout training=self.training")
    return out


# 4.1 One head as a module


def output_with(kind, sizes, weights, x, **options):
    """Return the output of a new layer of this kind for x, with these weights."""
    return repeatable_output(with_weights(kind(*sizes), weights), x, **options)


def probe_weights(weights, sizes):
    """Return weights for which a token's last number is its value alone, ignored by q and k; mix does nothing."""
    hidden, state = sizes[1], {name: value.clone() for name, value in weights.items()}
    state["q.weight"][:, -1] = state["k.weight"][:, -1] = 0
    state["v.weight"], state["v.bias"] = torch.zeros(hidden, sizes[0]), torch.zeros(hidden)
    state["v.weight"][:, -1] = 1
    if "mix.weight" in weights:
        state["mix.weight"], state["mix.bias"] = torch.eye(hidden), torch.zeros(hidden)
    return state


def weights_of(kind, sizes, weights, x, heads=1, lengths=None, **options):
    """Return the weights with which a new layer mixes tokens: [sequence, head, query, key].

    For each token once, its value is 1 and that of the others 0: what comes out is the weight on it.
    """
    layer, found = with_weights(kind(*sizes, **options), probe_weights(weights, sizes)), []
    shape, say = (*x.shape[:2], sizes[1]), {} if lengths is None else {"lengths": lengths}
    for token in range(x.shape[1]):
        shown = x.clone()
        shown[..., -1] = torch.eye(x.shape[1])[token]
        out = as_array(repeatable_output(layer, shown, **say))
        assert out.shape == shape, (
            f"the output has another shape than it should have\nit is {out.shape}, and should be (batch, seq, hidden) = {shape}")
        found.append(out[..., ::sizes[1] // heads])
    table = np.stack(found, axis=-1).swapaxes(1, 2)
    for row, length in zip(table, [] if lengths is None else lengths):
        row[:, int(length):] = 0  # what comes out at padded queries doesn't count
    return table


# 4.3 Splitting into heads, and merging again


def check_error(hidden, heads, function, *arguments, where="", inside=""):
    """Raise AssertionError unless this call raises a ValueError whose message contains both values.

    inside: where the check of the sizes belongs, for the message.
    """
    try:
        function(*arguments)
        came, text = "no error came", None
    except Exception as error:
        assert not isinstance(error, NotImplementedError), (
            "write your code in place of the line raise NotImplementedError(), and run that cell")
        came, text = f"{type(error).__name__} came", str(error) if isinstance(error, ValueError) else None
    case = f"{where or 'sizes that do not divide'}\n{hidden} numbers into {heads} heads: {came}\n"
    assert text is not None, f"{case}{inside}raise a ValueError before anything else, if num_heads does not divide hidden"
    assert str(hidden) in text and str(heads) in text, (
        f"{case}the text of the ValueError should contain both values, here {hidden} and {heads}")


# 4.5 Two masks


def stays_on_device(function, other=None):
    """Return 1 if `function(scores, other)` stays on the device of the scores, and 0 if its result is elsewhere.

    Tensors on "meta" hold no numbers; mixing them with the CPU is an error, as on a GPU. other: a list, or the
    sizes of a second tensor, as a tuple.
    """
    arguments = [torch.zeros(2, 3, 4, 4, device="meta")]
    if other is not None:
        arguments.append(torch.zeros(other, device="meta") if isinstance(other, tuple) else other)
    try:
        return float(function(*arguments).device.type == "meta")
    except Exception as error:
        said = str(error)
        reads_scores = "item()" in said or "no data" in said  # slow, but right on any device
        if not reads_scores and any(words in said for words in ("expected device", "same device", "on device", "cpu")):
            raise
        return 1.0  # no mistake: with numbers it went well, and a compiler may know no "meta"


def check_device(exercise, case, function, *other):
    """Raise AssertionError unless `function(scores, *other)` stays on the device of the scores."""
    returns(exercise, on_device="")
    check(exercise, case, stays_on_device, function, *other)


def draw_weights(ax, table, blocked, queries, keys, title, scores=False):
    """Draw one head with a row for each query; hatch blocked cells, and frame mistakes in red. Scores are not coloured."""
    nothing = -math.inf if scores else 0
    ax.imshow(table, vmin=0, vmax=1, cmap="cividis", aspect="auto")
    for i, j in np.ndindex(len(queries), len(keys)):
        value, shut = float(table[i][j]), bool(blocked[i][j])
        wrong = math.isnan(value) or shut != (value == nothing)
        if shut or wrong or scores:
            ax.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", linewidth=0,
                                       edgecolor="gray", hatch="////" if shut and not wrong else None))
        if wrong:
            ax.add_patch(plt.Rectangle((j - 0.42, i - 0.42), 0.84, 0.84, fill=False, linewidth=2.5,
                                       edgecolor="red"))
        if wrong or not shut:
            color = "red" if wrong else "white" if value < 0.5 and not scores else "black"
            ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=9, color=color)
    ax.set_xticks(range(len(keys)), keys, rotation=45, ha="right")
    ax.set_yticks(range(len(queries)), queries)
    ax.set_xticks(np.arange(0.5, len(keys) - 1), minor=True)
    ax.set_yticks(np.arange(0.5, len(queries) - 1), minor=True)
    ax.grid(which="minor", color="gray" if scores else "white", linewidth=0.5 if scores else 1.5)
    ax.tick_params(which="minor", length=0)
    ax.set(xlabel="key", ylabel="query", title=title)


# 4.6 Many heads, masked


one_token_weights = {
    "q.weight": torch.eye(6) / 2, "q.bias": torch.zeros(6), "k.weight": -torch.eye(6), "k.bias": torch.zeros(6),
    "v.weight": 10 * torch.eye(6), "v.bias": torch.zeros(6), "mix.weight": 2 * torch.eye(6), "mix.bias": torch.ones(6)}


def weights_with_values_one(weights):
    """Return the same weights, but all values are 1, and mix does nothing."""
    eye, none = torch.eye(len(weights["mix.bias"])), torch.zeros(len(weights["mix.bias"]))
    return {**weights, "v.weight": 0 * weights["v.weight"], "v.bias": none + 1,
            "mix.weight": eye, "mix.bias": none}


def equal_scores(rng, batch, seq, sizes):
    """Return weights, and x, for which all scores of a sequence are equal: 0 in the first, more in the next."""
    weights = {name: 0 * value for name, value in random_weights(rng, *sizes[:2]).items()}
    weights["q.weight"][:, 0] = weights["k.weight"][:, 0] = 1
    x = random_tensor(rng, batch, seq, sizes[0])
    x[..., 0] = torch.arange(batch)[:, None] / 2
    return weights, x


def low_scores(batch, seq, sizes):
    """Return weights, and x, for which all scores of a sequence are equal, and far below 0.

    Only one number of each query and key is not 0, a power of 2, so nothing is rounded in float32.
    """
    weights = {name: 0 * value for name, value in random_weights(np.random.default_rng(0), *sizes[:2]).items()}
    firsts = list(range(0, sizes[1], sizes[1] // sizes[2]))
    weights["q.weight"][firsts, 0], weights["k.weight"][firsts, 0] = 1, -1
    x = torch.zeros(batch, seq, sizes[0])
    x[..., 0] = 2.0 ** (50 + torch.arange(batch)[:, None])
    return weights, x


def shorter_after_longer(sizes, weights, x):
    """Return the weights of a causal layer's first two tokens, called after all tokens with the same layer."""
    layer = with_weights(MultiHeadSelfAttention(*sizes, causal=True), probe_weights(weights, sizes))
    shown = x.clone()
    shown[..., -1] = torch.eye(x.shape[1])[0]
    layer(shown.clone())
    return as_array(layer(shown[:, :2].clone()))


def alike_weights(rng, input_size, hidden):
    """Return random weights of q, k and v whose rows are all alike; mix does nothing."""
    weights = random_weights(rng, input_size, hidden, "qkv")
    for value in weights.values():
        value[:] = value[0].clone()
    return {**weights, "mix.weight": torch.eye(hidden), "mix.bias": torch.zeros(hidden)}


def possible_probs(x, weights, heads, blocked=False):
    """Return the attention weights [batch, seq, seq] that a head may have with alike weights; the first are right.

    The others have another scale, or queries and keys in each other's place, which Test 1 finds.
    """
    q, k = (as_array(x) @ as_array(weights[f"{n}.weight"][0]) + as_array(weights[f"{n}.bias"][0]) for n in "qk")
    hidden, seq, found = len(weights["q.bias"]), x.shape[1], []
    size = hidden // heads
    for scores in (q[:, :, None] * k[:, None], k[:, :, None] * q[:, None]):
        for scale in (size**-0.5, 1, hidden**-0.5, heads**-0.5, seq**-0.5, 1 / size, size**0.5):
            shares = np.exp(size * scale * scores) * ~np.array(blocked)
            found.append(shares / shares.sum(axis=-1, keepdims=True))
            if not np.any(blocked):
                found.append(shares / shares.sum(axis=-2, keepdims=True))
    return found


def check_any(got, possible, where):
    """Raise AssertionError unless `got` equals one of the arrays in `possible`, of which the first is right."""
    alike = [got.shape == one.shape and np.allclose(got, one, rtol=1e-4, atol=1e-4) for one in possible]
    if not any(alike):
        try:
            check_numbers(got, possible[0], where=where, tolerance=1e-4)
        except AssertionError as problem:
            raise AssertionError(f"{problem}\nif Test 1 fails, start there; if not, look at the masks: what do they block, and when?"
                                 ) from None


def check_masked(rng, batch, seq, sizes, where, causal=False, lengths=None):
    """Raise AssertionError unless each real token gets what queries and keys with alike weights give, under these masks."""
    weights, x = alike_weights(rng, *sizes[:2]), random_tensor(rng, batch, seq, sizes[0])
    ends = np.array([seq] * batch if lengths is None else lengths)
    blocked = (np.arange(seq) >= ends[:, None])[:, None] | np.zeros((batch, seq, 1), dtype=bool)
    blocked = blocked | (np.triu(np.ones((seq, seq)), 1) == 1) if causal else blocked
    layer = with_weights(MultiHeadSelfAttention(*sizes, causal=causal), weights)
    got = output_of(layer, x) if lengths is None else output_of(layer, x, lengths=list(lengths))
    shape = (batch, seq, sizes[1])
    assert got.shape == shape, f"{where}, the shape is not right\nexpected {shape}, but got {got.shape}"
    values = as_array(x) @ as_array(weights["v.weight"]).T + as_array(weights["v.bias"])
    real = np.arange(seq) < ends[:, None]  # what comes out at the other queries doesn't count
    mean = (~blocked / (~blocked).sum(axis=-1, keepdims=True)) @ values
    assert not np.allclose(got[real], mean[real], atol=1e-4), (
        f"{where}, this is the plain mean of the tokens that may be seen: queries and keys must decide")
    check_any(got[real], [(probs @ values)[real] for probs in possible_probs(x, weights, sizes[2], blocked)],
              where)


def probs_difference(kind, sizes, weights, x, heads, lengths=None, dropout=0.0, **options):
    """Return probs minus the weights that att is made with in eval mode: [row, query, key].

    Padded queries don't count, nor, with masks, rows with NaN in att, which Tests 2 and 3 find.
    """
    used, shape = weights_of(kind, sizes, weights, x, heads, lengths, **options), (len(x) * heads, *x.shape[1:2] * 2)
    state, say = probe_weights(weights, sizes), {} if lengths is None else {"lengths": lengths}
    state["mix.weight"] = 2 * state["mix.weight"]
    layer = with_weights(kind(*sizes, dropout=dropout, **options), state)
    alone = as_array(repeatable_output(layer, x.clone(), **say))
    assert alone.ndim == 3, "without return_attention, return att alone"
    result = layer(x.clone(), return_attention=True, **say)
    assert isinstance(result, (tuple, list)) and len(result) == 2, (
        "with return_attention=True, return the pair (att, probs)")
    assert are_close(as_array(result[0]), alone), (
        "the first of the pair is not what comes without return_attention\nreturn (att, probs), in this order, and drop weights in train mode only")
    layer.train()
    probs, again = (as_array(layer(x.clone(), return_attention=True, **say)[1]) for _ in range(2))
    assert probs.shape == shape, (
        f"probs has the shape {probs.shape} and should have (batch·num_heads, seq, seq) = {shape}\n"
        "join the batch axis and the head axis of the weights, and keep the other two"
        + ("; here the heads were added up or averaged, or only one is left" if probs.shape == used[:, 0].shape else ""))
    assert are_close(probs, again), (
        "in train mode, probs change from call to call\ntake them before dropout, which acts on the weights "
        "after softmax")
    difference = probs.reshape(used.shape) - used
    if options or say:
        difference[~np.isfinite(used).all(axis=-1)] = 0
    for table, length in zip(difference, [] if lengths is None else lengths):
        table[:, int(length):] = 0
    return difference.reshape(shape)


def used_weights_of_mix(sizes, weights, x):
    """Return the names of the weights of mix, or nothing if a layer ignores mix, which Test 1 finds."""
    zeros = {name: 0 * value for name, value in weights.items() if name.startswith("mix")}
    out = output_of(with_weights(MultiHeadSelfAttention(*sizes), {**weights, **zeros}), x)
    return [] if out.any() else [*zeros]


def check_probs(rng, batch, seq, hidden, heads):
    """Raise AssertionError unless probs are those of alike weights, in train mode, too."""
    weights, x = alike_weights(rng, hidden, hidden), random_tensor(rng, batch, seq, hidden)
    found = [np.repeat(probs, heads, axis=0) for probs in possible_probs(x, weights, heads)]
    for training in (False, True):
        layer = MultiHeadSelfAttention(hidden, hidden, heads, dropout=0.5 if training else 0.0)
        with_weights(layer, weights).train(training)
        got, mode = as_array(layer(x.clone(), return_attention=True)[1]), "train" if training else "eval"
        check_any(got, found, where=f"where the weights have rows that are alike, for probs in {mode} mode")


def check_dropout(dropout, where):
    """Raise AssertionError unless a layer with two heads drops this share of its weights, each on its own."""
    layer = with_weights(MultiHeadSelfAttention(6, 6, 2, dropout=dropout), weights_with_values_one(one_token_weights))
    one, three = torch.ones(6000, 1, 6), torch.ones(2000, 3, 6)
    try:
        alone = output_of(layer, one)
    except Exception as error:
        said = error if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        raise AssertionError(f"{where}, in eval mode: {said}\nif Test 1 fails, start there") from error
    assert np.allclose(alone, 1), (
        f"{where}, in eval mode: no weight may be dropped there (if Test 1 fails, start there)")
    layer.train()
    out = output_of(layer, one)
    few = [output_of(layer, one[:8]) for _ in range(40)]
    assert any((some != some[:1]).any() for some in few) or all((some == few[0]).all() for some in few), (
        f"{where}, in train mode: all sequences drop the same weights\nsend the attention weights themselves through nn.Dropout: a "
        "mask of another shape is shared")
    assert not np.isnan(out).any(), (
        f"{where}, in train mode: a row whose only weight is dropped gives NaN\n"
        "divide by 1 − dropout, as nn.Dropout does, and not by what is left of the row's sum")
    share, kept = (out == 0).mean(), out[out != 0]
    assert share > 0, (
        f"{where}, in train mode: no weight is dropped\nafter softmax, send the weights through a layer nn.Dropout(dropout) that __init__ makes")
    assert (out[..., :3] == out[..., :1]).all(), (
        f"{where}: parts of a head are dropped\ndrop weights, before they meet the values, not outputs")
    again = MultiHeadSelfAttention(6, 6, 2, dropout=dropout)
    again = with_weights(again, weights_with_values_one(one_token_weights)).train()
    for other in (layer, again):
        assert (output_of(other, one) != out).any(), (
            f"{where}: two calls drop the same weights\nleave the random generator alone: without manual_seed, each call "
            "drops other weights")
    assert abs(share - dropout) < 0.1, (
        f"{where}: another share of the weights is dropped\nit is {share:.2f} and should be {dropout}\n"
        "pass the argument dropout on: it is the share that is dropped, in nn.Dropout too")
    assert np.allclose(kept, 1 / (1 - dropout), atol=1e-4), (
        f"{where}: a kept weight of 1 became {kept.flat[0]:.4g} and should be {1 / (1 - dropout):.4g}\n"
        "a kept weight must be divided by 1 − dropout")
    out = output_of(layer, three)[:, :, [0, 3]] * 3 * (1 - dropout)
    assert np.allclose(out, np.round(out), atol=1e-3), (
        f"{where}: three equal tokens don't have weights of 1/3 each, dropped one by one\n"
        "if Test 1 fails, start there; if not, is a mask active that was not requested?")
    assert set(np.unique(np.round(out))) == {0, 1, 2, 3}, f"{where}: each weight must be dropped on its own"
    assert (out[..., 0] != out[..., 1]).any() and (out[:, 0] != out[:, 1]).any(), (
        f"{where}: each head and each query drops its own weights")
    assert abs(out.mean() - 3 * (1 - dropout)) < 0.15, f"{where}: the expected sum of the weights must stay 1"
    layer.eval()
    assert np.allclose(output_of(layer, three[:2]), 1), f"{where}: back in eval mode nothing may be dropped"


# 4.7 Take over PyTorch's own weights


def torch_module_with_weights(rng, hidden, heads, bias_scale=0.5):
    """Return PyTorch's own attention with random weights, and these weights under your names."""
    module = nn.MultiheadAttention(hidden, heads, batch_first=True).eval()
    theirs = {name: random_tensor(rng, *value.shape) * (hidden**-0.5 if value.dim() > 1 else bias_scale)
              for name, value in module.state_dict().items()}
    module.load_state_dict(theirs)
    parts = [theirs[f"in_proj_{kind}"].split(hidden) for kind in ("weight", "bias")]
    right = {f"{name}.{kind}": part for kind, own in zip(("weight", "bias"), parts)
             for name, part in zip("qkv", own)}
    return module, {**right, "mix.weight": theirs["out_proj.weight"], "mix.bias": theirs["out_proj.bias"]}


def matches_module(w, module, x, heads, causal):
    """Return True if a plain computation with the weights w gives what PyTorch's module gives."""
    later = torch.ones(*x.shape[1:2] * 2).triu(1).bool() if causal else None
    expected = as_array(module(x, x, x, attn_mask=later, need_weights=False)[0])
    split = ((x @ w[f"{n}.weight"].T + w[f"{n}.bias"]).chunk(heads, dim=-1) for n in "qkv")
    heads_out = [F.scaled_dot_product_attention(*part, is_causal=causal) for part in zip(*split)]
    got = as_array(torch.cat(heads_out, dim=-1) @ w["mix.weight"].T + w["mix.bias"])
    return np.allclose(got, expected, rtol=1e-5, atol=1e-5)


def loaded_layer(module):
    """Return the layer that load_from_torch returns, and a copy of the weights that it holds."""
    layer = load_from_torch(module)
    assert layer is not None, "you returned None\ndoes your function end with a return?"
    assert not isinstance(layer, (tuple, list, dict)), (
        f"you returned a {'dict' if isinstance(layer, dict) else 'tuple'}\nreturn the layer, in a line of its own: load_state_dict "
        "fills it, and returns only which names did not fit")
    held = set(layer.state_dict())
    assert held == {f"{name}.{kind}" for name in ("q", "k", "v", "mix") for kind in ("weight", "bias")}, (
        f"the returned object holds {', '.join(sorted(held))}\nreturn a MultiHeadSelfAttention, with its own layers")
    layer.eval()
    return layer, {name: value.detach().cpu().clone() for name, value in layer.state_dict().items()}


def check_load(rng, hidden, heads, batch, seq, bias_scale=0.5):
    """Raise AssertionError unless a layer with PyTorch's weights, and a plain computation with them, give what it gives."""
    module, _ = torch_module_with_weights(rng, hidden, heads, bias_scale)
    x, (layer, w) = random_tensor(rng, batch, seq, hidden), loaded_layer(deepcopy(module))
    for causal in (False, True):
        assert matches_module(w, module, x, heads, causal), "these weights don't give what PyTorch's module gives"
        fresh = MultiHeadSelfAttention(hidden, hidden, heads, causal=causal)
        fresh = with_weights(fresh, w)
        assert causal or np.allclose(output_of(layer, x), output_of(fresh, x), atol=1e-5), (
            "the weights are right, but a new layer with them, without a causal mask, gives other numbers\n"
            f"tried with {heads} heads\npass the module's number of heads, and leave causal off")


def loaded_weights(rng, hidden, heads):
    """Return the weights that a layer has taken over. The bias of k is left out: it changes no output."""
    module, right = torch_module_with_weights(rng, hidden, heads)
    held, x = loaded_layer(deepcopy(module))[1], random_tensor(rng, 3, 4, hidden)
    if matches_module(held, module, x, heads, causal=False):
        held = right
    else:
        again = loaded_layer(deepcopy(module))[1]
        drawn = [name for name in held if not torch.equal(held[name], again[name])]
        assert not drawn, (
            f"two calls give other numbers in {', '.join(drawn)}\n"
            "there your layer still holds what it was built with: copy the module's numbers into it")
    return {name.replace(".", "_"): held[name] for name in right if name != "k.bias"}


def check_copied(rng, hidden, heads):
    """Raise AssertionError unless module and layer keep separate weights. The module's weights are in layers of yours here."""
    wide, plain = (MultiHeadSelfAttention(hidden, size, heads) for size in (3 * hidden, hidden))
    module = nn.MultiheadAttention(hidden, heads, batch_first=True).eval()
    for kind in ("weight", "bias"):
        module._parameters[f"in_proj_{kind}"] = getattr(wide.q, kind)
    module._modules["out_proj"] = plain.mix
    given = [(part, {name: value.detach().clone() for name, value in part.state_dict().items()})
             for part in (wide.q, plain.mix)]
    layer, before = loaded_layer(module)
    for part, own in given:
        assert all(torch.equal(value, own[name]) for name, value in part.state_dict().items()), (
            "the module was changed\ncopy from the module into your layer, not the other way")
        part.load_state_dict({name: value + 1 for name, value in own.items()})
    moved = [name for name, value in layer.state_dict().items() if not torch.equal(value, before[name])]
    assert not moved, (
        f"{', '.join(moved)} changed when the module's weights did\n"
        "copy the numbers, so that the layer's weights are its own: copy_, clone or load_state_dict")


# Functions with the shapes of those of 4.3 to 4.5, but other numbers: they replace yours when the comments of
# 4.6 are checked.
same_shapes = {
    "split_heads": lambda x, num_heads: x.reshape(x.shape[0], num_heads, x.shape[1], -1),
    "merge_heads": lambda x: x.reshape(x.shape[0], x.shape[2], -1),
    "scaled_scores": lambda q, k: torch.einsum("bhqd,bhkd->bhqk", q, k),
    "mask_future": lambda scores: 1 * scores,
    "mask_padding": lambda scores, lengths: 2 * scores}
