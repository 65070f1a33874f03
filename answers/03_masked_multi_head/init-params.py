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

# %% wrong: std 1/d says="take the root of 1/d_model" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 1 / d_model

# %% wrong: std √(2/d) says="the 2 cancels" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(2 / d_model)

# %% wrong: std √2/d says="The root is of the whole fraction" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(2) / d_model

# %% wrong: std 2/d says="Take the root" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 2 / d_model

# %% wrong: std 1/(2d) says="Take the root, with 2 in the numerator" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 1 / (d_model + d_model)

# %% wrong: std 1 says="Multiply the numbers by √(1/d_model)" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 1

# %% wrong: std √(1/(2d)) says="A 2 is missing in the numerator" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(1 / (d_model + d_model))

# %% wrong: std √d says="Divide by √d_model" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(d_model)

# %% wrong: std 1/√√d says="One root too many" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(np.sqrt(1 / d_model))

# %% wrong: std 0.02 says="Compute std as the root" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 0.02

# %% wrong: std always 0.125 says="so that it is right for every size" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = 0.125

# %% wrong: std passed as the mean says="in rng.normal it is the first argument" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: mean not 0 says="Make the mean 0" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(0.02, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: the same matrix four times says="W_q and W_k are the same draw" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), rng.normal(0, std, size=(d_model, d_model)))

# %% wrong: queries and keys share says="W_q and W_k are the same draw"
def init_attention_params(d_model, rng):
    W = [rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for _ in range(3)]
    return {'W_q': W[0], 'W_k': W[0], 'W_v': W[1], 'W_o': W[2]}

# %% wrong: the output matrix is that of the values says="W_v and W_o are the same draw"
def init_attention_params(d_model, rng):
    W = [rng.normal(0, d_model**-0.5, size=(d_model, d_model)) for _ in range(3)]
    return dict(zip(('W_q', 'W_k', 'W_v', 'W_o'), W + W[2:]))

# %% wrong: a new generator for each says="are the same draw" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: np.random.default_rng(0).normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: from the global generator says="Draw from rng only" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: np.random.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: one of them from the global generator says="Draw from rng only" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: (np.random if name == "W_o" else rng).normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: a fresh generator without a seed says="the same seed gave other numbers" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std, rng = np.sqrt(2 / (d_model + d_model)), np.random.default_rng()

# %% wrong: a generator of its own says="another rng gave the same numbers" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std, rng = np.sqrt(2 / (d_model + d_model)), np.random.default_rng(0)

# %% wrong: even numbers says="these are uniform" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.uniform(-np.sqrt(3) * std, np.sqrt(3) * std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: even numbers up to std says="these are uniform" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.uniform(-std, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: even numbers from 0 to 1 says="these are uniform" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.random((d_model, d_model)) * std for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: zeros says="all numbers of W_q are equal" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: np.zeros((d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: capital names says="the keys are" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_Q", "W_K", "W_V", "W_O")}

# %% wrong: a list says="return a dict" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return [rng.normal(0, std, size=(d_model, d_model)) for _ in range(4)]

# %% wrong: one number for a shape says="make each table" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(0, std, size=d_model) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: three matrices in one says="the keys are" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v")}

# %% wrong: rng called says="TypeError" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng(0, std, (d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: gives back nothing says="does your function end with a return" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: the last axis is normalised says="with d_model" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: rng.normal(0, std, size=(d_model, d_model)) / d_model for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: brackets forgotten says="Put brackets around d_model + d_model" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = np.sqrt(2 / d_model + d_model)

# %% wrong: the root as ** 1 / 2 says="put brackets around 1/2" of="reference"
# was:     std = np.sqrt(2 / (d_model + d_model))
# becomes: std = (2 / (d_model + d_model)) ** 1 / 2

# %% wrong: orthogonal matrices says="Leave the numbers as rng.normal draws them" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: np.linalg.qr(rng.normal(size=(d_model, d_model)))[0] for name in ("W_q", "W_k", "W_v", "W_o")}

# %% wrong: the mean subtracted says="Leave the numbers as rng.normal draws them" of="reference"
# was:     return {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: drawn = {name: rng.normal(0, std, size=(d_model, d_model)) for name in ("W_q", "W_k", "W_v", "W_o")}
# becomes: return {name: table - table.mean() for name, table in drawn.items()}

# %% wrong: normal, but cut off at 3 std (clipped) says="not normal numbers with mean 0" unseen="no visible test has such an input" visible=false fails=["init-params-test"]
def init_attention_params(d_model, rng):
    std = np.sqrt(1 / d_model)
    return {name: np.clip(rng.normal(0, std, size=(d_model, d_model)), -3 * std, 3 * std)
            for name in ("W_q", "W_k", "W_v", "W_o")}
