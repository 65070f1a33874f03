# %% [markdown] lesson="03_masked_multi_head"
# Every generator of random numbers is seeded, and printing is set, in own cells.

# %% before: causal-mask
import random
import warnings

random.seed(1)
np.random.seed(1)
np.set_printoptions(precision=2, suppress=True, legacy="1.25")
warnings.filterwarnings("ignore")
