"""PyTorch modules that a test passes: the student's process has a copy, and what it changes comes back."""

import sys
from typing import Any

import numpy as np


def is_module(value: Any) -> bool:
    """Whether this is a module, and so are all of its parts: what stands for one of the student's is not."""
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(value), torch.nn.Module):
        return False
    # A module can't be its own part: torch itself goes through them without an end then.
    return all(part is None or is_module(part) for part in vars(value)["_modules"].values())


def tensors(module: Any) -> list[Any]:
    """The parameters and buffers, each once, in the same order here and there."""
    return [*module.parameters(), *module.buffers()]


def modes(module: Any) -> np.ndarray:
    """For the module and each of its parts, whether it is in training mode."""
    return np.array([bool(part.training) for part in module.modules()], dtype=np.uint8)


def put_modes(module: Any, found: np.ndarray) -> None:
    for part, mode in zip(module.modules(), found.tolist(), strict=True):
        part.training = bool(mode)


def note_modes(module: Any, found: np.ndarray) -> None:
    """Write into `found` what the modes are now, unless the module has more or fewer parts than it had."""
    now = modes(module)
    if len(now) == len(found):
        found[:] = now
