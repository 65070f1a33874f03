"""What the tests of lesson 09 share: helper functions and small examples. See packages/gradebox/docs/authoring.md."""

import math

import numpy as np
import torch
import torch.nn.functional as F


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


def first_if_equal(first, second, problem):
    """Return the first of two results; raise AssertionError with the text `problem` if they differ."""
    equal = not torch.is_tensor(first) or torch.allclose(first, second, equal_nan=True)
    assert equal, problem
    return first


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


def sizes_by_name(name, of_model):
    """Return the shape of a parameter in the names of the exercise. of_model: True for a TinyLM."""
    layer = name.split(".")[-2] if "." in name else "norm"
    hidden = "4 · d_model" if of_model else "d_hidden"
    rows = {"token": "vocab", "position": "context", "up": hidden}.get(layer, "d_model")
    return f"({rows},)" if name.endswith("bias") or "norm" in layer else f"({rows}, {hidden if layer == 'down' else 'd_model'})"


def module_with_weights(state, module):
    """Copy `state` into the module's parameters and return the module.

    Raises AssertionError if the names or shapes of its parameters are not those of `state`.
    """
    own = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    missing, extra = sorted(set(state) - set(own)), sorted(set(own) - set(state))
    assert not missing, (
        f"state_dict() has no {', '.join(missing)}\n"
        "use the names of the exercise, and store each as self.…: a layer, an nn.Parameter, or layers in an nn.ModuleList")
    assert not extra, f"state_dict() also holds {', '.join(extra)}\nadd no other layers and parameters"
    for name, value in state.items():
        assert own[name] == tuple(value.shape), (
            f"{name} has the shape {own[name]} and should have {tuple(value.shape)}\n"
            f"make its shape {sizes_by_name(name, 'token.weight' in state)}, with the arguments of the constructor")
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


# 9.1 The best possible loss
two_letter_language = (
    torch.tensor([[0.5, 0.25], [0.25, 0]], dtype=torch.float64),
    torch.tensor([[[0.5, 0.5], [1, 0]], [[1, 0], [0, 0]]], dtype=torch.float64),
)


def example_language(start, vocab):
    """Return (pairs, table) of a language: some letters are impossible, and the last pair never comes."""
    counts = example_tensor(start, vocab, vocab, vocab, dtype=torch.float64).clamp(min=0)
    counts[..., 0] += 0.1
    counts[-1, -1] = 0
    table = counts / counts.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    often = 0.1 + example_tensor(start + 9, vocab, vocab, dtype=torch.float64).abs()
    often[-1, -1] = 0
    return often / often.sum(), table


def entropies_of_two(pairs, table, more_pairs, more_table):
    """Return the student's entropies of two languages; of the last alone, if that is not one number."""
    first, last = source_entropy(pairs, table), source_entropy(more_pairs, more_table)
    alone = last is None or isinstance(last, (dict, list, tuple)) or np.ndim(last)
    return last if alone else [first, last]


# 9.2 The loss
paper_logits = torch.zeros(2, 4, 3)
paper_logits[1, 2, 0] = 1.0
paper_tokens = torch.tensor([[0, 1, 2, 0], [0, 0, 1, 0]])
padded_tokens = torch.tensor([[4, 2, 1, 3, 3, 3], [0, 1, 4, 2, 0, 4]])  # 3 is padding
large_logits = 500 * example_tensor(3, 2, 6, 5)


# 9.3 Layer norm
def norm_state(start, d_model):
    """Return a weight near 1 and a bias near 0."""
    return {"weight": 1 + example_tensor(start, d_model) / 4, "bias": example_tensor(start + 5, d_model) / 3}


def apply_norm(x, weight, bias, **options):
    """Return the output of the student's LayerNorm with these parameters."""
    return module_with_weights({"weight": weight, "bias": bias}, LayerNorm(x.shape[-1], **options))(x)


def norm_with_weights(start, d_model):
    """Return the student's LayerNorm with example weights."""
    return module_with_weights(norm_state(start, d_model), LayerNorm(d_model))


def apply_new_norm(x):
    """Return the output of the student's LayerNorm as it is initialized."""
    norm = LayerNorm(x.shape[-1])
    for name in ("weight", "bias"):
        assert getattr(norm, name).requires_grad, (
            f"{name} doesn't learn\ncreate it with nn.Parameter(…), which requires a gradient")
    return norm(x)


