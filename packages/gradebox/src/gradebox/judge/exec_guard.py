"""Audit hook that keeps a test from executing code that a submission has returned as data.

While a test runs, `exec`, `eval`, class lookups by pickle, and starting other programs raise NotJudgeable.
Imports are allowed, and so are libraries that define classes by executing generated code. The judge's client
installs the hook.
"""

import sys
from collections.abc import Callable
from typing import Any

GUARDED_EVENTS = {
    *("exec", "function.__new__", "pickle.find_class"),
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"),
}
# Packages that execute generated code, for example in `namedtuple`, `dataclass` and `Enum`.
TRUSTED_PACKAGES = {"dataclasses", "collections", "enum", "gradebox", "cloudpickle"}
IMPORT_SYSTEM_FILE = "<frozen importlib._bootstrap_external>"


class ExecGuard:
    """Audit hook of the judge.

    namespace: the globals of the test. note: returns the exception to raise. on: True while a test runs.
    """

    def __init__(self, namespace: dict[str, Any], note: Callable[[str], BaseException]):
        self.namespace, self.note, self.on = namespace, note, False
        sys.addaudithook(self.hook)

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on or event not in GUARDED_EVENTS:
            return
        frame: Any = sys._getframe(1)
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package in TRUSTED_PACKAGES:
            return
        in_test = False
        while frame:
            if frame.f_code.co_filename == IMPORT_SYSTEM_FILE:
                return
            in_test = in_test or frame.f_globals is self.namespace
            frame = frame.f_back
        # IPython's own `exec` of the cell is allowed.
        if in_test or package != "IPython":
            raise self.note(f"the test runs text or data as code, or a program ({event})")
