"""The warm process: it has imported what lessons import, and forks a ready kernel on request.

`python -m gradebox.kernels.warm SOCKET MODULE...` listens on a Unix socket. A client connects for each
kernel, sends one line of JSON (argv, cwd, env, scratch, limits), and reads lines of JSON: first {"pid":
...}, and {"exit": ..., "reason": ...} when the kernel has ended and nothing of it is left. The connection
is the kernel's lease: when it closes, the kernel is killed. When the warm process's own standard input
closes, it ends.

Each kernel has a guard, a process that stands between it and the warm process: it watches what the
kernel and its children use, and removes them when the kernel ends.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import selectors
import signal
import socket
import sys
import tempfile
import traceback
from pathlib import Path

from gradebox.kernels.sandbox import Limits, enter
from gradebox.kernels.watch import Watch, descendants

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
# As it is imported, it tells the kernel to send figures as pictures: each kernel has to do that itself.
NOT_AHEAD = "matplotlib_inline"
# How often a guard looks at what its kernel uses, in seconds.
LOOK = 0.1
# What a kernel needs before `rehearse` can ask it for the rest.
KERNEL_MODULES = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "sandlock", "pyseccomp")


def serve(path: str) -> None:
    """Accept connections and fork a guard for each, until standard input closes."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(64)
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            reap()
            if key.fileobj is sys.stdin:
                reap(os.WEXITED)
                os._exit(0)
            client, _ = server.accept()
            if os.fork() == 0:
                selector.close()
                server.close()
                guard(client)
            client.close()


def reap(how: int = os.WEXITED | os.WNOHANG) -> None:
    """Let guards that have ended go; what they and their kernels used is counted then."""
    with contextlib.suppress(ChildProcessError):
        while os.waitid(os.P_ALL, 0, how):
            pass


def guard(client: socket.socket) -> None:
    """Fork a kernel, watch it, and leave nothing of it behind; never returns."""
    try:
        os.setsid()
        # What a kernel has started and forgotten becomes a child of this process.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        request = json.loads(client.makefile().readline())
        ready, say_ready = os.pipe()
        pid = os.fork()
        if pid == 0:
            client.close()
            os.close(ready)
            become_kernel(request, say_ready)
        os.close(say_ready)
        # Until its sockets are there: a client that has to try again waits for 0.1 s each time.
        os.read(ready, 1)
        os.close(ready)
        client.sendall(json.dumps({"pid": pid}).encode() + b"\n")
        reason = watch(pid, client, request)
        status = sweep(pid)
        with contextlib.suppress(OSError):
            client.sendall(json.dumps({"exit": status, "reason": reason}).encode() + b"\n")
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)


def watch(pid: int, client: socket.socket, request: dict) -> str | None:
    """Wait until the kernel ends or has to. Returns which limit it broke, if any."""
    ended = os.pidfd_open(pid)
    limits = Limits(**request["limits"]) if request["limits"] else None
    look = Watch(pid, Path(request["scratch"]), limits) if limits else None
    while not select.select([ended, client], [], [], LOOK if look else None)[0]:
        reason = look.broken()
        if reason:
            return reason
    # A client that writes never does so: it has gone. A kernel that ended may have done so by a limit.
    return look.files_broken() if look else None


def sweep(pid: int) -> int:
    """Kill a kernel and everything that came of it. Returns the kernel's exit status.

    Processes are stopped before they are killed: a stopped one can't fork.
    """
    stopped: set[int] = set()
    while found := set(descendants(os.getpid())) - stopped:
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        stopped |= found
    for process in stopped:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    status = 0
    with contextlib.suppress(ChildProcessError):
        while True:
            process, ended = os.waitpid(-1, 0)
            if process == pid:
                status = os.waitstatus_to_exitcode(ended)
    return status


def become_kernel(request: dict, say_ready: int) -> None:
    """Turn this fork into an IPython kernel, which closes `say_ready` once it listens; never returns."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if request["limits"]:
            enter(request["scratch"], Limits(**request["limits"]))
        # After the sandbox: entering a user namespace forgets it.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        silence()
        from ipykernel.kernelapp import IPKernelApp

        app = IPKernelApp.instance()
        app.initialize(request["argv"])
        os.close(say_ready)
        app.start()
        status = 0
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def silence() -> None:
    """Let go of the grader's terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def preload(modules: list[str]) -> None:
    """Import the modules that exist on this machine."""
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def rehearse() -> list[str]:
    """The modules that a kernel imports as it starts and draws: a fork tries it, and says."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            silence()
            from ipykernel.kernelapp import IPKernelApp

            known = set(sys.modules)
            with tempfile.TemporaryDirectory() as folder:
                app = IPKernelApp.instance()
                app.initialize(["-f", f"{folder}/kernel.json", "--transport=ipc", "--log-level=ERROR"])
                app.shell.run_cell("from matplotlib import pyplot as p; p.plot([1]); p.show()", silent=True)
            os.write(writer, "\n".join(sorted(set(sys.modules) - known)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as names:
        found = names.read().split()
    os.wait()
    return found


def main() -> None:
    path, *modules = sys.argv[1:]
    # An interrupt from the terminal is for the grader, which then closes our standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    preload([*KERNEL_MODULES, *modules])
    preload([name for name in rehearse() if not name.startswith(NOT_AHEAD)])
    # What is here now is never garbage; looking through it would cost each kernel 0.1 s, and copies of pages.
    gc.collect()
    gc.freeze()
    serve(path)


if __name__ == "__main__":
    main()
