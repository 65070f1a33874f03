# %% right: standard normal and a factor
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.standard_normal((d_model, d_model)) / d_model**0.5 for name in names}

# %% right: one draw, cut into four
def init_attention_params(d_model, rng):
    box = rng.normal(scale=d_model**-0.5, size=(4, d_model, d_model))
    return dict(zip(('W_q', 'W_k', 'W_v', 'W_o'), box))

# %% right: another order, transposed
def init_attention_params(d_model, rng):
    params = {}
    for name in ('W_o', 'W_v', 'W_k', 'W_q'):
        params[name] = (math.sqrt(1 / d_model) * rng.normal(size=(d_model, d_model))).T
    return params

# %% right: lists
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: [[rng.normal(0, math.sqrt(1 / d_model)) for _ in range(d_model)] for _ in range(d_model)] for name in names}

# %% wrong: std 1/d says="std is 1/d_model"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, 1 / d_model, size=(d_model, d_model)) for name in names}

# %% wrong: std √(2/d) says="so 2 cancels"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, np.sqrt(2 / d_model), size=(d_model, d_model)) for name in names}

# %% wrong: std √2/d says="should be 0.125"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, np.sqrt(2) / d_model, size=(d_model, d_model)) for name in names}

# %% wrong: std 1 says="std is 1: scale"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, 1, size=(d_model, d_model)) for name in names}

# %% wrong: std √(1/(2d)) says="the 2 above the line"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, np.sqrt(1 / (2 * d_model)), size=(d_model, d_model)) for name in names}

# %% wrong: std √d says="std is √d_model: divide"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, np.sqrt(d_model), size=(d_model, d_model)) for name in names}

# %% wrong: the same matrix four times says="are the same draw"
def init_attention_params(d_model, rng):
    W = rng.normal(0, d_model**-0.5, size=(d_model, d_model))
    return {'W_q': W, 'W_k': W, 'W_v': W, 'W_o': W}

# %% wrong: queries and keys share says="W_q and W_k are the same draw"
def init_attention_params(d_model, rng):
    W = [rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for _ in range(3)]
    return {'W_q': W[0], 'W_k': W[0], 'W_v': W[1], 'W_o': W[2]}

# %% wrong: from the global generator says="draw from rng only"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: np.random.normal(0, d_model**-0.5, size=(d_model, d_model)) for name in names}

# %% wrong: a generator of its own says="another rng gave the same numbers"
def init_attention_params(d_model, rng):
    rng = np.random.default_rng(0)
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for name in names}

# %% wrong: even numbers says="not uniform ones"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.uniform(-np.sqrt(3 / d_model), np.sqrt(3 / d_model), size=(d_model, d_model)) for name in names}

# %% wrong: mean not 0 says="mean"
def init_attention_params(d_model, rng):
    names = ('W_q', 'W_k', 'W_v', 'W_o')
    return {name: rng.normal(0.02, d_model**-0.5, size=(d_model, d_model)) for name in names}

# %% wrong: capital names says="the keys are"
def init_attention_params(d_model, rng):
    names = ('W_Q', 'W_K', 'W_v', 'W_o')
    return {name: rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for name in names}

# %% wrong: a list says="give back a dict"
def init_attention_params(d_model, rng):
    return [rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for _ in range(4)]
