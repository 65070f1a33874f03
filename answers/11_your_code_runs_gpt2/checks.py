"""What the tests of lesson 11 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import math
import re

import numpy as np
import torch


def as_array(result):
    """Convert a result (a tensor, a list or a tuple) to a NumPy array."""
    assert result is not None, "the result is None: does your function end with a return?"
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


def check_numbers(got, expected, where, sizes="", tolerance=1e-5):
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
    """Raise AssertionError unless every tensor is unchanged since the call."""
    assert all(map(torch.equal, arrays, before)), "an input was changed: make new tensors"


def result_parts(result, count, names):
    """Return the parts of a result; raise AssertionError if there are not `count` of them.

    names: the names of the parts, in one string.
    """
    assert result is not None, "your function returned None\ndoes your function end with a return?"
    assert isinstance(result, (tuple, list)) and len(result) == count, (
        f"the result does not have {count} parts\nreturn ({names})")
    return result


def example_tensor(start, *shape, dtype=torch.float32):
    """Return a tensor of numbers from -2 to 2 with one decimal, which depend only on `start` and `shape`."""
    places = start + np.arange(math.prod(shape))
    return torch.tensor(np.round(2 * np.sin(1.3 * places**2), 1).reshape(shape), dtype=dtype)


def example_tokens(start, batch, seq, vocab):
    """Return tokens (batch, seq), which depend only on `start` and the sizes."""
    places = start + torch.arange(batch * seq)
    return (3 * places**2 + 5 * places + places // 3).reshape(batch, seq) % vocab


def random_tensor(rng, *shape, dtype=torch.float32):
    """Return a tensor of normally distributed numbers."""
    return torch.tensor(rng.normal(size=shape), dtype=dtype)


def fill_state(shapes, make_tensor):
    """Return a state_dict of these shapes; the weights of norms are near 1, all else is near 0.

    shapes: a dict of names and shapes. make_tensor: a function of the entry's number and the shape.
    """
    return {
        name: make_tensor(n, *shape) / 2 + ("norm" in name and name.endswith("weight"))
        for n, (name, shape) in enumerate(shapes.items())
    }


def module_with_weights(state, module):
    """Copy `state` into the module's parameters and return the module.

    Raises AssertionError if the names or shapes of its parameters are not those of `state`.
    """
    own = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    missing, extra = sorted(set(state) - set(own)), sorted(set(own) - set(state))
    assert not missing, (
        f"state_dict() has no {', '.join(missing)}\n"
        "use the names of the exercise, and store each as self.…: a layer, or layers in an nn.ModuleList")
    assert not extra, f"state_dict() also holds {', '.join(extra)}\nadd no other layers and parameters"
    for name, value in state.items():
        assert own[name] == tuple(value.shape), (
            f"{name} has the shape {own[name]} and should have {tuple(value.shape)}\n"
            "use the sizes of the exercise's table, with the arguments of the constructor")
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


# 11.1 One merge: ids, pair and new id. Equal ids are separate objects, because Python keeps only small integers.
large_ids = [[*map(int, "464 3797 319 464 3797 3797 50256".split())], (int("464"), int("3797")), 1000]


def merge_of_large_ids(ids, pair, new_id):
    """Return the result of the student's merge_pair; raise AssertionError if it can't store large ids."""
    try:
        return merge_pair(ids, pair, new_id)
    except Exception as error:
        assert type(error).__name__ not in ("ValueError", "OverflowError"), (
            f"{type(error).__name__}: {error}\nAn id is no byte, and may be larger than 255: keep the ids in a list of integers.")
        raise


# 11.2 All merges, by rank
few_merges = {(2, 3): 10, (1, 2): 11, (1, 10): 12, (4, 4): 13, (10, 3): 14, (13, 13): 15, (15, 4): 16}
other_merges = {(3, 1): 20, (1, 2): 21}
long_merges = {(999 + n if n else 300, 301 + n): 1000 + n for n in range(39)}

# 11.3 Text to tokens and back: GPT-2's format of merges
small_merges = """#version: 0.2
Ġ t
h e
a t
Ġt he
o n
Ġ a
c at
t he
Ã ©
Ġ cat
â Ģ
c a
n !
Ġa n
Ġ m
Ġm at
Ġ Ġ
ð Ł
e e
"""


def encoded_ids(text, byte_ids, merges):
    """Return the ids that the student's encode returns."""
    try:
        ids = encode(text, byte_ids, merges)
    except Exception as error:
        assert type(error).__name__ != "IndexError" or text.isascii(), (
            f"encode raised IndexError: {error}\n"
            "byte_ids has one id for each of the 256 bytes: encode each piece as UTF-8 bytes, and look these up, not characters.")
        raise
    assert not isinstance(ids, (list, tuple)) or not any(isinstance(one, (list, tuple)) for one in ids), (
        "encode returned a list of lists\nreturn one list of integers: add the ids of each piece with extend, not with append")
    return ids


