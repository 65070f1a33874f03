"""How jupyter_client gets a warm kernel: a provisioner that asks the zygote for a fork."""

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import asdict
from pathlib import Path
from queue import Empty
from typing import Any

import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Instance, Integer, Type, Unicode, default

from gradebox.kernels.client import DRAWING, FIXED, PRELOADED, STUDENT, available, connect
from gradebox.kernels.limits import Limits

# A message from a kernel that is larger ends the connection; a notebook's outputs are far below.
LARGEST_MESSAGE = 16 * 2**20
# Messages that wait to be read; a kernel that sends faster than that has to wait, in its own memory.
MESSAGES = 100


class NotContained(RuntimeError):
    """This machine can't contain a kernel, whatever is to run in it."""


class WarmKernel:
    """A forked kernel, with as much of subprocess.Popen as jupyter_client's local provisioner uses.

    reason: the limit that it broke ("memory", "processes", "files"), once it has ended; else None.
    """

    stdin = stdout = stderr = None

    def __init__(
        self, preload: tuple[str, ...], owner: str, request: dict[str, Any], link: int | None = None
    ):
        self.client = connect(preload, owner)
        text = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self.client, [text], [] if link is None else [link])
        self.client.sendall(text[sent:])
        self.lines = self.client.makefile()
        answer = self.lines.readline()
        if not answer:
            raise RuntimeError("the process that forks kernels has ended")
        said = json.loads(answer)
        if "problem" in said:
            self.lines.close()
            self.client.close()
            raise NotContained(f"student code could not be contained on this machine: {said['problem']}")
        self.pid: int = said["pid"]
        self.returncode: int | None = None
        self.reason: str | None = None

    def poll(self) -> int | None:
        """The exit status, or None while the kernel runs. Never blocks for longer than it takes to end it."""
        if self.returncode is None and select.select([self.client], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Wait until the kernel has ended and all that it left behind is gone."""
        return self._ended(self.lines.readline()) if self.returncode is None else self.returncode

    def _ended(self, last: str) -> int:
        # Without a last word its guard is gone, and the kernel with it.
        said: dict[str, Any] = json.loads(last) if last else {"exit": -signal.SIGKILL, "reason": None}
        status: int = said["exit"]
        self.returncode, self.reason = status, said["reason"]
        self.lines.close()
        self.client.close()
        return status

    def well(self) -> bool:
        """Whether the kernel lives and keeps its limits at this moment."""
        if self.returncode is None:
            with contextlib.suppress(OSError):
                self.client.sendall(b"?")
            answer = self.lines.readline()
            if answer and "well" in json.loads(answer):
                return True
            self._ended(answer)
        return False

    def send_signal(self, signum: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signum)

    def kill(self) -> None:
        """Give up the lease; the kernel's guard does the rest."""
        if self.returncode is None:
            self.client.shutdown(socket.SHUT_WR)


class WarmProvisioner(LocalProvisioner):
    """jupyter_client's local provisioner, with a fork of the zygote in place of a new process."""

    # A WarmKernel, or None.
    process: Any = None

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        # cmd is `python -m ipykernel_launcher -f FILE ...`; what follows the module is for the kernel.
        argv = cmd[cmd.index("ipykernel_launcher") + 1 :]
        manager: Any = self.parent
        cwd = str(kwargs.get("cwd") or Path.cwd())
        request = {
            "argv": argv,
            "cwd": cwd,
            "scratch": manager.scratch or cwd,
            "env": manager.environment(kwargs.get("env") or dict(os.environ)),
            "limits": asdict(manager.limits) if manager.limits else None,
        }
        kernel = WarmKernel(manager.preload, manager.owner, request, manager.link)
        self.process = manager.kernel = kernel
        self.pid = self.pgid = kernel.pid
        return self.connection_info

    async def wait(self) -> int | None:
        """Wait for the kernel's end without polling for it."""
        if self.process is None:
            return 0
        await self.ended()
        status = self.process.wait()
        self.process = None
        return status

    async def ended(self) -> None:
        if self.process.returncode is None:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            loop.add_reader(self.process.client, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(self.process.client)

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel, and return when it has ended: the manager would look for that every 0.1 s."""
        if self.process:
            self.process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.ended(), 5)

    async def terminate(self, restart: bool = False) -> None:
        await self.kill(restart)


class WarmKernelClient(AsyncKernelClient):
    """jupyter_client's client, which is ready as soon as the kernel is.

    Its base waits for 0.2 s of silence. The kernel's "idle" after an answer says as much: what came before
    it has come.
    """

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        """Raises RuntimeError if the kernel dies, or has not answered after `timeout` seconds."""
        end = time.monotonic() + (timeout or 60)
        while time.monotonic() < end:
            if not await self._async_is_alive():
                raise RuntimeError("the kernel died before it was ready")
            asked = self.kernel_info()
            with contextlib.suppress(Empty):
                while True:
                    message = await self._async_get_iopub_msg(timeout=0.05)
                    idle = message["content"].get("execution_state") == "idle"
                    if idle and message["parent_header"].get("msg_id") == asked:
                        self._handle_kernel_info_reply(await self._async_get_shell_msg(timeout=5))
                        return
        raise RuntimeError("the kernel was not ready in time")

    wait_for_ready = _async_wait_for_ready


class WarmKernelManager(AsyncKernelManager):
    """Starts Python kernels warm; kernels of other languages as ever.

    owner: whose kernel it is. preload: modules that the zygote imports. scratch: the folder that the
    kernel's sockets are in, and with `limits` the only one that it can write to. limits: what it may use;
    None for no sandbox. link: the descriptor of a socket for the kernel. kernel: the kernel that was forked,
    once there is one.
    """

    client_factory = Type(WarmKernelClient)
    preload: tuple[str, ...] = PRELOADED
    owner = Unicode(STUDENT)
    scratch = Unicode()
    limits = Instance(Limits, allow_none=True)
    kernel = Instance(WarmKernel, allow_none=True)
    link = Integer(None, allow_none=True)

    def environment(self, grader: dict[str, str]) -> dict[str, str]:
        """The environment of a kernel: in a sandbox nothing of the grader's, else all but its own marks.

        No variable tells that this is the grader. JPY_PARENT_PID would have the kernel look for a parent
        that it doesn't have; its lease ends it instead.
        """
        hidden = ("NBGRADER_", "GRADEBOX_", "JPY_")
        if not self.limits:
            return {name: value for name, value in grader.items() if not name.startswith(hidden)} | FIXED
        home = self.scratch
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "USER": "student",
            "LOGNAME": "student",
            **{
                name: home for name in ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
            },
            **DRAWING,
            **FIXED,
        }

    async def _async_pre_start_kernel(self, **kwargs: Any) -> Any:
        if self.warm():
            spec: Any = self.kernel_spec
            spec.metadata["kernel_provisioner"] = {"provisioner_name": "gradebox-warm"}
            if self.scratch:
                # Sockets in the scratch folder: a sandbox has no network, and ports can be taken.
                self.transport = "ipc"
                self.connection_file = str(Path(self.scratch) / "kernel.json")
                self.ip = str(Path(self.scratch) / "kernel")
        return await super()._async_pre_start_kernel(**kwargs)

    pre_start_kernel = _async_pre_start_kernel

    def warm(self) -> bool:
        """Whether this kernel is a Python kernel on a system that can fork one."""
        spec = self.kernel_spec
        return available() and spec is not None and "ipykernel_launcher" in spec.argv

    @default("context")
    def _context_default(self) -> zmq.asyncio.Context:
        context = super()._context_default()
        context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)
        context.setsockopt(zmq.RCVHWM, MESSAGES)
        return context
