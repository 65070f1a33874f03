"""Pickles that a test reads: those of the instructor's files as ever, and of all others what is data.

A pickle runs what it names. So none that may be the submission's, whatever way it came, names more than data.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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
    """Watches all pickles that are read in this process.

    originals: finds the instructor's files, as they were. own: whether what is read is one of these. refuse:
    makes the error for what is not to be read.
    """

    def __init__(self, originals: Callable[[], Iterable[Path]], refuse: Callable[[str], BaseException]):
        self.originals, self.refuse = originals, refuse
        self.own = False

    def hear(self, event: str, about: tuple) -> None:
        """What Python says of all that pickles name."""
        if event == "pickle.find_class" and not self.own and ".".join(map(str, about)) not in MAKES_DATA:
            what = f"the test reads a pickle that names {about[0]}.{about[1]}"
            raise self.refuse(f"{what}: one of the submission's could run here")

    @contextmanager
    def reading(self, file: Any) -> Iterator[None]:
        """For the duration of a `with`, this file is read; None for no file."""
        before, self.own = self.own, self.is_instructors(file)
        try:
            yield
        finally:
            self.own = before

    def is_instructors(self, file: Any) -> bool:
        try:
            there = os.fstat(file.fileno())
        except (AttributeError, OSError, TypeError, ValueError):
            return False
        return any(os.path.samestat(there, one.stat()) for one in self.originals())


def watch(pickles: Pickles) -> None:
    """From now on, in this process."""
    load, loads = pickle.load, pickle.loads

    @wraps(load)
    def from_file(file: Any, *args: Any, **kwargs: Any) -> Any:
        with pickles.reading(file):
            return load(file, *args, **kwargs)

    @wraps(loads)
    def from_bytes(data: Any, *args: Any, **kwargs: Any) -> Any:
        with pickles.reading(None):
            return loads(data, *args, **kwargs)

    def reader(kind: Any) -> type:
        class Unpickler(kind):
            def __init__(self, file: Any, *args: Any, **kwargs: Any):
                super().__init__(file, *args, **kwargs)
                self.reading = file

            def load(self) -> Any:
                with pickles.reading(self.reading):
                    return super().load()

        return Unpickler

    for name in ("pickle", "_pickle", "cloudpickle", "cloudpickle.cloudpickle"):
        vars(sys.modules[name]).update(load=from_file, loads=from_bytes)
    fast, slow = reader(pickle.Unpickler), reader(vars(pickle)["_Unpickler"])
    vars(sys.modules["_pickle"]).update(Unpickler=fast)
    vars(pickle).update(Unpickler=fast, _Unpickler=slow)
    sys.addaudithook(pickles.hear)
