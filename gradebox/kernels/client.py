"""Starts the zygote that kernels are forked from (see `zygote.py`), and connects to it.

Only the standard library is imported here, so that the zygote can be started before all else.
"""

import atexit
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from gradebox.system import home_to_write_to

PRELOADED = ("numpy", "matplotlib.pyplot", "torch")
# One thread each, and one order of sets and dicts: the same results at any load and on any machine. And the
# headers that torch.compile would compile ahead are larger than all files that a submission may have.
FIXED = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("PYTHONHASHSEED", "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS"), "0"),
}
DRAWING = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
# Students' kernels and judges are forked from processes of their own, which have imported the same.
STUDENT, JUDGE = "student", "judge"
# The descriptor under which a kernel has the socket that came with the request for it.
LINK = 100
# Where a zygote learns cells, beside the socket on which it is asked for kernels.
LEARNING = ".cells"
SECONDS_TO_LEARN = 30
# The file in which a zygote says what it has found out about this machine (see `probe.py`).
PROBED = "probed.json"
# Where a grader that shares its zygotes with its workers says so.
SHARED = {STUDENT: "GRADEBOX_ZYGOTE", JUDGE: "GRADEBOX_ZYGOTE_JUDGE"}


@cache
def available() -> bool:
    """Whether this system can fork warm kernels (Linux, with process descriptors)."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class Zygote:
    """Zygotes that have imported the modules `preload`. Start it once; kernels are forked from them.

    paths: the sockets that they listen on, by owner.
    """

    def __init__(self, preload: tuple[str, ...]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
        self.paths = {owner: str(self.folder / owner) for owner in SHARED}
        plain = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        if not home_to_write_to():
            plain["HOME"] = str(self.folder)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gradebox.kernels.zygote", *self.paths.values(), "--", *preload],
            stdin=subprocess.PIPE,
            # Forks keep what their parent was started with in their memory: nothing that is secret.
            env={**plain, **FIXED, **DRAWING, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
            cwd=self.folder,
        )
        atexit.register(self.close)

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End the zygote; kernels end with the clients that they belong to."""
        if self.process.stdin:
            self.process.stdin.close()
        if not all(Path(path).exists() for path in self.paths.values()):
            # It is still importing, for nobody.
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


_zygotes: dict[tuple[int, tuple[str, ...]], Zygote] = {}


def zygote(preload: tuple[str, ...]) -> Zygote:
    """A zygote of this process's that has imported these modules, and perhaps others.

    A fork of a grader starts its own.
    """
    for (process, imported), found in _zygotes.items():
        if process == os.getpid() and set(preload) <= set(imported) and found.alive():
            return found
    _zygotes[os.getpid(), preload] = Zygote(preload)
    return _zygotes[os.getpid(), preload]


def shared(owner: str = STUDENT) -> str | None:
    """The socket of the zygote that the grader of this worker shares, if that is there."""
    path = os.environ.get(SHARED[owner])
    return path if path and Path(path).parent.is_dir() else None


def found(preload: tuple[str, ...], seconds: float = 120) -> str:
    """What the zygote has found out about this machine (see `findings.py`), as JSON.

    Raises RuntimeError if it has not come up in time.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        path = shared()
        if path:
            said, alive = Path(path).parent / PROBED, True
        else:
            own = zygote(preload)
            said, alive = own.folder / PROBED, own.alive()
        if said.exists():
            return said.read_text()
        if not alive:
            break
        time.sleep(0.01)
    raise RuntimeError("the process that forks kernels did not start")


_taught: set[tuple[int, str, tuple[str, ...]]] = set()


def teach(preload: tuple[str, ...], owner: str, cells: tuple[str, ...]) -> None:
    """Let kernels of this owner know these cells ahead, from the next kernel on (see `known.py`).

    It only saves time: what goes wrong here is found out again, and said, when a kernel is asked for.
    """
    key = os.getpid(), owner, cells
    if key in _taught:
        return
    _taught.add(key)
    with contextlib.suppress(OSError, RuntimeError), connect(preload, owner, suffix=LEARNING) as client:
        # It learns while the other owner's does; who asks for a kernel next waits for it.
        client.settimeout(SECONDS_TO_LEARN)
        client.sendall(json.dumps(cells).encode())


def connect(
    preload: tuple[str, ...], owner: str = STUDENT, seconds: float = 120, suffix: str = ""
) -> socket.socket:
    """A connection to a zygote, for one kernel; with the suffix LEARNING, for cells.

    That is the one that the grader of this worker shares, if it lives, else this process's own. Raises
    RuntimeError if it has not come up in time.
    """
    end = time.monotonic() + seconds
    refused = False
    while time.monotonic() < end:
        path = None if refused else shared(owner)
        own = None if path else zygote(preload)
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect((own.paths[owner] if own else str(path)) + suffix)
            return client
        except (FileNotFoundError, ConnectionRefusedError) as error:
            client.close()
            if path and isinstance(error, ConnectionRefusedError):
                refused = True
            elif own and not own.alive():
                break
            time.sleep(0.02)
    raise RuntimeError("the process that forks kernels did not start")
