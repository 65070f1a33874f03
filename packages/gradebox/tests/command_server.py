"""Run the `gradebox` command in forks of a process that has imported it, for `helpers.gradebox`.

A new program spends one to three seconds of CPU time on imports, a fork a tenth of a second. A fork has the
caller's arguments, folder and environment, and ends as a program does: with its exit handlers, a traceback,
an exit status. Tests of what is imported, of signals and of other machines start the program itself.

Forks that grade also share a zygote with its templates. A command whose lessons need other modules, or that
has another home or folder for temporary files, starts its own.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryFile
from typing import Any

PROGRAM = Path(sys.executable).parent / "gradebox"
# What commands import in their own bodies: all of these packages, but for an optional import.
PACKAGES = ("autograde", "course_setup", "execute", "lms", "parity", "release", "reports")
LEFT_OUT = ("gradebox.autograde.dask_executor",)
OTHERS = (
    *("jupytext", "nbconvert.exporters", "sqlalchemy.dialects.sqlite"),
    *("nbgrader.converters", "nbgrader.server_extensions.formgrader.apihandlers"),
)
# What some versions of libraries import.
IN_SOME_VERSIONS = ("pydantic", "typer._adapters")
# What the zygote imports, as most lessons of tests do, and what it keeps of the environment.
PRELOAD = ("numpy", "matplotlib.pyplot")
KEPT_BY_ZYGOTE = ("HOME", "TMPDIR")


class CommandServer:
    """Process that runs one command after the other, each in a fork."""

    def __init__(self) -> None:
        self.connection, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
        atexit.register(self.close)

    def run(
        self, arguments: tuple[str, ...], folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess:
        """Run a command as `subprocess.run` does with captured output and no input."""
        request = json.dumps([arguments, str(folder), dict(environment)]).encode()
        with TemporaryFile("w+", encoding="utf-8") as out, TemporaryFile("w+", encoding="utf-8") as err:
            files = [out.fileno(), err.fileno()]
            socket.send_fds(self.connection, [len(request).to_bytes(4, "big")], files)
            self.connection.sendall(request)
            status = int.from_bytes(receive(self.connection, 4), "big", signed=True)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([PROGRAM, *arguments], status, out.read(), err.read())

    def close(self) -> None:
        """End the process, and wait for it."""
        self.connection.close()
        self.process.wait()


@cache
def get_command_server(_process: int) -> CommandServer:
    """Return the server of the calling process, which is given by its id."""
    return CommandServer()


def receive(connection: socket.socket, length: int) -> bytes:
    """Receive exactly this many bytes. Raises EOFError if the other side has ended."""
    received = b""
    while len(received) < length:
        more = connection.recv(length - len(received))
        if not more:
            raise EOFError("the process that runs commands has ended")
        received += more
    return received


def serve(connection: socket.socket) -> None:
    """Run each request in a fork, and answer with its exit status, until the other side closes."""
    while True:
        length, files, *_ = socket.recv_fds(connection, 4, 2)
        if not length:
            if get_shared_zygote.cache_info().currsize and (zygote := get_shared_zygote()):
                zygote.close()
            return
        request = json.loads(receive(connection, int.from_bytes(length, "big")))
        if request[0][:1] == ["autograde"]:
            get_shared_zygote()
        child = get_context("fork").Process(target=run_command, args=(*request, files))
        child.start()
        for file in files:
            os.close(file)
        child.join()
        connection.sendall(child.exitcode.to_bytes(4, "big", signed=True))


@cache
def get_shared_zygote() -> Any:
    """Return the zygote of this process; None if this system can't fork kernels."""
    client = import_module("gradebox.kernel.zygote_client")
    if not client.can_fork_kernels():
        return None
    zygote = client.get_zygote(list_modules())
    # A fork runs exit handlers, and must leave it running.
    atexit.unregister(zygote.close)
    return zygote


def list_modules() -> tuple[str, ...]:
    return import_module("gradebox.execute.preload_modules").select_preload_modules(PRELOAD, ())


def use_shared_zygote(environment: Mapping[str, str]) -> None:
    """Use the zygote of the parent in this fork, unless its environment is another."""
    zygote = get_shared_zygote()
    if zygote and all(environment.get(name) == os.environ.get(name) for name in KEPT_BY_ZYGOTE):
        client = import_module("gradebox.kernel.zygote_client")
        # Only a parent can poll a process.
        zygote.alive = lambda: True
        client._zygotes[os.getpid(), client.OWN_INTERPRETER, list_modules()] = zygote


def run_command(arguments: list[str], folder: str, environment: dict[str, str], files: list[int]) -> None:
    """Be the program, in a fork."""
    if arguments[:1] == ["autograde"]:
        use_shared_zygote(environment)
    for number, file in enumerate(files, 1):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(PROGRAM), *arguments]
    try:
        import_module("gradebox.__main__").main()
    finally:
        atexit._run_exitfuncs()


def import_commands() -> None:
    """Import what commands import, in the order of the program."""
    import_module("gradebox.stub_heavy_packages")
    import_module("gradebox.app")
    for package in PACKAGES:
        folder = import_module(f"gradebox.{package}").__path__
        for module in iter_modules(folder, f"gradebox.{package}."):
            if module.name not in LEFT_OUT:
                import_module(module.name)
    for name in OTHERS:
        import_module(name)
    for name in IN_SOME_VERSIONS:
        with suppress(ModuleNotFoundError):
            import_module(name)
    # nbgrader's tables are connected to each other when the first of them is used.
    import_module("sqlalchemy.orm").configure_mappers()


if __name__ == "__main__":
    # Programs import nothing from the folder of the tests.
    del sys.path[0]
    gc.disable()
    import_commands()
    gc.freeze()
    gc.enable()
    with socket.socket(fileno=int(sys.argv[1])) as served:
        serve(served)
