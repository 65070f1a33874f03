# %% [markdown] lesson="01_single_head"
# Warnings are errors, as a careful student has them.

# %% after: imports
import warnings
warnings.simplefilter("error")
