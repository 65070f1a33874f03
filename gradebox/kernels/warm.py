"""The warm process: it has imported what lessons import, and forks a ready kernel on request.

`python -m gradebox.kernels.warm SOCKET MODULE...` listens on a Unix socket. A client connects for each
kernel, sends one line of JSON (argv, cwd, env), and reads lines of JSON: first {"pid": ...}, and {"exit":
...} when the kernel has ended. The connection is the kernel's lease: when it closes, the kernel is
killed. When the warm process's own standard input closes, it ends, and every kernel with it.
"""

import contextlib
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass

# ipykernel and what a kernel imports as it starts, so that a fork finds all of it in place.
KERNEL_MODULES = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "IPython.core.completer")


@dataclass
class Kernel:
    """A running kernel: its process, a descriptor of that process, and the client's connection."""

    pid: int
    pidfd: int
    client: socket.socket


class WarmProcess:
    """Accepts requests, forks kernels, and tells their clients when they end."""

    def __init__(self, path: str):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(64)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.server, selectors.EVENT_READ, self.accept)
        self.selector.register(sys.stdin, selectors.EVENT_READ, self.end)
        self.kernels: dict[int, Kernel] = {}

    def run(self) -> None:
        """Serve until standard input closes."""
        while True:
            for key, _ in self.selector.select():
                key.data(key.fileobj)

    def accept(self, server: socket.socket) -> None:
        client, _ = server.accept()
        with contextlib.suppress(OSError, ValueError):
            request = json.loads(client.makefile().readline())
            self.fork(client, request)

    def fork(self, client: socket.socket, request: dict) -> None:
        pid = os.fork()
        if pid == 0:
            self.close_all()
            client.close()
            become_kernel(request)
        kernel = Kernel(pid, os.pidfd_open(pid), client)
        self.kernels[pid] = kernel
        self.selector.register(kernel.pidfd, selectors.EVENT_READ, lambda _: self.ended(kernel))
        self.selector.register(client, selectors.EVENT_READ, lambda _: self.released(kernel))
        client.sendall(json.dumps({"pid": pid}).encode() + b"\n")

    def ended(self, kernel: Kernel) -> None:
        """A kernel's process has ended: reap it with all that it started, and say how."""
        kill_group(kernel.pid)
        _, status = os.waitpid(kernel.pid, 0)
        self.selector.unregister(kernel.pidfd)
        os.close(kernel.pidfd)
        with contextlib.suppress(OSError):
            kernel.client.sendall(json.dumps({"exit": os.waitstatus_to_exitcode(status)}).encode() + b"\n")
        with contextlib.suppress(KeyError):
            self.selector.unregister(kernel.client)
        kernel.client.close()
        del self.kernels[kernel.pid]

    def released(self, kernel: Kernel) -> None:
        """The client has gone (it never writes again): its kernel goes too."""
        if kernel.pid not in self.kernels:
            return
        self.selector.unregister(kernel.client)
        kill_group(kernel.pid)

    def end(self, _stdin: object) -> None:
        for pid in self.kernels:
            kill_group(pid)
        os._exit(0)

    def close_all(self) -> None:
        """In a fork: let go of everything that belongs to the warm process and to other kernels."""
        self.selector.close()
        self.server.close()
        for kernel in self.kernels.values():
            os.close(kernel.pidfd)
            kernel.client.close()


def kill_group(pid: int) -> None:
    """Kill a kernel and the processes that it started."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


def become_kernel(request: dict) -> None:
    """Turn this fork into an IPython kernel; never returns."""
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.close(nothing)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        from ipykernel.kernelapp import IPKernelApp

        IPKernelApp.launch_instance(argv=request["argv"])
        status = 0
    except SystemExit as exit:
        status = exit.code if isinstance(exit.code, int) else 1
    finally:
        os._exit(status)


def preload(modules: list[str]) -> None:
    """Import the modules that exist on this machine."""
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def main() -> None:
    path, *modules = sys.argv[1:]
    # An interrupt from the terminal is for the grader, which then closes our standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    preload([*KERNEL_MODULES, *modules])
    WarmProcess(path).run()


if __name__ == "__main__":
    main()
