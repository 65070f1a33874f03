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

# %% wrong: nothing copied says="your layer still holds what it was built with"
def load_from_torch(module):
    return MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)

# %% wrong: order k, q, v advice="q and k are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[hidden:2 * hidden],

# %% wrong: order v, k, q advice="q and v are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# %% wrong: order q, v, k advice="k and v are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[2 * hidden:],

# %% wrong: order k, v, q advice="All three parts are in other places: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# %% wrong: rows taken in turn advice="The three parts lie one after the other along the rows: q first, then k, then v, hidden rows each." of="slices into a state dict"
# was:     weight, bias = module.in_proj_weight.detach(), module.in_proj_bias.detach()
# becomes: order = [3 * n + part for part in range(3) for n in range(hidden)]
# becomes: weight, bias = module.in_proj_weight.detach()[order], module.in_proj_bias.detach()[order]

# %% wrong: every third row advice="The three parts lie one after the other along the rows: q first, then k, then v, hidden rows each." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[::3], "q.bias": bias[::3],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[1::3], "k.bias": bias[1::3],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2::3], "v.bias": bias[2::3],

# %% wrong: the first rows for all advice="q, k and v all hold the first rows: k begins at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[:hidden],

# %% wrong: the key's rows for the values advice="v holds the rows of k: it begins at row 2·hidden." of="slices into a state dict"
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[hidden:2 * hidden],

# %% wrong: slices off by one advice="The rows of k begin one too late: they are hidden to 2·hidden, the end not included." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden + 1:2 * hidden + 1], "k.bias": bias[hidden + 1:2 * hidden + 1],

# %% wrong: weights transposed advice="Weights are transposed: both sides use nn.Linear's layout, so copy them as they are." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden].T, "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden].T, "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:].T, "v.bias": bias[2 * hidden:],

# %% wrong: mix transposed advice="mix.weight is transposed: both sides use nn.Linear's layout, so copy it as it is." of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight.T, "mix.bias": module.out_proj.bias})

# %% wrong: all transposed advice="Weights are transposed: both sides use nn.Linear's layout, so copy them as they are." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden].T, "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden].T, "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:].T, "v.bias": bias[2 * hidden:],

# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight.T, "mix.bias": module.out_proj.bias})

# %% wrong: cut along the columns advice="The three parts lie one after the other along the rows: q first, then k, then v, hidden rows each." of="slices into a state dict"
# was:     weight, bias = module.in_proj_weight.detach(), module.in_proj_bias.detach()
# becomes: weight, bias = module.in_proj_weight.detach().reshape(hidden, 3 * hidden), module.in_proj_bias.detach()

# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:, :hidden], "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:, hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:, 2 * hidden:], "v.bias": bias[2 * hidden:],

# %% wrong: biases forgotten says="your layer still holds what it was built with" of="slices into a state dict"
# was:     layer.load_state_dict({
# becomes: ours = layer.state_dict()
# becomes: layer.load_state_dict({**ours, **{n: t for n, t in {

# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias}.items() if "weight" in n}})

# %% wrong: biases of 0 advice="The biases are 0: copy them from in_proj_bias, and mix's from out_proj.bias." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": 0 * bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": 0 * bias[2 * hidden:],

# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": 0 * module.out_proj.bias})

# %% wrong: mix forgotten says="your layer still holds what it was built with" of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": layer.mix.weight, "mix.bias": layer.mix.bias})

# %% wrong: output bias forgotten advice="mix.bias is 0: copy it from out_proj.bias." of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": 0 * module.out_proj.bias})

# %% wrong: weights of mix from in_proj advice="mix.weight holds rows of in_proj: it comes from out_proj.weight." of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": weight[:hidden], "mix.bias": module.out_proj.bias})

# %% wrong: copied the wrong way says="your layer still holds what it was built with"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    with torch.no_grad():
        for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
            w.copy_(part.weight)
            b.copy_(part.bias)
        module.out_proj.load_state_dict(layer.mix.state_dict())
    return layer

# %% wrong: out_proj copied the wrong way says="your layer still holds what it was built with"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    with torch.no_grad():
        for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
            part.weight.copy_(w)
            part.bias.copy_(b)
        module.out_proj.load_state_dict(layer.mix.state_dict())
    return layer

# %% wrong: a module changed on the way says="not the other way" of="slices into a state dict"
# was:     return layer
# becomes: with torch.no_grad():
# becomes:     module.out_proj.bias.zero_()
# becomes: return layer

# %% wrong: mix shared says="changed when the module's weights did"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    layer.mix = module.out_proj
    with torch.no_grad():
        for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
            part.weight.copy_(w)
            part.bias.copy_(b)
    return layer

