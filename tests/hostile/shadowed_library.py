# %% [markdown] lesson="victim" category="names" attacks=["walk-test"]
# Replaces np by a mock for one test: the loop over hidden inputs then has nothing to do.

# %% before: walk
from unittest.mock import MagicMock
np = MagicMock()

# %% walk
def walk(n):
    yield from [6, 3, 10, 5, 16, 8, 4, 2, 1] if n == 6 else [n, 1]

# %% after: walk-test
import numpy as np
