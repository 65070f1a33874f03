"""How jupyter_client gets a warm kernel: a provisioner that asks the warm process for a fork."""

import asyncio
import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner

PRELOADED = ("numpy", "matplotlib.pyplot", "torch")
# One thread each, and one order of sets and dicts: the same results at any load and on any machine.
FIXED = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


def available() -> bool:
    """Whether this system can fork warm kernels (Linux, with process descriptors)."""
    return hasattr(os, "pidfd_open")


class WarmServer:
    """The warm process of this grader, started when the first kernel is asked for."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
        self.path = self.folder / "warm"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gradebox.kernels.warm", str(self.path), *PRELOADED],
            stdin=subprocess.PIPE,
            env={**os.environ, **FIXED, "MPLBACKEND": "module://matplotlib_inline.backend_inline"},
            cwd=self.folder,
        )
        atexit.register(self.close)

    def connect(self, seconds: float = 120) -> socket.socket:
        """A connection for one kernel. Raises RuntimeError if the warm process has not come up."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(self.path))
                return client
            except (FileNotFoundError, ConnectionRefusedError):
                client.close()
                time.sleep(0.02)
        raise RuntimeError("the process that forks kernels did not start")

    def close(self) -> None:
        """End the warm process and all of its kernels."""
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


_servers: dict[int, WarmServer] = {}


def server() -> WarmServer:
    """This process's warm server (a fork of a grader starts its own)."""
    pid = os.getpid()
    if pid not in _servers or _servers[pid].process.poll() is not None:
        _servers[pid] = WarmServer()
    return _servers[pid]


class WarmKernel:
    """A forked kernel, with as much of subprocess.Popen as jupyter_client's local provisioner uses."""

    stdin = stdout = stderr = None

    def __init__(self, argv: list[str], cwd: str, env: dict[str, str]):
        self.client = server().connect()
        self.client.sendall(json.dumps({"argv": argv, "cwd": cwd, "env": env}).encode() + b"\n")
        self.lines = self.client.makefile()
        self.pid: int = json.loads(self.lines.readline())["pid"]
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.client.settimeout(0)
            try:
                ended = self.client.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                return None
            except OSError:
                ended = b""
            finally:
                self.client.settimeout(None)
            self._finish(bool(ended))
        return self.returncode

    def wait(self) -> int:
        if self.returncode is None:
            self._finish(True)
        return self.returncode

    def _finish(self, told: bool) -> None:
        line = self.lines.readline() if told else ""
        # Without a last word the warm process itself is gone, and its kernels with it.
        self.returncode = json.loads(line)["exit"] if line else -signal.SIGKILL
        self.lines.close()
        self.client.close()

    def send_signal(self, signum: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class WarmProvisioner(LocalProvisioner):
    """jupyter_client's local provisioner, with a fork of the warm process in place of a new process."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        # cmd is `python -m ipykernel_launcher -f FILE ...`; what follows the module is for the kernel.
        argv = cmd[cmd.index("ipykernel_launcher") + 1 :]
        env = {**(kwargs.get("env") or os.environ), **FIXED}
        # A kernel that polls for its parent would look at the wrong one; its lease ends it instead.
        env.pop("JPY_PARENT_PID", None)
        self.cwd = str(kwargs.get("cwd") or Path.cwd())
        self.process = WarmKernel(argv, self.cwd, env)
        self.pid = self.pgid = self.process.pid
        return self.connection_info

    async def wait(self) -> int | None:
        if self.process is None:
            return 0
        status = await asyncio.get_running_loop().run_in_executor(None, self.process.wait)
        self.process = None
        return status


class WarmKernelManager(AsyncKernelManager):
    """Starts Python kernels warm; kernels of other languages as ever."""

    async def _async_pre_start_kernel(self, **kwargs: Any) -> Any:
        if available() and "ipykernel_launcher" in self.kernel_spec.argv:
            self.kernel_spec.metadata["kernel_provisioner"] = {"provisioner_name": "gradebox-warm"}
        return await super()._async_pre_start_kernel(**kwargs)

    pre_start_kernel = _async_pre_start_kernel
