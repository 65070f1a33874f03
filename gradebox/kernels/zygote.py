"""The zygote: it has imported what lessons import, and forks a ready kernel on request.

`python -m gradebox.kernels.zygote SOCKET... -- MODULE...` listens on Unix sockets, with a process for each,
which are forked from the first when it has imported everything. A client connects for each
kernel, sends one line of JSON (argv, cwd, env, scratch, limits), perhaps with the descriptor of a socket
that the kernel shall have (see `gradebox/judge`), and reads lines of JSON: first {"pid":
...}, and {"exit": ..., "reason": ...} when the kernel has ended and nothing of it is left. The connection
is the kernel's lease: when it closes, the kernel is killed. When the zygote's own standard input
closes, it ends. What comes to the socket with the suffix `.cells` are cells that kernels will run.

Each kernel has a guard, a process that stands between it and the zygote: it watches what the
kernel and its children use, and removes them when the kernel ends. It answers a byte from the client with
{"well": true}, or with the kernel's end if a limit is broken.
"""

import contextlib
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
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gradebox.kernels import known, libc, tensors
from gradebox.kernels.client import LEARNING, LINK, PROBED, SECONDS_TO_LEARN
from gradebox.kernels.findings import Probed
from gradebox.kernels.guard import Problem, enter, start, sweep
from gradebox.kernels.limits import Limits
from gradebox.kernels.probe import probe
from gradebox.kernels.sandbox import Sandbox
from gradebox.kernels.watch import Watch

# As it is imported, it tells the kernel to send figures as pictures: each kernel has to do that itself.
NOT_AHEAD = "matplotlib_inline"
# What else wants to know the cells that kernels will run, as Python.
learners: list[Callable[[str], None]] = []
# How often a guard looks at what its kernel uses, in seconds.
LOOK = 0.1
# What a kernel needs before `rehearse` can ask it for the rest.
KERNEL_MODULES = (
    "gradebox.kernels.application",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
)


def serve(path: str, sandbox: Sandbox | None, problem: str | None) -> None:
    """Accept connections and fork a guard for each, until standard input closes.

    problem: why there is no sandbox, if there is none.
    """
    server, teachers = listening(path), listening(path + LEARNING)
    selector = selectors.DefaultSelector()
    for source in (server, teachers, sys.stdin):
        selector.register(source, selectors.EVENT_READ)
    while True:
        # What is learned first is known to the kernel that is asked for next.
        for key, _ in sorted(selector.select(), key=lambda event: event[0].fileobj is not teachers):
            reap()
            if key.fileobj is sys.stdin:
                if sandbox:
                    sandbox.close()
                reap(os.WEXITED)
                os._exit(0)
            asked = teachers if key.fileobj is teachers else server
            client, _ = asked.accept()
            if asked is teachers:
                learn(client)
            elif os.fork() == 0:
                selector.close()
                server.close()
                teachers.close()
                guard(client, sandbox, problem)
            client.close()


def listening(path: str) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(64)
    return server


def learn(client: socket.socket) -> None:
    """Learn the cells that a client sends, a list in JSON."""
    try:
        for cell in json.loads(received(client, SECONDS_TO_LEARN)):
            python = known.learn(cell)
            for learner in learners:
                learner(python)
        # What is here now is never garbage, either.
        gc.freeze()
    except Exception:
        # Kernels find out for themselves.
        traceback.print_exc()


def received(client: socket.socket, seconds: float) -> bytes:
    """All that a client sends. Raises TimeoutError if it takes longer: kernels wait meanwhile."""
    parts, until = [b""], time.monotonic() + seconds
    while not parts[1:] or parts[-1]:
        client.settimeout(max(0.001, until - time.monotonic()))
        parts.append(client.recv(2**20))
    return b"".join(parts)


def reap(how: int = os.WEXITED | os.WNOHANG) -> None:
    """Let guards that have ended go; what they and their kernels used is counted then."""
    with contextlib.suppress(ChildProcessError):
        while os.waitid(os.P_ALL, 0, how):
            pass


def guard(client: socket.socket, sandbox: Sandbox | None, problem: str | None) -> None:
    """Have a kernel forked, watch it, and leave nothing of it behind; never returns."""
    try:
        request, link = ask(client)
        limits = Limits(**request["limits"]) if request["limits"] else None
        if limits and not sandbox:
            raise Problem(problem)
        inside = sandbox if limits else None

        def run(ready: int) -> None:
            client.close()
            become_kernel(request, inside, limits, ready, link)

        started = start(inside, request["scratch"], run)
        if link is not None:
            os.close(link)
        reason = None
        try:
            send(client, pid=started.kernel)
            fixed = inside is not None and inside.rung.namespaces
            reason = watch(client, started.first, request["scratch"], limits, fixed)
        finally:
            # Whatever the client does.
            status = sweep(started)
            if inside:
                inside.left(request["scratch"])
        send(client, exit=status, reason=reason)
    except Problem as error:
        send(client, problem=str(error))
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


