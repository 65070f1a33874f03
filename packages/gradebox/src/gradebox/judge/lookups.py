"""Whether code looks a name up only to call it, as in `layer.forward(x)`: one question then does for both."""

import dis
import sys
from types import FrameType

# Python has an instruction for that, or, from 3.12 on, a bit in the one that looks attributes up.
OF_ITS_OWN = sys.version_info < (3, 12)
LOOK_UP = dis.opmap["LOAD_METHOD" if OF_ITS_OWN else "LOAD_ATTR"]
# Of later ones nobody knows yet.
KNOWN = sys.version_info < (3, 15)


def called_at_once(name: str, frame: FrameType) -> bool:
    """Whether a frame is at an expression that calls the attribute of this name, and does no more with it.

    False where that can't be told, as in `getattr(layer, name)(x)` or `layer.forward(*given)`.
    """
    code, at = frame.f_code, frame.f_lasti
    instruction, which = code.co_code[at : at + 2]
    if not OF_ITS_OWN:
        which, only_called = divmod(which, 2)
        if not only_called:
            return False
    # C code that this frame has called may be looking up another name.
    return KNOWN and instruction == LOOK_UP and code.co_names[which : which + 1] == (name,)
