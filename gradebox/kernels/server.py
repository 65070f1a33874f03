"""Starts the warm process that kernels are forked from (see `warm.py`), and connects to it.

Only the standard library is imported here, so that the warm process can be started before all else.
"""

import atexit
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PRELOADED = ("numpy", "matplotlib.pyplot", "torch")
# One thread each, and one order of sets and dicts: the same results at any load and on any machine.
FIXED = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
DRAWING = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
# Where a grader that shares its warm process with its workers says so.
SHARED = "GRADEBOX_WARM"


def available() -> bool:
    """Whether this system can fork warm kernels (Linux, with process descriptors)."""
    return hasattr(os, "pidfd_open")


class WarmServer:
    """A warm process that has imported the modules `preload`. Start it once; kernels are forked from it."""

    def __init__(self, preload: tuple[str, ...]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
        self.path = str(self.folder / "warm")
        plain = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gradebox.kernels.warm", self.path, *preload],
            stdin=subprocess.PIPE,
            # Forks keep what their parent was started with in their memory: nothing that is secret.
            env={**plain, **FIXED, **DRAWING, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
            cwd=self.folder,
        )
        atexit.register(self.close)

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End the warm process; kernels end with the clients that they belong to."""
        self.process.stdin.close()
        if not Path(self.path).exists():
            # It is still importing, for nobody.
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


_servers: dict[tuple[int, tuple[str, ...]], WarmServer] = {}


def server(preload: tuple[str, ...]) -> WarmServer:
    """This process's warm server (a fork of a grader starts its own)."""
    key = (os.getpid(), preload)
    if key not in _servers or not _servers[key].alive():
        _servers[key] = WarmServer(preload)
    return _servers[key]


def connect(preload: tuple[str, ...], seconds: float = 120) -> socket.socket:
    """A connection to a warm process, for one kernel.

    That is the one that the grader of this worker shares, if it lives, else this process's own. Raises
    RuntimeError if it has not come up in time.
    """
    end = time.monotonic() + seconds
    shared = os.environ.get(SHARED)
    while time.monotonic() < end:
        own = None if shared else server(preload)
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(shared or own.path)
            return client
        except (FileNotFoundError, ConnectionRefusedError) as error:
            client.close()
            if shared and (isinstance(error, ConnectionRefusedError) or not Path(shared).parent.is_dir()):
                shared = None
            elif own and not own.alive():
                break
            time.sleep(0.02)
    raise RuntimeError("the process that forks kernels did not start")