def decoded_characters(ids, vocab):
    """Return the code points of the text that the student's decode returns."""
    try:
        text = decode(ids, vocab)
    except Exception as error:
        assert type(error).__name__ != "UnicodeDecodeError", (
            f"decode raised UnicodeDecodeError: {error}\n"
            'First join the bytes of all tokens, then decode them with errors="replace", so that invalid bytes become �.')
        raise
    assert isinstance(text, str), f"decode returned {type(text).__name__}\nreturn a text: decode the joined bytes"
    return [ord(character) for character in text]


# 11.4 GPT-2's block
def mlp_shapes(d_model, d_hidden):
    """Return the shapes of the parameters of an MLP, by their names in state_dict()."""
    return {"up.weight": (d_hidden, d_model), "up.bias": (d_hidden,), "down.weight": (d_model, d_hidden), "down.bias": (d_model,)}


def mlp_state(start, d_model, d_hidden):
    """Return values for the parameters of an MLP."""
    return fill_state(mlp_shapes(d_model, d_hidden), lambda n, *shape: example_tensor(start + 31 * n, *shape))


def identity_mlp(size):
    """Return parameters with which an MLP is the GELU alone."""
    return {"up.weight": torch.eye(size), "up.bias": torch.zeros(size), "down.weight": torch.eye(size), "down.bias": torch.zeros(size)}


def new_mlp(d_model, d_hidden):
    """Return the student's MLP with example weights."""
    return module_with_weights(mlp_state(0, d_model, d_hidden), MLP(d_model, d_hidden))


def check_not_random(module, x, result):
    """Raise AssertionError unless a second call of the module returns the same."""
    assert np.allclose(as_array(module(x)), as_array(result), equal_nan=True), (
        "a second call with the same input returns other numbers\nNothing is random here: leave out dropout.")


def apply_mlp(x, state, d_hidden):
    """Return the output of the student's MLP with these parameters."""
    mlp = module_with_weights(state, MLP(x.shape[-1], d_hidden))
    output = mlp(x.clone())
    check_not_random(mlp, x, output)
    return output


def block_shapes(d_model):
    """Return the shapes of the parameters of a block, by their names in state_dict()."""
    shapes = {f"norm{n}.{kind}": (d_model,) for n in (1, 2) for kind in ("weight", "bias")}
    for one in ("q", "k", "v", "mix"):
        shapes |= {f"attn.{one}.weight": (d_model, d_model), f"attn.{one}.bias": (d_model,)}
    return shapes | {f"mlp.{name}": shape for name, shape in mlp_shapes(d_model, 4 * d_model).items()}


def block_state(start, d_model):
    """Return values for the parameters of a block."""
    return fill_state(block_shapes(d_model), lambda n, *shape: example_tensor(start + 31 * n, *shape))


def new_block(d_model, num_heads):
    """Return the student's Block with example weights."""
    return module_with_weights(block_state(0, d_model), Block(d_model, num_heads))


def apply_block(x, state, num_heads):
    """Return the output and the weights of the student's block with these parameters."""
    block = module_with_weights(state, Block(x.shape[-1], num_heads))
    output, weights = result_parts(block(x.clone()), 2, "x, weights")
    check_not_random(lambda x: block(x)[0], x, output)
    return output, weights


