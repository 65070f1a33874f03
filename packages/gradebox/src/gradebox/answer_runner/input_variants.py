"""Other inputs for the same answer: what a right answer must be able to take, if its exercise allows it."""

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import numpy as np


def float32(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32) if array.dtype == np.float64 else array


def column_major(array: np.ndarray) -> np.ndarray:
    return np.asfortranarray(array) if array.ndim > 1 else array


def strided(array: np.ndarray) -> np.ndarray:
    """Every other number of an array that is twice as wide."""
    return np.repeat(array, 2, axis=-1)[..., ::2] if array.ndim else array


def tensor_float32(tensor: Any) -> Any:
    torch = sys.modules["torch"]
    return tensor.to(torch.float32) if tensor.dtype == torch.float64 else tensor


def tensor_float64(tensor: Any) -> Any:
    torch = sys.modules["torch"]
    return tensor.to(torch.float64) if tensor.dtype == torch.float32 else tensor


def tensor_strided(tensor: Any) -> Any:
    return tensor.repeat_interleave(2, dim=-1)[..., ::2] if tensor.dim() else tensor


def identity(value: Any) -> Any:
    return value


# What becomes of NumPy's arrays, and of PyTorch's tensors.
INPUT_VARIANTS: dict[str, tuple[Callable, Callable]] = {
    "float32": (float32, tensor_float32),
    "float64": (identity, tensor_float64),
    "strided": (strided, tensor_strided),
    "column-major": (column_major, identity),
}


class InputTransformer:
    """Puts a function around those of an answer, which changes the arrays on their way in.

    changed: whether it has changed any.
    """

    def __init__(self, change: str):
        self.array, self.tensor = INPUT_VARIANTS[change]
        self.changed = False

    def replace_functions(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        """Cover the functions, and the `forward` of modules, among these names."""
        for name in names:
            value = namespace[name]
            forward = vars(value).get("forward") if inspect.isclass(value) else None
            if inspect.isfunction(value):
                namespace[name] = self.wrap_function(value)
            elif inspect.isfunction(forward):
                value.forward = self.wrap_function(forward)

    def wrap_function(self, function: Callable) -> Callable:
        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            named = {name: self.change(value) for name, value in kwargs.items()}
            return function(*map(self.change, args), **named)

        return wrapper

    def change(self, value: Any) -> Any:
        """The argument in its new form; a list, tuple or dict with what it holds."""
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
