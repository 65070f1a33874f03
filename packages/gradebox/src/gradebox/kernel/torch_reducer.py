"""Lets torch's tensors travel between the processes of a kernel, such as the workers of a DataLoader.

torch passes them as descriptors, over sockets that nothing in a sandbox can connect to.
"""

import sys
from multiprocessing import reduction
from typing import Any


def register_storage_reducer() -> None:
    """Have this process, and all that it will fork, send copies; to no effect if torch is not there yet."""
    if "torch" in sys.modules:
        reduction.register(sys.modules["torch"].UntypedStorage, reduce_storage)


def reduce_storage(storage: Any) -> tuple:
    import torch

    return rebuild_storage, (bytearray(torch.empty(0, dtype=torch.uint8).set_(storage).numpy()),)


def rebuild_storage(data: bytearray) -> Any:
    import torch

    return torch.frombuffer(data, dtype=torch.uint8).untyped_storage() if data else torch.UntypedStorage(0)