def learning_names(d_model, vocab=0, context=0, layers=0):
    """Return the parameters of a block or a model that get a gradient: a softmax doesn't depend on the bias of the keys."""
    shapes = model_shapes(vocab, context, d_model, layers) if layers else block_shapes(d_model)
    return [name for name in shapes if not name.endswith("attn.k.bias")]


# 11.5 The model
def model_shapes(vocab, context, d_model, layers):
    """Return the shapes of the parameters of a model, by their names in state_dict()."""
    shapes = {"token.weight": (vocab, d_model), "position.weight": (context, d_model), "norm.weight": (d_model,), "norm.bias": (d_model,)}
    return shapes | {f"blocks.{n}.{name}": shape for n in range(layers) for name, shape in block_shapes(d_model).items()}


def model_state(start, vocab, context, d_model, layers):
    """Return values for the parameters of a model."""
    shapes = model_shapes(vocab, context, d_model, layers)
    return fill_state(shapes, lambda n, *shape: example_tensor(start + 17 * n, *shape))


def new_model(vocab, context, d_model, heads, layers, start=0):
    """Return the student's GPT2 with example weights."""
    return module_with_weights(model_state(start, vocab, context, d_model, layers), GPT2(vocab, context, d_model, heads, layers))


def model_without_last_norm(vocab, context, d_model, heads, layers):
    """Return a GPT2 whose logits are the last norm's bias times the token vectors, whatever the tokens are."""
    state = model_state(0, vocab, context, d_model, layers)
    state["norm.weight"] = 0 * state["norm.weight"]
    return module_with_weights(state, GPT2(vocab, context, d_model, heads, layers))


def model_of_constant_vectors(vocab, context, d_model, heads, layers):
    """Return a GPT2 in which the tokens 0, 1 and 2 have constant vectors, and nothing is added to them.

    The last norm makes 0 of such a vector, so all logits are 0. The last product gives the token matrix a gradient
    of 0, too, but the constant vectors get one through the norm.
    """
    state = model_state(0, vocab, context, d_model, layers)
    for name in state:
        if name in ("position.weight", "norm.bias") or ".mix." in name or ".down." in name:
            state[name] = 0 * state[name]
    state["token.weight"][:3] = torch.arange(1.0, 4.0)[:, None]
    return module_with_weights(state, GPT2(vocab, context, d_model, heads, layers))


def small_state(start, vocab, context, d_model, layers):
    """Return values for the parameters of a model: small vectors, to which the blocks add nothing."""
    state = model_state(start, vocab, context, d_model, layers)
    factors = {"token": 0.003, "position": 0.003, "mix": 0, "down": 0}
    return {name: value * factors.get(name.split(".")[-2], 1) for name, value in state.items()}


def apply_model(tokens, state, vocab, context, d_model, heads, layers):
    """Return the logits and the weights (layer, batch, head, seq, seq) of the student's GPT2 with these parameters."""
    model = module_with_weights(state, GPT2(vocab, context, d_model, heads, layers))
    logits, patterns = result_parts(model(tokens.clone()), 2, "logits, patterns")
    check_not_random(lambda tokens: model(tokens)[0], tokens, logits)
    assert len(patterns) == layers, f"patterns has {len(patterns)} entries for {layers} blocks\nappend the weights of each block"
    return logits, np.stack([as_array(one) for one in patterns])


def logit_changes(tokens, other, vocab, context, d_model, heads, layers):
    """Return the change of each logit when 1 is added to the vector of a token that does not occur."""
    sizes = vocab, context, d_model, heads, layers
    state = model_state(0, vocab, context, d_model, layers)
    moved = {name: value.clone() for name, value in state.items()}
    moved["token.weight"][other] += 1
    return as_array(apply_model(tokens.clone(), moved, *sizes)[0]) - as_array(apply_model(tokens.clone(), state, *sizes)[0])