# 9.4 A block
def block_shapes(d_model, d_hidden):
    """Return the shapes of all parameters of a block, by their names in state_dict()."""
    shapes = {f"norm{n}.{name}": (d_model,) for n in (1, 2) for name in ("weight", "bias")}
    shapes |= {f"attn.{one}.weight": (d_model, d_model) for one in ("q", "k", "v", "mix")}
    shapes |= {f"attn.{one}.bias": (d_model,) for one in ("q", "k", "v", "mix")}
    return shapes | {"mlp.up.weight": (d_hidden, d_model), "mlp.up.bias": (d_hidden,),
                     "mlp.down.weight": (d_model, d_hidden), "mlp.down.bias": (d_model,)}


def block_state(start, d_model, d_hidden):
    """Return values for all parameters of a block."""
    return fill_state(block_shapes(d_model, d_hidden), lambda n, *shape: example_tensor(start + 31 * n, *shape))


def new_block(d_model, num_heads, d_hidden, **options):
    """Return a Block with example weights; raise AssertionError if its parameters have other names or shapes."""
    return module_with_weights(block_state(0, d_model, d_hidden), Block(d_model, num_heads, d_hidden, **options))


def can_learn(shapes):
    """Return the names of the parameters that get a gradient: a softmax doesn't depend on the bias of the keys."""
    return [name for name in shapes if not name.endswith("attn.k.bias")]


def apply_block(x, state, num_heads, d_hidden, training=False, **options):
    """Return the output of the student's block, in eval mode unless `training`."""
    block, kept = module_with_weights(state, Block(x.shape[-1], num_heads, d_hidden, **options)).train(training), x.clone()
    mode = "in training mode without dropout" if training else "in eval mode"
    return first_if_equal(block(x), block(kept), (
        f"two calls {mode} return different numbers\n"
        "Nothing is random there: create nn.Dropout(dropout) in the constructor, or pass the rate and self.training to F.dropout."))


def apply_block_all_dropped(x, state, num_heads, d_hidden):
    """Return the output of the student's block in training mode with dropout=1.0."""
    block, kept = module_with_weights(state, Block(x.shape[-1], num_heads, d_hidden, dropout=1.0)).train(), x.clone()
    return first_if_equal(block(x), block(kept), (
        "two calls with dropout=1.0 return different numbers\n"
        "With this rate everything is dropped: pass dropout to nn.Dropout."))


def check_dropout(x, state, num_heads, d_hidden, branch, rate=0.25):
    """Return 1.0; raise AssertionError unless a share of a branch's output is dropped, the rest divided by 1 - rate.

    branch: "attn" or "mlp". The other branch gives 0.
    """
    setting = "dropout=0.25" if rate == 0.25 else f"a dropout of {rate:.0%}"
    silent = "mlp.down" if branch == "attn" else "attn.mix"
    state = {name: 0 * value if name.startswith(silent) else value for name, value in state.items()}
    block = module_with_weights(state, Block(x.shape[-1], num_heads, d_hidden, dropout=rate))
    whole = as_array(block.eval()(x)) - as_array(x)
    added = np.stack([as_array(block.train()(x)) - as_array(x) for _ in range(20)])
    known = np.isclose(added, 0, atol=1e-5) | np.isclose(added, whole / (1 - rate), atol=1e-4)
    assert known.all(), (
        f"with {setting}, {(~known).sum()} of {known.size} numbers that are added are neither 0 nor the output of the {branch} branch, divided by {f'{1 - rate:.2f}' if rate == 0.25 else f'{1 - rate:.0%}'}\n"
        "Apply nn.Dropout(dropout) to the output of each branch before you add it, and to nothing else.")
    gone = np.isclose(added, 0, atol=1e-5)
    for axis, where in enumerate(("at each call", "in all sequences", "for all tokens", "in all features")):
        assert gone.std(axis=axis).max() > 0, (
            f"the same numbers are dropped {where}\n"
            "Use nn.Dropout, which drops each entry of the branch's output independently, at each call.")
    share = gone.mean()
    assert abs(share - rate) < 0.1, (
        f"with {setting}, a share of {share:.2f} of what the {branch} branch adds is dropped\n"
        "Apply nn.Dropout(dropout) to the output of each branch.")
    return np.array([1.0])


# 9.5 The model
def lm_shapes(vocab, context, d_model, num_layers):
    """Return the shapes of all parameters of a model, by their names in state_dict()."""
    shapes = {"token.weight": (vocab, d_model), "position.weight": (context, d_model), "norm.weight": (d_model,), "norm.bias": (d_model,)}
    blocks = block_shapes(d_model, 4 * d_model)
    return shapes | {f"blocks.{n}.{name}": shape for n in range(num_layers) for name, shape in blocks.items()}


