"""Pickles that a test reads: those of the instructor's files as ever, and of all others what is data.

A pickle runs what it names. So none that may be the submission's, whatever way it came, names more than data.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any

# What a pickle may name: it makes data.
MAKES_DATA = {
    *("numpy.ndarray", "numpy.dtype", "numpy._core.multiarray._reconstruct", "numpy._core.multiarray.scalar"),
    *(
        "numpy.core.multiarray._reconstruct",
        "numpy.core.multiarray.scalar",
        "numpy._core.numeric._frombuffer",
    ),
    *("collections.OrderedDict", "collections.Counter", "collections.deque", "collections.defaultdict"),
    *("datetime.date", "datetime.time", "datetime.datetime", "datetime.timedelta", "datetime.timezone"),
    *("decimal.Decimal", "fractions.Fraction", "builtins.complex", "builtins.set", "builtins.frozenset"),
    *(
        "builtins.bytearray",
        "builtins.range",
        "builtins.slice",
        "builtins.list",
        "builtins.dict",
        "builtins.int",
    ),
    *(
        "builtins.float",
        "builtins.str",
        "builtins.tuple",
        "builtins.bool",
        "builtins.bytes",
        "_codecs.encode",
    ),
}


class Pickles:
    """Watches all that is read in this process.

    originals: finds the instructor's files, as they were. opened: the file that was opened last, if nothing
    has come from the submission since. loose: whether what is read is in no file. refuse: makes the error for
    what is not to be read.
    """

    def __init__(self, originals: Callable[[], Iterable[Path]], refuse: Callable[[str], BaseException]):
        self.originals, self.refuse = originals, refuse
        self.opened: str | None = None
        self.loose = False

    def forget(self) -> None:
        """Something has come from the submission: what is read next may be that."""
        self.opened = None

    def hear(self, event: str, about: tuple) -> None:
        """What Python says of all that is opened, and of what pickles name."""
        if event == "open":
            self.opened = os.fsdecode(about[0]) if isinstance(about[0], str | bytes | os.PathLike) else None
        elif event == "pickle.find_class" and ".".join(map(str, about)) not in MAKES_DATA:
            if not self.is_instructors():
                what = f"{about[0]}.{about[1]}"
                raise self.refuse(
                    f"the test reads a pickle that names {what}: one of the submission's could run here"
                )

    def is_instructors(self) -> bool:
        """Whether what is being read is a file of the instructor's."""
        if self.loose or self.opened is None:
            return False
        path = Path(os.path.realpath(self.opened))
        return path in {one.resolve() for one in self.originals()}

    @contextmanager
    def in_no_file(self) -> Iterator[None]:
        before, self.loose = self.loose, True
        try:
            yield
        finally:
            self.loose = before


def watch(pickles: Pickles) -> None:
    """From now on, in this process."""
    load, loads = pickle.load, pickle.loads

    def reading(file: Any) -> AbstractContextManager:
        return nullcontext() if isinstance(getattr(file, "name", None), str) else pickles.in_no_file()

    @wraps(load)
    def from_file(file: Any, *args: Any, **kwargs: Any) -> Any:
        with reading(file):
            return load(file, *args, **kwargs)

    @wraps(loads)
    def from_bytes(data: Any, *args: Any, **kwargs: Any) -> Any:
        with pickles.in_no_file():
            return loads(data, *args, **kwargs)

    def reader(kind: Any) -> type:
        class Unpickler(kind):
            def __init__(self, file: Any, *args: Any, **kwargs: Any):
                super().__init__(file, *args, **kwargs)
                self.reading = file

            def load(self) -> Any:
                with reading(self.reading):
                    return super().load()

        return Unpickler

    for name in ("pickle", "_pickle", "cloudpickle", "cloudpickle.cloudpickle"):
        vars(sys.modules[name]).update(load=from_file, loads=from_bytes)
    vars(pickle).update(Unpickler=reader(pickle.Unpickler), _Unpickler=reader(vars(pickle)["_Unpickler"]))
    sys.addaudithook(pickles.hear)