# 11.6 Published weights
def published_checkpoint(start, vocab, context, d_model, layers):
    """Return a checkpoint with the names and shapes of GPT-2's published file, and small numbers."""
    d = d_model
    shapes = {"wte.weight": (vocab, d), "wpe.weight": (context, d)}
    for n in range(layers):
        layer = {"ln_1.weight": (d,), "ln_1.bias": (d,), "attn.bias": (1, 1, context, context), "attn.c_attn.weight": (d, 3 * d), "attn.c_attn.bias": (3 * d,),
                 "attn.c_proj.weight": (d, d), "attn.c_proj.bias": (d,), "ln_2.weight": (d,), "ln_2.bias": (d,),
                 "mlp.c_fc.weight": (d, 4 * d), "mlp.c_fc.bias": (4 * d,), "mlp.c_proj.weight": (4 * d, d), "mlp.c_proj.bias": (d,)}
        shapes |= {f"h.{n}.{name}": shape for name, shape in layer.items()}
    shapes |= {"ln_f.weight": (d,), "ln_f.bias": (d,)}
    made = {
        name: example_tensor(start + 13 * n, *shape) / 2 + ("ln_" in name and name.endswith("weight"))
        for n, (name, shape) in enumerate(shapes.items())
    }
    return made | {f"h.{n}.attn.bias": torch.ones(1, 1, context, context).tril() for n in range(layers)}


def advice_on_loading(error):
    """Return what is wrong with names or shapes in an error of load_gpt2, and what to do; "" for another error."""
    if type(error).__name__ == "KeyError":
        key = str(error.args[0])
        if key.endswith("attn.c_attn.bias"):
            return f"{key} is missing\nIts name ends with attn.bias, as that of the mask does: leave out only names that end with .attn.bias."
        return ""
    sizes = r"size mismatch for (\S+): .*?torch\.Size\(\[([\d, ]*)\]\).*?torch\.Size\(\[([\d, ]*)\]\)"
    wrong = [(name, *(tuple(map(int, size.split(", "))) for size in both if size)) for name, *both in re.findall(sizes, str(error))]
    if not wrong:
        return ""
    fused = [one for one in wrong if re.search(r"attn\.[qkv]\.", one[0])]
    name, theirs, ours = fused[0] if fused else wrong[0]
    advice = "The published weights of linear layers are (in, out), and ours are (out, in): transpose c_attn, c_fc and both c_proj."
    if fused and len(theirs) == 2 and theirs[0] != theirs[1]:
        advice = "c_attn.weight holds q, k and v side by side: split its columns, chunk(3, dim=-1), then transpose each part."
    elif fused and len(theirs) == 1 and theirs[0] == 3 * ours[0]:
        advice = "c_attn.bias holds q, k and v one after the other: split it into three, as the weight."
    elif theirs[::-1] != ours:
        advice = "Compare the two sizes with the table: is this the tensor of this layer, and was GPT2 made with the right sizes?"
    return f"{name} gets a tensor of shape {theirs}, and needs {ours}\n{advice}"


def loaded_model(checkpoint, num_heads):
    """Return the student's load_gpt2 of a checkpoint; raise AssertionError unless it is a model."""
    kept = {name: value.clone() for name, value in checkpoint.items()}
    try:
        model = load_gpt2(checkpoint, num_heads)
    except Exception as error:
        assert not (advice := advice_on_loading(error)), f"load_gpt2 raised {type(error).__name__}: {advice}"
        raise
    assert model is not None, "load_gpt2 returned None\ndoes your function end with a return?"
    assert hasattr(model, "state_dict"), "load_gpt2 did not return a model\nreturn the GPT2 with the loaded weights"
    same = checkpoint.keys() == kept.keys() and all(torch.equal(checkpoint[name], kept[name]) for name in kept)
    assert same, "load_gpt2 changed the checkpoint\nmake a new dict with new tensors: the checkpoint may be loaded again"
    return model


def loaded_block(checkpoint, num_heads, n):
    """Return the weights of block n after the student's load_gpt2, by their names with _ for a dot."""
    state = loaded_model(checkpoint, num_heads).state_dict()
    return {name.replace(".", "_"): as_array(state[f"blocks.{n}.{name}"]) for name in block_shapes(1)}


