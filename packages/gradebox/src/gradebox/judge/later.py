"""A library that is imported when something of it is asked for, and not before: few lessons have it."""

from importlib import import_module
from typing import Any


class Later:
    """Stands for a module. It has its attributes."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