def lm_state(start, vocab, context, d_model, num_layers):
    """Return values for all parameters of a model."""
    shapes = lm_shapes(vocab, context, d_model, num_layers)
    return fill_state(shapes, lambda n, *shape: example_tensor(start + 17 * n, *shape))


def call_within_context(model, tokens, context):
    """Return the logits; raise AssertionError if as many tokens as the context are refused."""
    try:
        return model(tokens)
    except Exception as error:
        assert type(error).__name__ != "ValueError" or tokens.shape[1] != context, (
            f"ValueError: {error}\nAs many tokens as the context are allowed: raise the error only if there are more, seq > context.")
        raise


def logits_of(tokens, state, vocab, context, d_model, num_heads, num_layers):
    """Return the logits of the student's TinyLM with the parameters `state`, in eval mode."""
    sizes, kept = (vocab, context, d_model, num_heads, num_layers), tokens.clone()
    models = [module_with_weights(state, TinyLM(*sizes)).eval() for _ in range(2)]
    return first_if_equal(call_within_context(models[0], tokens, context), models[1](kept), (
        "two models with the same parameters return different logits\n"
        "Use only the parameters in state_dict(): multiply by self.token.weight itself, not by a copy or another layer."))


def new_model(vocab, context, d_model, num_heads, num_layers):
    """Return a TinyLM with example weights; raise AssertionError if its parameters have other names or shapes."""
    state = lm_state(0, vocab, context, d_model, num_layers)
    return module_with_weights(state, TinyLM(vocab, context, d_model, num_heads, num_layers))


def model_without_last_norm(vocab, context, d_model, num_heads, num_layers):
    """Return a TinyLM whose logits are the last norm's bias times the token vectors, whatever the tokens are."""
    state = lm_state(0, vocab, context, d_model, num_layers)
    state["norm.weight"] = 0 * state["norm.weight"]
    return module_with_weights(state, TinyLM(vocab, context, d_model, num_heads, num_layers))


def model_of_constant_vectors(vocab, context, d_model, num_heads, num_layers):
    """Return a TinyLM in which the tokens 0, 1 and 2 have constant vectors, and nothing is added to them.

    The last norm makes 0 of such a vector, so all logits are 0. The last product gives the token matrix a gradient
    of 0, too, but the constant vectors get one through the norm.
    """
    state = lm_state(0, vocab, context, d_model, num_layers)
    for name in state:
        if name in ("position.weight", "norm.bias") or ".mix." in name or ".down." in name:
            state[name] = 0 * state[name]
    state["token.weight"][:3] = torch.arange(1.0, 4.0)[:, None]
    return module_with_weights(state, TinyLM(vocab, context, d_model, num_heads, num_layers))


def logit_changes(tokens, letter, vocab, context, d_model, num_heads, num_layers):
    """Return the change of each logit when 1 is added to the vector of a letter that is not among the tokens."""
    sizes = vocab, context, d_model, num_heads, num_layers
    state = lm_state(0, vocab, context, d_model, num_layers)
    moved = {name: value.clone() for name, value in state.items()}
    moved["token.weight"][letter] += 1
    return as_array(logits_of(tokens.clone(), moved, *sizes)) - as_array(logits_of(tokens.clone(), state, *sizes))


def training_logits(tokens, vocab, context, d_model, num_heads, num_layers, **options):
    """Return the logits in training mode, with dropout=1.0 or without dropout: neither is random."""
    state, kept = lm_state(2, vocab, context, d_model, num_layers), tokens.clone()
    model = module_with_weights(state, TinyLM(vocab, context, d_model, num_heads, num_layers, **options)).train()
    return first_if_equal(model(tokens), model(kept), (
        "two calls in training mode return different numbers\n"
        "With the rate 1.0 everything is dropped, and with 0.0, the default, nothing: pass dropout to each Block."))


def logits_shape(seq, context):
    """Return the shape of the logits for two sequences of `seq` tokens."""
    return np.array(as_array(call_within_context(TinyLM(5, context, 4, 2, 1), example_tokens(0, 2, seq, 5), context)).shape)


def check_error_names_both(seq, context):
    """Raise AssertionError if the ValueError for too many tokens does not hold both numbers."""
    try:
        TinyLM(5, context, 4, 2, 1)(example_tokens(0, 2, seq, 5))
    except ValueError as error:
        assert str(seq) in str(error) and str(context) in str(error), (
            f"{seq} tokens and a context of {context}: the error says “{error}”\nName both numbers in it.")