def watch(client: socket.socket, first: int, scratch: str, limits: Limits | None, fixed: bool) -> str | None:
    """Wait until the kernel ends or has to. Returns which limit it broke, if any.

    fixed: whether its scratch folder is of fixed size. A client that writes asks whether all is well; one
    that has gone wants the kernel to end.
    """
    ended = os.pidfd_open(first)
    look = Watch(os.getpid(), scratch, limits, fixed) if limits else None
    while True:
        watched: list[int | socket.socket] = [ended, client]
        found = select.select(watched, [], [], LOOK if look else None)[0]
        reason = look.broken() if look else None
        if reason or ended in found:
            return reason
        if client in found:
            try:
                if not client.recv(1):
                    return None
            except ConnectionError:
                return None
            send(client, well=True)


def become_kernel(
    request: dict, sandbox: Sandbox | None, limits: Limits | None, ready: int, link: int | None
) -> None:
    """Turn this fork into an IPython kernel, which closes `ready` once it listens; never returns."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        # Where the grader finds them: inside, there may be another folder in that place.
        listening = sockets(request["argv"])
        if sandbox and limits:
            enter(sandbox, request["scratch"], limits, ready)
            tensors.pass_as_bytes()
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        # It was looked up as modules were imported, and is another one now.
        tempfile.tempdir = None
        silence()
        if link is not None:
            os.dup2(link, LINK)
            os.close(link)
        from gradebox.kernels.application import KernelApp

        KernelApp.listening = listening
        app = KernelApp.instance()
        app.initialize(request["argv"])
        # Until its sockets are there: a client that has to try again waits for 0.1 s each time.
        os.close(ready)
        app.start()
        status = 0
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def sockets(argv: list[str]) -> dict[int, socket.socket]:
    """The Unix sockets that a kernel with these arguments is to listen on, by their numbers as ports."""
    connection = json.loads(Path(argv[argv.index("-f") + 1]).read_text())
    found: dict[int, socket.socket] = {}
    if connection["transport"] == "ipc":
        for port in (number for name, number in connection.items() if name.endswith("_port")):
            found[port] = socket.socket(socket.AF_UNIX)
            found[port].setblocking(False)
            found[port].bind(f"{connection['ip']}-{port}")
            found[port].listen(100)
    return found


def silence() -> None:
    """Let go of the grader's terminal."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def preload(modules: Iterable[str]) -> None:
    """Import the modules that exist on this machine. "module:function" is one that learns cells, too."""
    for name, _, function in (module.partition(":") for module in modules):
        with contextlib.suppress(ImportError):
            module = importlib.import_module(name)
            if function:
                learners.append(getattr(module, function))


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
                shell: Any = app.shell
                shell.run_cell("from matplotlib import pyplot as p; p.plot([1]); p.show()", silent=True)
            os.write(writer, "\n".join(sorted(set(sys.modules) - known)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as names:
        found = names.read().split()
    os.wait()
    return found


def contained() -> tuple[Sandbox | None, str | None]:
    """The strongest sandbox of this machine, or why there is none. What was found goes into a file."""
    try:
        probed = probe()
    except Exception as error:
        traceback.print_exc()
        probed = Probed(general=f"it could not be tried ({libc.in_words(error)})")
    # In one step, for those who wait for it.
    Path(f"{PROBED}.new").write_text(probed.text())
    os.rename(f"{PROBED}.new", PROBED)
    best = probed.best
    try:
        return (Sandbox(best.rung, os.getcwd()), None) if best else (None, probed.problem)
    except Exception as error:
        # It held a moment ago. Whoever asks for a kernel is told.
        return None, libc.in_words(error)


def main() -> None:
    between = sys.argv.index("--")
    (path, *others), modules = sys.argv[1:between], sys.argv[between + 1 :]
    # An interrupt from the terminal is for the grader, which then closes our standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Looking for garbage while modules are imported takes longer than to import them.
    gc.disable()
    # Before there are threads.
    sandbox, problem = contained()
    preload([*KERNEL_MODULES, *modules])
    preload([name for name in rehearse() if not name.startswith(NOT_AHEAD)])
    # What is here now is never garbage; looking through it would cost each kernel 0.1 s, and copies of pages.
    gc.freeze()
    gc.enable()
    for other in others:
        if os.fork() == 0:
            path = other
            break
    serve(path, sandbox, problem)


if __name__ == "__main__":
    main()