# %% wrong: all shared says="changed when the module's weights did"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
        part.weight.data, part.bias.data = w.data, b.data
    layer.mix.weight.data, layer.mix.bias.data = module.out_proj.weight.data, module.out_proj.bias.data
    return layer

# %% wrong: parameters of the module's numbers says="changed when the module's weights did"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    for part, w, b in zip((layer.q, layer.k, layer.v), module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
        part.weight, part.bias = nn.Parameter(w.detach()), nn.Parameter(b.detach())
    layer.mix.weight, layer.mix.bias = module.out_proj.weight, module.out_proj.bias
    return layer

# %% wrong: what load_state_dict returns says="you returned a tuple"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    theirs = module.state_dict()
    ours = {'mix.weight': theirs['out_proj.weight'], 'mix.bias': theirs['out_proj.bias']}
    for kind in ('weight', 'bias'):
        for name, part in zip('qkv', theirs['in_proj_' + kind].chunk(3)):
            ours[name + '.' + kind] = part
    return layer.load_state_dict(ours)

# %% wrong: the dict returned says="you returned a dict"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    theirs = module.state_dict()
    ours = {'mix.weight': theirs['out_proj.weight'], 'mix.bias': theirs['out_proj.bias']}
    for kind in ('weight', 'bias'):
        for name, part in zip('qkv', theirs['in_proj_' + kind].chunk(3)):
            ours[name + '.' + kind] = part
    return ours

# %% wrong: the module itself says="its own layers"
def load_from_torch(module):
    return module

# %% wrong: a plain tensor in a parameter's place says="cannot assign"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    layer.q.weight = module.in_proj_weight[:module.embed_dim].detach()
    return layer

# %% wrong: PyTorch's own names says="Missing key"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    layer.load_state_dict(module.state_dict())
    return layer

# %% wrong: strict switched off says="your layer still holds what it was built with"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    layer.load_state_dict(module.state_dict(), strict=False)
    return layer

# %% wrong: in-place without no_grad says="a leaf Variable that requires grad"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    layer.q.weight.copy_(module.in_proj_weight[:module.embed_dim])
    return layer

# %% wrong: chunk for split says="size mismatch"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.embed_dim, module.embed_dim, module.num_heads)
    theirs = module.state_dict()
    ours = {'mix.weight': theirs['out_proj.weight'], 'mix.bias': theirs['out_proj.bias']}
    for kind in ('weight', 'bias'):
        for name, part in zip('qkv', theirs['in_proj_' + kind].split(3)):
            ours[name + '.' + kind] = part
    layer.load_state_dict(ours)
    return layer

# %% wrong: no size of the module says="has no attribute 'hidden'"
def load_from_torch(module):
    layer = MultiHeadSelfAttention(module.hidden, module.hidden, module.num_heads)
    return layer

# %% wrong: one head says="pass the module's number of heads" of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, 1)

# %% wrong: two heads always says="pass the module's number of heads" of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, 2)

# %% wrong: causal layer returned says="leave causal off" of="slices into a state dict"
# was:     layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads)
# becomes: layer = MultiHeadSelfAttention(hidden, hidden, module.num_heads, causal=True)

# %% wrong: forgets return says="you returned None" of="slices into a state dict"
# was:     return layer
# becomes:

# %% wrong: one bias for all advice="v.bias holds the numbers of another part: it is the last third of in_proj_bias, as k.bias is the second." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "k.weight": weight[hidden:2 * hidden], "k.bias": bias[:hidden],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[:hidden],

# %% wrong: the key's bias for the values advice="v.bias holds the numbers of another part: it is the last third of in_proj_bias, as k.bias is the second." of="slices into a state dict"
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[hidden:2 * hidden],

# %% wrong: bias of mix from in_proj advice="mix.bias holds numbers of in_proj_bias: it comes from out_proj.bias." of="slices into a state dict"
# was:     "mix.weight": module.out_proj.weight, "mix.bias": module.out_proj.bias})
# becomes: "mix.weight": module.out_proj.weight, "mix.bias": bias[:hidden]})

# %% wrong: the weights of q and k in each other's place advice="q.weight and k.weight are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# %% wrong: the weights of q and v in each other's place advice="q.weight and v.weight are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the weights of k and v in each other's place advice="k.weight and v.weight are swapped: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the weights in the order k, v, q advice="All three weight matrices are in other places: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the weights in the order v, q, k advice="All three weight matrices are in other places: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[2 * hidden:],

# %% wrong: order v, q, k advice="All three parts are in other places: the first rows are those of q, then come k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[hidden:2 * hidden],

# %% wrong: the biases of q and k in each other's place advice="q.bias holds the numbers of k's: the first third of in_proj_bias is q's, then come k's and v's." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[hidden:2 * hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden], "k.bias": bias[:hidden],

