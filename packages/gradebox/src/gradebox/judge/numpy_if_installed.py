"""NumPy as `np` if installed; otherwise placeholder types, which no value has.

A kernel's environment need not have NumPy. Without NumPy, no message can contain arrays.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING

HAS_NUMPY = True
if TYPE_CHECKING:
    import numpy as np
else:
    try:
        import numpy as np
    except ImportError:
        HAS_NUMPY = False
        np = SimpleNamespace(**{name: type(name, (), {}) for name in ("ndarray", "generic", "dtype")})
