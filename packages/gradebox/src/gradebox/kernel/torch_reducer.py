"""Serialize torch tensors between the processes of a kernel, such as the workers of a DataLoader.

torch itself passes tensors as descriptors, over sockets that no process in a sandbox can connect to.
"""

import sys
from multiprocessing import reduction
from typing import Any


def register_storage_reducer() -> None:
    """Register a reducer that sends copies of storages, for this process and its forks.

    No effect if torch is not imported yet.
    """
    if "torch" in sys.modules:
        reduction.register(sys.modules["torch"].UntypedStorage, reduce_storage)


def reduce_storage(storage: Any) -> tuple:
    import torch

    return rebuild_storage, (bytearray(torch.empty(0, dtype=torch.uint8).set_(storage).numpy()),)


def rebuild_storage(data: bytearray) -> Any:
    import torch

    return torch.frombuffer(data, dtype=torch.uint8).untyped_storage() if data else torch.UntypedStorage(0)
