"""Tensors and training modes of PyTorch modules that a test passes, used by both ends of the channel.

The student's process works on a copy of the module, and changes of the copy are sent back.
"""

import sys
from typing import Any

import numpy as np


def is_sendable_module(value: Any) -> bool:
    """Return True for a module without handles among its parts."""
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(value), torch.nn.Module):
        return False
    return all(part is None or is_sendable_module(part) for part in vars(value)["_modules"].values())


def list_module_tensors(module: Any) -> list[Any]:
    """Return the parameters and buffers of a module, in the same order in both processes."""
    return [*module.parameters(), *module.buffers()]


def read_training_modes(module: Any) -> np.ndarray:
    """Return an array for `module` and its submodules, in order: 1 in training mode, else 0."""
    return np.array([bool(part.training) for part in module.modules()], dtype=np.uint8)


def apply_training_modes(module: Any, found: np.ndarray) -> None:
    for part, mode in zip(module.modules(), found.tolist()):
        part.training = bool(mode)


def update_training_modes(module: Any, found: np.ndarray) -> None:
    """Write the current modes into `found`, unless the module has gained or lost parts."""
    now = read_training_modes(module)
    if len(now) == len(found):
        found[:] = now
