# %% right: slices into a state dict
def load_from_torch(module):
    hidden = module.embed_dim
    layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
    weight, bias = module.in_proj_weight.detach(), module.in_proj_bias.detach()
    layer.load_state_dict({
        "q.weight": weight[:hidden], "q.bias": bias[:hidden],
        "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
        "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
        "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
    return layer

# %% right: copy_ one by one
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    with torch.no_grad():
        for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
            part.weight.copy_(w)
            part.bias.copy_(b)
        layer.mix.weight.copy_(module.out_proj.weight)
        layer.mix.bias.copy_(module.out_proj.bias)
    return layer.eval()

# %% right: new parameters, split
def load_from_torch(module):
    size = module.out_proj.in_features
    layer = MultiHeadSelfAttention(size, size, num_heads=module.num_heads)
    for name, w, b in zip("qkv", module.in_proj_weight.split(size), module.in_proj_bias.split(size)):
        getattr(layer, name).weight = nn.Parameter(w.detach().clone())
        getattr(layer, name).bias = nn.Parameter(b.detach().clone())
    layer.mix.load_state_dict(module.out_proj.state_dict())
    return layer

# %% right: unflatten, .data
def load_from_torch(module):
    hidden = module.embed_dim
    layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
    weights, biases = module.in_proj_weight.data.view(3, hidden, hidden), module.in_proj_bias.data.view(3, hidden)
    for n, part in enumerate([layer.q, layer.k, layer.v]):
        part.weight.data, part.bias.data = weights[n].clone(), biases[n].clone()
    layer.mix.weight.data = module.out_proj.weight.data.clone()
    layer.mix.bias.data = module.out_proj.bias.data.clone()
    return layer

# %% right: key bias set to zero of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden], "k.bias": 0 * bias[:hidden],

# %% wrong: nothing copied says="q.weight is not PyTorch's"
def load_from_torch(module):
    return MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)

# %% wrong: order k, q, v says="q, then k, then v" of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[hidden:2 * hidden],

# %% wrong: order v, k, q says="q, then k, then v" of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# %% wrong: rows taken in turn says="q, then k, then v" of="slices into a state dict"
# was:     weight, bias = module.in_proj_weight.detach(), module.in_proj_bias.detach()
# becomes: order = [3 * n + part for part in range(3) for n in range(hidden)]
# becomes: weight, bias = module.in_proj_weight.detach()[order], module.in_proj_bias.detach()[order]

# %% wrong: weights transposed says="q is transposed" of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "q.weight": weight[:hidden].T, "q.bias": bias[:hidden],
# becomes: "k.weight": weight[hidden:2 * hidden].T, "k.bias": bias[hidden:2 * hidden],
# becomes: "v.weight": weight[2 * hidden:].T, "v.bias": bias[2 * hidden:],

# %% wrong: mix transposed says="mix is transposed" of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight.T, "mix.bias": module.out_proj.bias})

# %% wrong: biases forgotten says="q.bias is not PyTorch's" of="slices into a state dict"
# was:     layer.load_state_dict({
# becomes: ours = layer.state_dict()
# becomes: layer.load_state_dict({**ours, **{n: t for n, t in {

# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias}.items() if "weight" in n}})

# %% wrong: mix forgotten says="mix.weight is not PyTorch's" of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": layer.mix.weight, "mix.bias": layer.mix.bias})

# %% wrong: output bias forgotten says="mix.bias is not PyTorch's" of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": 0 * module.out_proj.bias})

# %% wrong: one head says="did you pass the module's number of heads" of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, 1)

# %% wrong: causal layer returned says="leave causal off" of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads, causal=True)

# %% wrong: two heads always says="a fresh layer with them gives other numbers" visible=false of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, 2)

# %% wrong: forgets return says="you gave back None" of="slices into a state dict"
# was:     return layer
# becomes:
