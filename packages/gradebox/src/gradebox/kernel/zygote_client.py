"""Start the zygote that forks kernels (see `zygote.py`), and connect to its templates.

Apart from the standard library, only two small modules are imported, so that the zygote can start first.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter, link_shared_modules
from gradebox.path_and_home import has_writable_home

DEFAULT_PRELOAD = (
    *("numpy", "pandas", "matplotlib.pyplot", "torch", "torch._dynamo if meta"),
    # The first call of `torch.testing.assert_close` imports this, which takes a second.
    "torch.distributed.tensor if assert_close",
)
# Single threads and a fixed hash seed give the same results at any load and on any machine. The precompiled
# headers of torch.compile are off because they are larger than the file limit of a submission.
DETERMINISTIC_ENV = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("PYTHONHASHSEED", "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS"), "0"),
}
MATPLOTLIB_ENV = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
# Owners: students' kernels and judges are forked from separate processes with the same imports.
STUDENT, JUDGE = "student", "judge"
# Descriptor number in a kernel for the socket that was passed with the request.
LINK_DESCRIPTOR = 100
# Seconds for a client to send its request, since other clients wait in the meantime.
REQUEST_TIMEOUT = 30
# Request from a client to a kernel's guard to check the limits.
HEALTH_CHECK = b"?"
# File with the results of a zygote's probe of this machine (see `sandbox_probe.py`).
PROBE_RESULT_FILE = "probed.json"
# Environment variables that pass the sockets of a grader's zygotes to its workers. For an interpreter of
# another environment, the name ends with the interpreter's key.
SHARED_ZYGOTE_VARIABLES = {STUDENT: "GRADEBOX_ZYGOTE", JUDGE: "GRADEBOX_ZYGOTE_JUDGE"}
# End of the names of variables with the zygotes' light modules, separated by spaces.
LIGHT_MODULES = "_LIGHT"
# End of the names of sockets of zygotes that have imported only the light modules.
LIGHT_SUFFIX = "-light"


@cache
def can_fork_kernels() -> bool:
    """Return True if this system can fork warm kernels (Linux with process descriptors)."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class ZygoteProcess:
    """Handle of the zygotes with the imported modules `preload`, from which kernels are forked.

    Starts the zygotes. interpreter: the Python that runs them. light: those of the modules that all lessons
    need; a kernel that needs no others does not wait for them. paths: their sockets, by owner.
    """

    def __init__(
        self,
        preload: tuple[str, ...],
        interpreter: Interpreter = OWN_INTERPRETER,
        light: tuple[str, ...] = (),
    ) -> None:
        heavy = [name for name in preload if name not in light] if light else []
        self.light = light if heavy else ()
        modules = [*(self.light or preload), "--", *heavy]
        self.folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
        self.paths = {owner: str(self.folder / owner) for owner in SHARED_ZYGOTE_VARIABLES}
        plain = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        if not has_writable_home():
            plain["HOME"] = str(self.folder)
        # Shells are created in the zygote and must not read the grader's IPython settings.
        plain["IPYTHONDIR"] = str(self.folder / "ipython")
        if not interpreter.is_own:
            # The zygote's working folder comes first in its module path.
            link_shared_modules(self.folder)
        self.process = subprocess.Popen(
            [interpreter.executable, "-m", "gradebox.kernel.zygote", *self.paths.values(), "--", *modules],
            stdin=subprocess.PIPE,
            # Forks keep the initial environment of their parent in memory, so pass no secrets.
            env={
                **plain,
                **dict(interpreter.environment),
                **DETERMINISTIC_ENV,
                **MATPLOTLIB_ENV,
                "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            },
            cwd=self.folder,
        )
        atexit.register(self.close)

    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        """End the zygote; kernels end with their clients."""
        if self.process.stdin:
            self.process.stdin.close()
        if not all(Path(path).exists() for path in self.paths.values()):
            # The zygote is still importing and has no clients.
            self.process.kill()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


_zygotes: dict[tuple[int, Interpreter, tuple[str, ...]], ZygoteProcess] = {}


def get_zygote(
    preload: tuple[str, ...], interpreter: Interpreter = OWN_INTERPRETER, light: tuple[str, ...] = ()
) -> ZygoteProcess:
    """Return this process's zygote with at least these modules imported, starting one if necessary.

    light: see `ZygoteProcess`. A fork of a grader starts its own zygote.
    """
    here = os.getpid(), interpreter
    for (*place, imported), found in _zygotes.items():
        if tuple(place) == here and set(preload) <= set(imported) and found.alive():
            return found
    _zygotes[(*here, preload)] = ZygoteProcess(preload, interpreter, light)
    return _zygotes[(*here, preload)]


def build_sharing_environment(preload: tuple[str, ...], interpreter: Interpreter) -> dict[str, str]:
    """Return the environment variables with which workers find this process's zygote."""
    zygote, found = get_zygote(preload, interpreter), dict[str, str]()
    for owner, path in zygote.paths.items():
        name = name_sharing_variable(owner, interpreter)
        found |= {name: path, name + LIGHT_MODULES: " ".join(zygote.light)}
    return found


def name_sharing_variable(owner: str, interpreter: Interpreter) -> str:
    return "_".join(filter(None, (SHARED_ZYGOTE_VARIABLES[owner], interpreter.key)))


def choose_socket(path: str, light: Iterable[str], needs: Iterable[str] | None) -> str:
    """Return the socket of a zygote for a kernel that needs these modules; None: all modules."""
    return path + LIGHT_SUFFIX if light and needs is not None and set(needs) <= set(light) else path


def find_shared_zygote(
    owner: str = STUDENT,
    interpreter: Interpreter = OWN_INTERPRETER,
    needs: tuple[str, ...] | None = None,
) -> str | None:
    """Return the socket path of the zygote that a grader shares with this worker, or None."""
    name = name_sharing_variable(owner, interpreter)
    path, light = os.environ.get(name), os.environ.get(name + LIGHT_MODULES, "").split()
    return choose_socket(path, light, needs) if path and Path(path).parent.is_dir() else None


def read_probe_result(preload: tuple[str, ...], seconds: float = 120) -> str:
    """Return the results of the zygote's probe (see `sandbox/probe_results.py`) as JSON.

    Starts a zygote if necessary. Raises RuntimeError if no zygote has started within `seconds`.
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
    preload: tuple[str, ...],
    owner: str,
    setup: tuple[str, ...] = (),
    interpreter: Interpreter = OWN_INTERPRETER,
    needs: tuple[str, ...] | None = None,
    seconds: float = 120,
) -> socket.socket:
    """Return a connection to a template, for one kernel.

    The template belongs to the zygote that a grader shares with this worker, if alive, or else to this
    process's own zygote. setup: sources that the template has executed without output. needs: the modules
    that the kernel needs; None for all of `preload`. Raises RuntimeError if no template is available within
    `seconds`.
    """
    text = json.dumps(setup)
    name = sha256(text.encode()).hexdigest()[:16]
    end, refused = time.monotonic() + seconds, False
    own: ZygoteProcess | None = None
    while time.monotonic() < end:
        path = None if refused else find_shared_zygote(owner, interpreter, needs)
        if own and not own.alive():
            # A second zygote would fail, too.
            break
        own = None if path else get_zygote(preload, interpreter)
        where = choose_socket(own.paths[owner], own.light, needs) if own else str(path)
        with suppress(FileNotFoundError, ConnectionRefusedError):
            return connect_socket(f"{where}.{name}")
        try:
            with connect_socket(where) as asked:
                asked.sendall(f'{{"name": "{name}", "setup": {text}}}\n'.encode())
                # The template is ready when the zygote closes the connection.
                asked.recv(1)
        except (FileNotFoundError, ConnectionRefusedError) as error:
            if path and isinstance(error, ConnectionRefusedError):
                refused = True
            time.sleep(0.02)
        except OSError:
            # The zygote is ending, or accepts no more connections.
            time.sleep(0.02)
    raise RuntimeError("the process that forks kernels did not start")


@contextmanager
def short_socket_path(path: str) -> Iterator[str]:
    """Yield a short path to the same socket, because a socket address limits the length of a path."""
    folder = os.open(os.path.dirname(path), os.O_PATH)
    try:
        yield f"/proc/self/fd/{folder}/{os.path.basename(path)}"
    finally:
        os.close(folder)


def connect_socket(path: str) -> socket.socket:
    """Connect to the socket at this path. Raises OSError."""
    client = socket.socket(socket.AF_UNIX)
    try:
        with short_socket_path(path) as address:
            client.connect(address)
    except BaseException:
        client.close()
        raise
    return client
