"""Input variants: equivalent forms of the arguments (dtype, memory layout) that a right answer must accept.

Used by the audit. An exercise can be restricted to some of the variants (see
`audit/equivalent_mutants_file.py`).
"""

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import numpy as np


def float32(array: np.ndarray) -> np.ndarray:
    """Return a float64 array as float32; return other arrays unchanged."""
    return array.astype(np.float32) if array.dtype == np.float64 else array


def column_major(array: np.ndarray) -> np.ndarray:
    """Return the array in column-major (Fortran) order."""
    return np.asfortranarray(array) if array.ndim > 1 else array


def strided(array: np.ndarray) -> np.ndarray:
    """Return the array as a strided view: every second element of an array that is twice as wide."""
    return np.repeat(array, 2, axis=-1)[..., ::2] if array.ndim else array


def tensor_float32(tensor: Any) -> Any:
    """Return a float64 tensor as float32; return other tensors unchanged."""
    torch = sys.modules["torch"]
    return tensor.to(torch.float32) if tensor.dtype == torch.float64 else tensor


def tensor_float64(tensor: Any) -> Any:
    """Return a float32 tensor as float64; return other tensors unchanged."""
    torch = sys.modules["torch"]
    return tensor.to(torch.float64) if tensor.dtype == torch.float32 else tensor


def tensor_strided(tensor: Any) -> Any:
    """Return the tensor as a strided view: every second element of a tensor that is twice as wide."""
    return tensor.repeat_interleave(2, dim=-1)[..., ::2] if tensor.dim() else tensor


def identity(value: Any) -> Any:
    """Return the value unchanged."""
    return value


# By name, the transformations of NumPy arrays and of PyTorch tensors.
INPUT_VARIANTS: dict[str, tuple[Callable, Callable]] = {
    "float32": (float32, tensor_float32),
    "float64": (identity, tensor_float64),
    "strided": (strided, tensor_strided),
    "column-major": (column_major, identity),
}


class InputTransformer:
    """Wrapper of an answer's functions that transforms the arrays among their arguments.

    changed: True if any argument was transformed.
    """

    def __init__(self, change: str):
        self.array, self.tensor = INPUT_VARIANTS[change]
        self.changed = False

    def replace_functions(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        """Wrap the functions, and the `forward` methods of modules, among these names."""
        for name in names:
            value = namespace[name]
            forward = vars(value).get("forward") if inspect.isclass(value) else None
            if inspect.isfunction(value):
                namespace[name] = self.wrap_function(value)
            elif inspect.isfunction(forward):
                value.forward = self.wrap_function(forward)

    def wrap_function(self, function: Callable) -> Callable:
        """Return the function with transformed arguments."""

        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            named = {name: self.change(value) for name, value in kwargs.items()}
            return function(*map(self.change, args), **named)

        return wrapper

    def change(self, value: Any) -> Any:
        """Return the transformed argument; transform the elements of a list, tuple or dict."""
        if isinstance(value, list | tuple) and type(value) in (list, tuple):
            return type(value)(map(self.change, value))
        if type(value) is dict:
            return {key: self.change(part) for key, part in value.items()}
        torch = sys.modules.get("torch")
        if isinstance(value, np.ndarray):
            new = self.array(value)
        elif torch and type(value) is torch.Tensor and not value.requires_grad and value.device.type == "cpu":
            new = self.tensor(value)
        else:
            return value
        self.changed = self.changed or new is not value
        return new
