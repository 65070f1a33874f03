"""What a process of gradebox's own goes without. To import this changes the process: only programs do."""

import sys
import warnings
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from sqlalchemy.exc import SAWarning

# nbgrader's package imports all of its programs: Formgrader, the exchange, and a server for them.
DEFERRED_PACKAGES = {
    "nbgrader.apps",
    *("nbgrader.server_extensions.assignment_list", "nbgrader.server_extensions.course_list"),
    *("nbgrader.server_extensions.formgrader", "nbgrader.server_extensions.validate_assignment"),
}
EXTENSION_HOOK = "load_jupyter_server_extension"
GETATTR = "__getattr__"


class DeferredLoader(Loader):
    """Runs a package when somebody asks for one of its names. Its modules can be imported at once."""

    def __init__(self, loader: Loader | None):
        self.loader = loader

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path) if name in DEFERRED_PACKAGES else None
        if found:
            found.loader = cls(found.loader)
        return found

    def exec_module(self, module: ModuleType) -> None:
        def ask(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            with suppress(ModuleNotFoundError):
                return import_module(f"{module.__name__}.{name}")
            delattr(module, GETATTR)
            vars(module).pop(EXTENSION_HOOK, None)
            if self.loader:
                self.loader.exec_module(module)
            return getattr(module, name)

        setattr(module, GETATTR, ask)
        if module.__name__ != "nbgrader.apps":
            # nbgrader asks for it, and nobody calls it but a server.
            setattr(module, EXTENSION_HOOK, lambda *arguments: ask(EXTENSION_HOOK)(*arguments))


# jsonschema, which nbformat needs, imports this to check addresses in a schema, if it finds it, and that
# takes 1.5 s in every process. No notebook's schema has such an address.
MISSING_MODULE: Any = None
sys.modules.setdefault("rfc3987_syntax", MISSING_MODULE)
# nbgrader's own use of SQLAlchemy, which its users can do nothing about.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")
sys.meta_path.insert(0, DeferredLoader)
