"""What `type` is in tests and in the modules beside them: it says what it says where an object is."""

import os
import sys
from collections.abc import Callable
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from types import ModuleType
from typing import Any

# The name that stands for another class in a judge.
NAME = "type"


def made(type_of: Callable[[Any], Any]) -> type:
    """A class that is used as `type` is. type_of: says what a value's class is."""

    class Meta(type):
        def __call__(cls, *args: Any, **options: Any) -> Any:
            if cls is not found:
                # A class of classes below it.
                return super().__call__(*args, **options)
            return type_of(*args) if len(args) == 1 and not options else type(*args, **options)

        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, type) if cls is found else super().__instancecheck__(thing)

        def __subclasscheck__(cls, kind: type) -> bool:
            return issubclass(kind, type) if cls is found else super().__subclasscheck__(kind)

        def __eq__(cls, other: object) -> bool:
            return other is cls or (cls is found and other is type)

        def __hash__(cls) -> int:
            return hash(type) if cls is found else super().__hash__()

        def __repr__(cls) -> str:
            return repr(type) if cls is found else super().__repr__()

    found = Meta(NAME, (type,), {})
    return found


def import_with(kind: type) -> None:
    """Import modules of this folder, which are the instructor's, with this class as their `type`."""
    here = os.getcwd()

    class Loader(SourceFileLoader):
        def exec_module(self, module: ModuleType) -> None:
            setattr(module, NAME, kind)
            super().exec_module(module)

    def hook(path: str) -> FileFinder:
        if path != here:
            raise ImportError(path)
        return FileFinder(path, (Loader, SOURCE_SUFFIXES))

    if os.path.isdir(here) and any(name.endswith(".py") or os.path.isdir(name) for name in os.listdir(here)):
        sys.path_hooks.insert(0, hook)
        sys.path_importer_cache.pop(here, None)
