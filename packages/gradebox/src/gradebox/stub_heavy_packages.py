"""Stub out heavy packages that gradebox does not need.

Importing this module has side effects, so only entry points may import it.
"""

import sys
import warnings
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

# Packages that `import nbgrader` loads for its applications, its server extensions and JupyterHub.
DEFERRED_PACKAGES = {
    "requests",
    "nbgrader.apps",
    *("nbgrader.server_extensions.assignment_list", "nbgrader.server_extensions.course_list"),
    *("nbgrader.server_extensions.formgrader", "nbgrader.server_extensions.validate_assignment"),
}
EXTENSION_HOOK = "load_jupyter_server_extension"
GETATTR = "__getattr__"


class DeferredLoader(Loader):
    """Loader that executes a package on first access to an attribute; submodules can be imported at once."""

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
        if module.__name__.startswith("nbgrader.server_extensions."):
            # nbgrader's package re-exports this hook, but only a server calls it.
            setattr(module, EXTENSION_HOOK, lambda *arguments: ask(EXTENSION_HOOK)(*arguments))


# jsonschema, which nbformat needs, imports these optional packages to check URLs and durations in schemas.
# The import takes 1.5 s in every process, and the notebook schemas contain neither.
MISSING_MODULE: Any = None
for name in ("rfc3987_syntax", "rfc3986_validator", "isoduration"):
    sys.modules.setdefault(name, MISSING_MODULE)
# Warnings about nbgrader's own use of SQLAlchemy, which users of nbgrader cannot fix. Importing their class
# would take as long as everything that `--help` needs.
warnings.filterwarnings("ignore", module="nbgrader")
sys.meta_path.insert(0, DeferredLoader)