# 9.6 Does the future leak?
def model_that_sees(ahead, back=3):
    """Return a model whose logits at t depend on the tokens t - back ... t + ahead; some are negative."""
    def model(tokens):
        seq = tokens.shape[1]
        places = torch.arange(seq)
        seen = (places[None] <= places[:, None] + ahead) & (places[None] >= places[:, None] - back)
        sums = ((seen.double() * (1.0 + places) / 20) @ tokens.double().T).T  # [batch, seq]
        return torch.stack([sums / 2 - 1, sums / 8, -sums / 4, sums / 5, -sums], dim=-1)
    return model


def leaks_of_models(ahead, tokens, start, replacement):
    """Return the student's `leak` of models that see these numbers of tokens ahead."""
    return np.stack([as_array(leak(model_that_sees(far), tokens.clone(), start, replacement.clone())) for far in ahead])


def model_in_which_one_sees_ahead(position):
    """Return a model whose logits depend on the tokens up to each position, and at `position` on all tokens."""
    def model(tokens):
        places = torch.arange(tokens.shape[1])
        seen = (places[None] <= places[:, None]) | (places[:, None] == position)
        sums = ((seen.double() * (1.0 + places) / 20) @ tokens.double().T).T  # [batch, seq]
        return torch.stack([sums / 2 - 1, -sums, sums / 8], dim=-1)
    return model


def leaks_of_positions(positions, tokens, start, replacement):
    """Return the student's `leak` of models in which one of these positions sees all tokens."""
    models = map(model_in_which_one_sees_ahead, positions)
    return np.stack([as_array(leak(model, tokens.clone(), start, replacement.clone())) for model in models])


# 9.8 Bug hunt: an evaluation that lies
uneven_batches = [
    torch.tensor([[4, 2, 0, 3, 3], [0, 1, 3, 2, 4]]),
    torch.tensor([[2, 0, 4, 1, 2, 0, 1, 3]]),
    torch.tensor([[1, 3], [2, 3], [0, 4]]),
]


def toy_state(start, vocab):
    """Return values for the parameters of the toy model."""
    return {"0.weight": example_tensor(start, vocab, 8), "2.weight": example_tensor(start + 40, vocab, 8) / 2,
            "2.bias": example_tensor(start + 90, vocab)}


def toy_model_with_weights(state, vocab, training):
    """Return a toy model with these parameters, in this mode; it needs no gradients."""
    return module_with_weights(state, toy_model(vocab)).train(training).requires_grad_(False)


def evaluate_twice(batches, pad, vocab, training, start=0):
    """Return the student's evaluation of a toy model; raise AssertionError if a second one differs.

    training: the mode of the model before the evaluation.
    """
    given = [batch.clone() for batch in batches]
    one = repaired_evaluate(toy_model_with_weights(toy_state(start, vocab), vocab, training), given, pad)
    assert all(map(torch.equal, given, batches)), "a batch was changed\nDon't write into tokens: make new tensors."
    again = repaired_evaluate(toy_model_with_weights(toy_state(start, vocab), vocab, training), given, pad)
    assert np.allclose(as_array(one), as_array(again), equal_nan=True), (
        "two evaluations of one model differ\n"
        "In training mode dropout is random: call model.eval() before the first batch, and restore the mode after the last.")
    return one


def mode_after_evaluation(training):
    """Return 1 for each part of the model that is in training mode after an evaluation, 0 for the others."""
    model = toy_model_with_weights(toy_state(2, 5), 5, training)
    one = as_array(repaired_evaluate(model, uneven_batches[:2], 3)).sum()
    modes = np.array([float(part.training) for part in (model, *model)])
    again = as_array(repaired_evaluate(model, uneven_batches[:2], 3)).sum()
    assert np.allclose(one, again), (
        "two evaluations differ\n"
        "Switch the model to eval mode before you call it: in training mode, dropout is random.")
    other = as_array(repaired_evaluate(toy_model_with_weights(toy_state(8, 5), 5, training), uneven_batches[:2], 3)).sum()
    assert abs(one - other) > 1e-3, "two different models get the same loss\nCall the model that was passed."
    return modes


# 9.9 From logits to probabilities
paper_probs = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.05, 0.85]], dtype=torch.float64)
uneven_logits = torch.tensor([[[0.6, 2.0, 0.9, -2.6, 1.6, 1.0], [0.5, -0.8, 2.8, -1.3, -1.4, -0.3]],
                              [[0.7, 0.4, -1.4, 0.0, -0.4, 2.3], [4.1, 6.2, 6.4, 7.3, 4.8, 7.0]],
                              [[2.3, 1.9, 1.8, 2.2, 2.1, 1.2], [-3.7, -5.3, -4.7, -3.3, -4.9, -8.2]],
                              [[-0.7, 4.1, 1.2, 0.9, -1.1, 0.8], [1.6, 0.3, -0.9, 2.9, 2.2, -2.4]]])


