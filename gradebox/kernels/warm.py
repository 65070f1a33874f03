"""The warm process: it has imported what lessons import, and forks a ready kernel on request.

`python -m gradebox.kernels.warm SOCKET... -- MODULE...` listens on Unix sockets, with a process for each,
which are forked from the first when it has imported everything. A client connects for each
kernel, sends one line of JSON (argv, cwd, env, scratch, limits), perhaps with the descriptor of a socket
that the kernel shall have (see `gradebox/judge`), and reads lines of JSON: first {"pid":
...}, and {"exit": ..., "reason": ...} when the kernel has ended and nothing of it is left. The connection
is the kernel's lease: when it closes, the kernel is killed. When the warm process's own standard input
closes, it ends.

Each kernel has a guard, a process that stands between it and the warm process: it watches what the
kernel and its children use, and removes them when the kernel ends. It answers a byte from the client with
{"well": true}, or with the kernel's end if a limit is broken.
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
import time
import traceback

from gradebox.judge import standins, student
from gradebox.kernels.sandbox import Limits, enter, own_world
from gradebox.kernels.watch import Watch, descendants

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SIGNALLED = 128
# As it is imported, it tells the kernel to send figures as pictures: each kernel has to do that itself.
NOT_AHEAD = "matplotlib_inline"
# How often a guard looks at what its kernel uses, in seconds.
LOOK = 0.1
# What a kernel needs before `rehearse` can ask it for the rest.
KERNEL_MODULES = (
    "gradebox.kernels.application",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "sandlock",
    "pyseccomp",
)


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
    """Have a kernel forked, watch it, and leave nothing of it behind; never returns."""
    try:
        os.setsid()
        # What a kernel has started and forgotten becomes a child of this process.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        request, link = ask(client)
        if request["limits"]:
            own_world()
        ready, say_ready = os.pipe()
        init = os.fork()
        if init == 0:
            client.close()
            os.close(ready)
            be_init(request, say_ready, link)
        os.close(say_ready)
        if link is not None:
            os.close(link)
        # Until its sockets are there: a client that has to try again waits for 0.1 s each time.
        os.read(ready, 1)
        os.close(ready)
        kernel = next(descendants(init), init)
        send(client, pid=kernel)
        reason = watch(client, init, request)
        status = sweep(init, kernel)
        send(client, exit=status, reason=reason)
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)


def ask(client: socket.socket) -> tuple[dict, int | None]:
    """The client's request, and the descriptor that came with it, if any."""
    text, links, *_ = socket.recv_fds(client, 2**16, 1)
    with client.makefile() as lines:
        while not text.endswith(b"\n"):
            more = lines.readline()
            if not more:
                # It has gone before it had asked.
                raise SystemExit
            text += more.encode()
    return json.loads(text), links[0] if links else None


def send(client: socket.socket, **message: object) -> None:
    with contextlib.suppress(OSError):
        client.sendall(json.dumps(message).encode() + b"\n")


def be_init(request: dict, say_ready: int, link: int | None) -> None:
    """The first process of a kernel's world: when it ends, so does everything in it. Never returns."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    kernel = os.fork()
    if kernel == 0:
        become_kernel(request, say_ready, link)
    os.close(say_ready)
    if link is not None:
        os.close(link)
    while True:
        process, status = os.wait()
        if process == kernel:
            code = os.waitstatus_to_exitcode(status)
            # A signal's number travels as a shell would say it.
            os._exit(code if code >= 0 else SIGNALLED - code)


def watch(client: socket.socket, init: int, request: dict) -> str | None:
    """Wait until the kernel ends or has to. Returns which limit it broke, if any.

    A client that writes asks whether all is well; one that has gone wants the kernel to end.
    """
    ended = os.pidfd_open(init)
    limits = Limits(**request["limits"]) if request["limits"] else None
    look = Watch(os.getpid(), request["scratch"], limits) if limits else None
    while True:
        found = select.select([ended, client], [], [], LOOK if look else None)[0]
        reason = look.broken() if look else None
        if reason or ended in found:
            return reason
        if client in found:
            if not client.recv(1):
                return None
            send(client, well=True)


def sweep(init: int, kernel: int) -> int:
    """Kill a kernel and everything that came of it. Returns the kernel's exit status.

    The end of its first process ends all of a world of its own; elsewhere they are hunted. The first
    process is given a moment to go by itself, so that what the kernel has used is counted.
    """
    status = 0
    with contextlib.suppress(ProcessLookupError):
        os.kill(kernel, signal.SIGKILL)
    select.select([os.pidfd_open(init)], [], [], 1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(init, signal.SIGKILL)
    while True:
        for process in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            process, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if process == init:
            code = os.waitstatus_to_exitcode(ended)
            status = SIGNALLED - code if code > SIGNALLED else code
        elif process == 0:
            time.sleep(0.001)


def become_kernel(request: dict, say_ready: int, link: int | None) -> None:
    """Turn this fork into an IPython kernel, which closes `say_ready` once it listens; never returns."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if request["limits"]:
            enter(request["scratch"], Limits(**request["limits"]))
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        silence()
        student.LINK = standins.LINK = link
        from gradebox.kernels.application import KernelApp

        app = KernelApp.instance()
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
            from gradebox.kernels.application import KernelApp

            known = set(sys.modules)
            with tempfile.TemporaryDirectory() as folder:
                app = KernelApp.instance()
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
    between = sys.argv.index("--")
    (path, *others), modules = sys.argv[1:between], sys.argv[between + 1 :]
    # An interrupt from the terminal is for the grader, which then closes our standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    preload([*KERNEL_MODULES, *modules])
    preload([name for name in rehearse() if not name.startswith(NOT_AHEAD)])
    # What is here now is never garbage; looking through it would cost each kernel 0.1 s, and copies of pages.
    gc.collect()
    gc.freeze()
    for other in others:
        if os.fork() == 0:
            path = other
            break
    serve(path)


if __name__ == "__main__":
    main()