def loaded_frame(checkpoint, num_heads):
    """Return the weights outside of the blocks after the student's load_gpt2."""
    state = loaded_model(checkpoint, num_heads).state_dict()
    return {name.replace(".", "_"): as_array(state[name]) for name in model_shapes(1, 1, 1, 0)}


def loaded_logits(checkpoint, num_heads, tokens):
    """Return the logits of the model that the student's load_gpt2 returns."""
    return result_parts(loaded_model(checkpoint, num_heads)(tokens), 2, "logits, patterns")[0]


# 11.7 Choosing the next token
uneven_logits = torch.tensor([[0.6, 2.0, 0.9, -2.6, 1.6, 1.0], [0.5, -0.8, 2.8, -1.3, -1.4, -0.3]])
tied_logits = torch.tensor([[1.0, 0.5, 1.0, -1.0, 1.0], [0.0, 2.0, 1.5, 1.5, 1.0]])


# 11.8 With a cache
def logits_in_pieces(tokens, cuts, vocab, context, d_model, heads, layers, start=0):
    """Return the logits of all tokens, and the keys and values of the last block.

    The student's function gets the tokens in pieces that end before the positions `cuts`, and the cache that
    it returned before.
    """
    model, cache, logits, begin = new_model(vocab, context, d_model, heads, layers, start), None, [], 0
    for end in cuts:
        try:
            made = logits_with_cache(model, tokens[:, begin:end].clone(), cache)
        except Exception as error:
            assert cache is None or "must match the size" not in str(error), (
                f"{type(error).__name__}: {error}\nIs this the mask? With a cache it has n_new rows and n_past + n_new columns, "
                "and n_past is the length of axis 2 of each k and v in the cache.")
            raise
        one, cache = result_parts(made, 2, "logits, cache")
        assert len(cache) == layers, f"the cache has {len(cache)} entries for {layers} blocks\nappend (k, v) for each block"
        logits.append(as_array(one))
        begin = end
    return np.concatenate(logits, axis=1), *map(as_array, result_parts(cache[-1], 2, "k, v"))


def check_cache_unchanged():
    """Raise AssertionError if logits_with_cache changes the cache that it gets, or can't continue from it twice."""
    tokens, model = example_tokens(5, 2, 4, 7), new_model(7, 6, 6, 2, 2)
    cache = result_parts(logits_with_cache(model, tokens[:, :3], None), 2, "logits, cache")[1]
    before = [[as_array(part).copy() for part in pair] for pair in cache]
    one, two = (as_array(result_parts(logits_with_cache(model, tokens[:, 3:], cache), 2, "logits, cache")[0]) for _ in range(2))
    same = len(cache) == len(before) and all(
        np.array_equal(as_array(part), old) for pair, olds in zip(cache, before) for part, old in zip(pair, olds))
    assert same and np.array_equal(one, two), (
        "the cache that was passed was changed\nmake a new list with new tensors: torch.cat does not change its arguments")
    # Two texts continue from the cache of two tokens; then one more token continues the first text.
    with torch.no_grad():
        past = logits_with_cache(model, tokens[:, :2], None)[1]
        first, _ = (logits_with_cache(model, new, past)[1] for new in (tokens[:, 2:3], (tokens[:, 2:3] + 1) % 7))
        got, right = (logits_with_cache(model, *given)[0] for given in ((tokens[:, 3:], first), (tokens, None)))
    assert np.allclose(as_array(got), as_array(right)[:, 3:], atol=1e-4, equal_nan=True), (
        "two texts continue from one cache, and then the logits of the first one are wrong\n"
        "Make new tensors with torch.cat: don't write into tensors that an earlier cache uses.")


# 11.9 Which heads are induction heads?
def example_patterns(start, layers, batch, heads, seq):
    """Return causal attention weights for each layer: each row sums to 1."""
    future = torch.ones(seq, seq).triu(1).bool()
    return [example_tensor(start + 40 * n, batch, heads, seq, seq).masked_fill(future, -math.inf).softmax(dim=-1) for n in range(layers)]
