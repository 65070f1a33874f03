"""Zygote process: imports the libraries of lessons and forks templates, which fork kernels.

`python -m gradebox.kernel.zygote SOCKET... -- MODULE... -- MODULE...` listens on Unix sockets, with one
process for each socket. The processes are forked from the first one after all imports. If there are modules
after the second `--`, which only some lessons need, processes for the other lessons are forked before their
import; the names of these sockets end with LIGHT_SUFFIX. A client that needs a template (see `template.py`)
sends a line of JSON, {"name": ..., "setup": ...}. When the zygote closes the connection, the template listens
on a socket whose path is the zygote's own with a dot and that name appended. The zygote ends when its
standard input closes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from gradebox.kernel import huge_pages, template
from gradebox.kernel.sandbox_probe import probe_machine
from gradebox.kernel.template import Template, reap_children
from gradebox.kernel.zygote_client import (
    LIGHT_SUFFIX,
    PROBE_RESULT_FILE,
    REQUEST_TIMEOUT,
    short_socket_path,
)
from gradebox.printable_text import format_exception
from gradebox.sandbox import libc
from gradebox.sandbox.probe_results import ProbeResult
from gradebox.sandbox.sandbox import Sandbox

# Modules that shells would import later, and modules for figures if matplotlib is imported.
SHELL_MODULES = ("sqlite3", "IPython.core.completer", "IPython.core.pylabtools")
FIGURE_MODULES = ("matplotlib.backends.backend_agg",)
# Number of templates to keep; a template that was removed is created again when needed.
MAX_TEMPLATES = 16


class ZygoteServer:
    """Server that forks templates, in the zygote's process.

    problem: the reason for a missing sandbox. templates: their processes, by the paths of their sockets.
    """

    def __init__(self, path: str, sandbox: Sandbox | None, problem: str | None):
        self.path, self.sandbox, self.problem = path, sandbox, problem
        self.templates: dict[str, int] = {}

    def serve(self) -> None:
        """Fork templates on request until standard input closes."""
        self.server = listen_on(self.path)
        while True:
            if sys.stdin in select.select([self.server, sys.stdin], [], [])[0]:
                self.close()
            client, _ = self.server.accept()
            with client:
                try:
                    self.answer(client)
                except Exception:
                    # The client finds no template and reports an error.
                    traceback.print_exc()

    def answer(self, client: socket.socket) -> None:
        """Fork the requested template unless it exists. Raises TimeoutError, ValueError and KeyError."""
        client.settimeout(REQUEST_TIMEOUT)
        with client.makefile() as lines:
            said = json.loads(lines.readline())
        path = f"{self.path}.{said['name']}"
        if path in self.templates:
            ended = os.waitpid(self.templates[path], os.WNOHANG)[0]
            if not ended:
                return
            self.forget(path)
        while len(self.templates) >= MAX_TEMPLATES:
            oldest = next(iter(self.templates))
            os.kill(self.templates[oldest], signal.SIGTERM)
            os.waitpid(self.templates[oldest], 0)
            self.forget(oldest)
        # From here on, clients can connect and wait for their kernels.
        server = listen_on(path)
        self.templates[path] = os.fork()
        if self.templates[path] == 0:
            try:
                libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
                client.close()
                self.server.close()
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                Template(said["setup"], server, self.sandbox, self.problem).serve()
            except OSError as error:
                # A full disk or too many processes; the next attempt may succeed.
                template.reject_clients(server, format_exception(error))
            except BaseException:
                traceback.print_exc(file=sys.__stderr__)
            finally:
                os._exit(1)
        server.close()

    def forget(self, path: str) -> None:
        del self.templates[path]
        with contextlib.suppress(OSError):
            os.unlink(path)

    def close(self) -> None:
        """End the zygote and its templates; kernels end with their clients."""
        if self.sandbox:
            self.sandbox.close()
        for process in self.templates.values():
            os.kill(process, signal.SIGTERM)
        reap_children(os.WEXITED)
        os._exit(0)


def listen_on(path: str) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    with short_socket_path(path) as address:
        server.bind(address)
    server.listen(64)
    return server


def preload_modules(modules: Iterable[str]) -> None:
    """Import the modules that exist on this machine."""
    for name in modules:
        # A broken installation raises any error; the cell that imports the module shows the error.
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def preload_figure_modules() -> None:
    if "matplotlib.pyplot" in sys.modules:
        preload_modules(FIGURE_MODULES)


def create_sandbox() -> tuple[Sandbox | None, str | None]:
    """Return the strongest sandbox of this machine, or the reason for a missing one.

    Writes the result of the probe to PROBE_RESULT_FILE.
    """
    try:
        probed = probe_machine()
    except Exception as error:
        if not isinstance(error, OSError):
            traceback.print_exc()
        probed = ProbeResult(general=f"the sandbox could not be probed ({libc.format_os_error(error)})")
    # Replace the file atomically, since clients wait for it.
    Path(f"{PROBE_RESULT_FILE}.new").write_text(probed.text())
    os.rename(f"{PROBE_RESULT_FILE}.new", PROBE_RESULT_FILE)
    best = probed.best
    try:
        return (Sandbox(best.rung, os.getcwd()), None) if best else (None, probed.problem)
    except Exception as error:
        # The probe succeeded a moment ago. The reason is reported to clients that request a kernel.
        return None, libc.format_os_error(error)


def fork_servers(paths: Iterable[str]) -> str | None:
    """Fork a process for each socket. Return its path in the new process, None in this one."""
    for path in paths:
        if os.fork() == 0:
            return path
    return None


def main() -> None:
    arguments = iter(sys.argv[1:])
    paths, modules, heavy = ([*iter(lambda: next(arguments, "--"), "--")] for _ in range(3))
    # An interrupt from the terminal is for the grader, which then closes this process's standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Garbage collection during the imports would take longer than the imports.
    gc.disable()
    # The probe forks and needs a process with a single thread.
    sandbox, problem = create_sandbox()
    preload_modules([*modules, *SHELL_MODULES])
    preload_figure_modules()
    gc.freeze()
    path = fork_servers(f"{path}{LIGHT_SUFFIX}" for path in paths) if heavy else None
    if path is None:
        preload_modules(heavy)
        preload_figure_modules()
        gc.freeze()
        huge_pages.collapse_huge_pages()
        path = fork_servers(paths[1:]) or paths[0]
    ZygoteServer(path, sandbox, problem).serve()


if __name__ == "__main__":
    main()