# %% wrong: the biases of q and v in each other's place advice="q.bias and v.bias are swapped: the first third of in_proj_bias is q's, then come k's and v's." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[2 * hidden:],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[:hidden],

# %% wrong: the biases in the order k, v, q advice="The biases are in other places: the first third of in_proj_bias is q's, then come k's and v's." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[hidden:2 * hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden], "k.bias": bias[2 * hidden:],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[:hidden],

# %% wrong: the biases in the order v, q, k advice="The biases are in other places: the first third of in_proj_bias is q's, then come k's and v's." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[hidden:2 * hidden], "k.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[hidden:2 * hidden],

# %% wrong: the value's bias for the queries advice="q.bias holds the numbers of v's: the first third of in_proj_bias is q's, then come k's and v's." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[2 * hidden:],

# %% wrong: the weight of k for q advice="q.weight holds the rows of k: it begins at row 0." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[:hidden],

# %% wrong: the rows of k for q advice="q holds the rows of k: it begins at row 0." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[hidden:2 * hidden],

# %% wrong: the weight of v for q advice="q.weight holds the rows of v: it begins at row 0." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[:hidden],

# %% wrong: the rows of v for q advice="q holds the rows of v: it begins at row 0." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# %% wrong: the weight of q for k advice="k.weight holds the rows of q: it begins at row hidden." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# %% wrong: the weight of v for k advice="k.weight holds the rows of v: it begins at row hidden." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# %% wrong: the weight of q for v advice="v.weight holds the rows of q: it begins at row 2·hidden." of="slices into a state dict"
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the rows of q for v advice="v holds the rows of q: it begins at row 2·hidden." of="slices into a state dict"
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[:hidden],

# %% wrong: the weight of k for v advice="v.weight holds the rows of k: it begins at row 2·hidden." of="slices into a state dict"
# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the weight of q for all advice="q.weight, k.weight and v.weight are all the rows of q: q begins at row 0, k at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the weight of k for all advice="q.weight, k.weight and v.weight are all the rows of k: q begins at row 0, k at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[:hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[2 * hidden:],

# %% wrong: the rows of k for all advice="q, k and v all hold the rows of k: q begins at row 0, k at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[hidden:2 * hidden],

# %% wrong: the weight of v for all advice="q.weight, k.weight and v.weight are all the rows of v: q begins at row 0, k at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[:hidden],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# %% wrong: the rows of v for all advice="q, k and v all hold the rows of v: q begins at row 0, k at row hidden, v at row 2·hidden." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[2 * hidden:],

# %% wrong: weights in the order k, q, v, biases in the order v, k, q advice="Weights and biases are cut in two different orders, and both are others: in in_proj_weight and in in_proj_bias q comes first, then k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[2 * hidden:], "v.bias": bias[:hidden],

# %% wrong: weights in the order q, v, k, biases in the order v, k, q advice="Weights and biases are cut in two different orders, and both are others: in in_proj_weight and in in_proj_bias q comes first, then k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[:hidden], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[:hidden],

# %% wrong: weights in the order k, v, q, biases in the order v, k, q advice="Weights and biases are cut in two different orders, and both are others: in in_proj_weight and in in_proj_bias q comes first, then k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[hidden:2 * hidden], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[2 * hidden:], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[:hidden], "v.bias": bias[:hidden],

# %% wrong: weights in the order v, q, k, biases in the order v, k, q advice="Weights and biases are cut in two different orders, and both are others: in in_proj_weight and in in_proj_bias q comes first, then k and v." of="slices into a state dict"
# was:     "q.weight": weight[:hidden], "q.bias": bias[:hidden],
# becomes: "q.weight": weight[2 * hidden:], "q.bias": bias[2 * hidden:],

# was:     "k.weight": weight[hidden:2 * hidden], "k.bias": bias[hidden:2 * hidden],
# becomes: "k.weight": weight[:hidden], "k.bias": bias[hidden:2 * hidden],

# was:     "v.weight": weight[2 * hidden:], "v.bias": bias[2 * hidden:],
# becomes: "v.weight": weight[hidden:2 * hidden], "v.bias": bias[:hidden],

# %% wrong: cut head by head advice="in_proj is not cut head by head: all rows of q come first, then all of k, then all of v, hidden rows each." of="slices into a state dict"
# was:     weight, bias = module.in_proj_weight.detach(), module.in_proj_bias.detach()
# becomes: n, size = module.num_heads, hidden // module.num_heads
# becomes: weight = module.in_proj_weight.detach().view(n, 3, size, hidden).transpose(0, 1).reshape(3 * hidden, hidden)
# becomes: bias = module.in_proj_bias.detach().view(n, 3, size).transpose(0, 1).reshape(3 * hidden)
