"""Starts the zygote that kernels come from (see `zygote.py`), and connects to its templates.

Only the standard library is imported here, so that the zygote can be started before all else.
"""

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from gradebox.process_environment import has_writable_home

DEFAULT_PRELOAD = (
    *("numpy", "matplotlib.pyplot", "torch", "torch._dynamo if meta"),
    # What the first `torch.testing.assert_close` imports takes a second.
    "torch.distributed.tensor if assert_close",
)
# One thread each, and one order of sets and dicts: the same results at any load and on any machine. And the
# headers that torch.compile would compile ahead are larger than all files that a submission may have.
DETERMINISTIC_ENV = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("PYTHONHASHSEED", "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS"), "0"),
}
MATPLOTLIB_ENV = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
# Students' kernels and judges are forked from processes of their own, which have imported the same.
STUDENT, JUDGE = "student", "judge"
# The descriptor under which a kernel has the socket that came with the request for it.
LINK_DESCRIPTOR = 100
# Seconds that a client may take to say what it wants: others wait meanwhile.
REQUEST_TIMEOUT = 30
# By this a client asks a kernel's guard whether all is well.
HEALTH_CHECK = b"?"
# The file in which a zygote says what it has found out about this machine (see `sandbox_probe.py`).
PROBE_RESULT_FILE = "probed.json"
# Where a grader that shares its zygotes with its workers says so.
SHARED_ZYGOTE_VARIABLES = {STUDENT: "GRADEBOX_ZYGOTE", JUDGE: "GRADEBOX_ZYGOTE_JUDGE"}


@cache
def can_fork_kernels() -> bool:
    """Whether this system can fork warm kernels (Linux, with process descriptors)."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class ZygoteProcess:
    """Zygotes that have imported the modules `preload`. Start it once; kernels are forked from them.

    paths: the sockets that they listen on, by owner.
    """

    def __init__(self, preload: tuple[str, ...]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
        self.paths = {owner: str(self.folder / owner) for owner in SHARED_ZYGOTE_VARIABLES}
        plain = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        if not has_writable_home():
            plain["HOME"] = str(self.folder)
        # Shells are made there, and begin with nothing of whoever grades.
        plain["IPYTHONDIR"] = str(self.folder / "ipython")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gradebox.kernel.zygote", *self.paths.values(), "--", *preload],
            stdin=subprocess.PIPE,
            # Forks keep what their parent was started with in their memory: nothing that is secret.
            env={**plain, **DETERMINISTIC_ENV, **MATPLOTLIB_ENV, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
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
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


_zygotes: dict[tuple[int, tuple[str, ...]], ZygoteProcess] = {}


def get_zygote(preload: tuple[str, ...]) -> ZygoteProcess:
    """A zygote of this process's that has imported these modules, and perhaps others.

    A fork of a grader starts its own.
    """
    for (process, imported), found in _zygotes.items():
        if process == os.getpid() and set(preload) <= set(imported) and found.alive():
            return found
    _zygotes[os.getpid(), preload] = ZygoteProcess(preload)
    return _zygotes[os.getpid(), preload]


def find_shared_zygote(owner: str = STUDENT) -> str | None:
    """The socket of the zygote that the grader of this worker shares, if that is there."""
    path = os.environ.get(SHARED_ZYGOTE_VARIABLES[owner])
    return path if path and Path(path).parent.is_dir() else None


def read_probe_result(preload: tuple[str, ...], seconds: float = 120) -> str:
    """What the zygote has found out about this machine (see `sandbox/probe_results.py`), as JSON.

    Raises RuntimeError if it has not come up in time.
    """
    end = time.monotonic() + seconds
    own: ZygoteProcess | None = None
    while time.monotonic() < end:
        path = find_shared_zygote()
        if not path and own and not own.alive():
            break
        own = None if path else get_zygote(preload)
        said = (own.folder if own else Path(str(path)).parent) / PROBE_RESULT_FILE
        if said.exists():
            return said.read_text()
        time.sleep(0.01)
    raise RuntimeError("the process that forks kernels did not start")


def connect_to_template(
    preload: tuple[str, ...], owner: str, setup: tuple[str, ...] = (), seconds: float = 120
) -> socket.socket:
    """A connection to a template, for one kernel. setup: what the template has executed, unseen.

    It belongs to the zygote that the grader of this worker shares, if that lives, else to this process's own.
    Raises RuntimeError if it has not come up in time.
    """
    text = json.dumps(setup)
    name = sha256(text.encode()).hexdigest()[:16]
    end, refused = time.monotonic() + seconds, False
    own: ZygoteProcess | None = None
    while time.monotonic() < end:
        path = None if refused else find_shared_zygote(owner)
        if own and not own.alive():
            # Another would do no better.
            break
        own = None if path else get_zygote(preload)
        where = own.paths[owner] if own else str(path)
        with suppress(FileNotFoundError, ConnectionRefusedError):
            return connect_socket(f"{where}.{name}")
        try:
            with connect_socket(where) as asked:
                asked.sendall(f'{{"name": "{name}", "setup": {text}}}\n'.encode())
                # It is there when the zygote lets go.
                asked.recv(1)
        except (FileNotFoundError, ConnectionRefusedError) as error:
            if path and isinstance(error, ConnectionRefusedError):
                refused = True
            time.sleep(0.02)
        except OSError:
            # It ends, or takes no more.
            time.sleep(0.02)
    raise RuntimeError("the process that forks kernels did not start")


@contextmanager
def short_socket_path(path: str) -> Iterator[str]:
    """The path of a socket, in a form that has room in an address, however long its folder's is."""
    folder = os.open(os.path.dirname(path), os.O_PATH)
    try:
        yield f"/proc/self/fd/{folder}/{os.path.basename(path)}"
    finally:
        os.close(folder)


def connect_socket(path: str) -> socket.socket:
    """A connection to a socket at this path. Raises OSError."""
    client = socket.socket(socket.AF_UNIX)
    try:
        with short_socket_path(path) as address:
            client.connect(address)
    except BaseException:
        client.close()
        raise
    return client
