# %% [markdown] lesson="02_two_head"
# The result is an ordered dict, with its keys in another order.

# %% to-torch
from collections import OrderedDict

def to_torch(omega_q, omega_k, omega_v, beta_q, beta_k, beta_v, omega_c):
    D = len(omega_c)
    found = OrderedDict()
    found["out_proj.bias"] = np.zeros(D)
    found["out_proj.weight"] = np.array(omega_c)
    found["in_proj_bias"] = np.concatenate([np.ravel(beta) for beta in (beta_q, beta_k, beta_v)])
    found["in_proj_weight"] = np.vstack([np.reshape(omega, (D, D)) for omega in (omega_q, omega_k, omega_v)])
    return found