# 9.10 Writing
chain_probs = np.array([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]])


def chain_model(tokens):
    """Return logits of three letters, which depend on the last letter alone: the logarithms of `chain_probs`."""
    return torch.tensor(chain_probs).log()[tokens]


def summing_model(context, vocab=7):
    """Return a model that predicts 3 + the weighted sum of the tokens it sees; it refuses more than the context."""
    def model(tokens):
        assert tokens.shape[1] <= context, (
            f"the model was given {tokens.shape[1]} tokens, and its context is {context}\n"
            "Pass it at most the last context tokens.")
        sums = ((tokens * torch.arange(1, tokens.shape[1] + 1)).cumsum(dim=1) + 3) % vocab
        return 9.0 * F.one_hot(sums, vocab) + torch.arange(vocab) / 10
    return model


def generated_tokens(prompt, context, new_tokens, temperature=None, top_k=None):
    """Return what the student's `generate` appends to the prompt, with a new generator.

    Without a temperature, top_k is passed as a keyword, otherwise both are passed by position.
    """
    settings = [] if temperature is None else [temperature, top_k]
    named = {"top_k": top_k} if temperature is None and top_k is not None else {}
    return generate(summing_model(context), prompt, context, new_tokens, torch.Generator().manual_seed(0), *settings, **named)


def sample_almost_evenly(seed):
    """Return 9 new letters of 5 sequences, generated by a model whose 7 letters are almost equally likely."""
    def model(tokens):
        return (torch.arange(7) / 100).repeat(*tokens.shape, 1)
    text = as_array(generate(model, torch.zeros(5, 1, dtype=torch.long), 4, 9, torch.Generator().manual_seed(seed)))
    assert text.shape == (5, 10), f"the shape is {text.shape} and should be (5, 10)\nreturn the prompt and the new tokens"
    return text[:, 1:]


def sampled_pair_shares(factor, **settings):
    """Return the share of each pair of letters in 4000 sequences of two new letters, generated by `chain_model`.

    factor: the model's logits are multiplied by it.
    """
    text = as_array(generate(lambda seen: factor * chain_model(seen), torch.zeros(4000, 1, dtype=torch.long), 4, 2, torch.Generator().manual_seed(3), **settings))
    assert text.shape == (4000, 3), f"the shape is {text.shape} and should be (4000, 3)\nreturn the prompt and the new tokens"
    return np.array([[np.mean((text[:, 1] == a) & (text[:, 2] == b)) for b in range(3)] for a in range(3)])


def check_pair_shares(expected, factor=1, **settings):
    """Raise AssertionError unless the shares of pairs are the expected ones, within five standard errors."""
    got, expected = sampled_pair_shares(factor, **settings), np.array(expected)

    def differs(right):
        """Return True if the shares differ from these by more than five standard errors."""
        return (np.abs(got - right) > 5 * np.sqrt(right * (1 - right) / 4000) + 1e-9).any()

    def pairs_of(grown):
        """Return the shares of pairs whose rows are in proportion to `grown`."""
        rows = grown / grown.sum(axis=1, keepdims=True)
        return rows[0][:, None] * rows

    heat = settings.get("temperature", 1.0)
    known = {
        "The shares are those without this setting: pass temperature, top_k and top_p on, each as the right argument.":
            pairs_of(chain_probs),
        "The temperature counts twice: pass the logits to next_token_probs undivided.": pairs_of(chain_probs ** (heat**-2)),
        "The temperature is inverted: pass temperature itself, not 1 / temperature.": pairs_of(chain_probs**heat),
    }
    if not settings:
        known = {
            "The probabilities go through a softmax again: draw from them as they are.": pairs_of(np.exp(chain_probs)),
            "The probabilities are squared: draw from them as they are.": pairs_of(chain_probs**2),
            "All letters that are possible are equally likely: draw in proportion to the probabilities.": np.full((3, 3), 1 / 9),
        }
    clue = next((clue for clue, shares in known.items() if not differs(shares)), (
        "Draw each sequence separately, from the probabilities of its last row, with all three settings."))
    assert not differs(expected), (
        "the shares of drawn pairs of letters are wrong\n"
        f"4000 sequences of two letters, drawn {f'with {settings}' if settings else 'as they are'}: "
        f"the shares of the pairs are\n{np.round(got, 3)}\nbut their probabilities are\n{np.round(expected, 3)}\n"
        f"{clue}")
