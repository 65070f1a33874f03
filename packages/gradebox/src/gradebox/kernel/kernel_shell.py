"""ipykernel's shell without ipykernel's kernel: its output is sent as frames (see `frames.py`)."""

from __future__ import annotations

import builtins
import getpass
import os
import signal
import sys
from pathlib import Path
from types import MethodType, SimpleNamespace
from typing import Any

from ipykernel.compiler import XCachingCompiler
from ipykernel.displayhook import ZMQShellDisplayHook
from ipykernel.kernelbase import Kernel
from ipykernel.zmqshell import ZMQDisplayPublisher
from ipykernel.zmqshell import ZMQInteractiveShell as Base
from IPython.core.compilerop import CachingCompiler
from IPython.core.profiledir import ProfileDir
from IPython.core.shellapp import InteractiveShellApp
from traitlets import Any as Anything
from traitlets import Type
from traitlets.config import Config

from gradebox.kernel.colab_stub import ColabImports
from gradebox.kernel.frames import MAX_FRAME_SIZE, ConnectionClosedError, FrameSocket, pack_frame
from gradebox.kernel.output_streams import OutputBuffer, OutputStream
from gradebox.kernel.shell_commands import run_shell_command

# Arguments of %matplotlib that need no screen and no browser.
STATIC_BACKENDS = {"agg", "cairo", "inline", "pdf", "pgf", "ps", "svg", "template"}


class FrameSession:
    """Replacement for jupyter_client's Session that sends the shell's output to a driver.

    frames: the socket to the driver; None without a driver.
    """

    def __init__(self) -> None:
        self.frames: FrameSocket | None = None
        self.printed = OutputBuffer(lambda name, text: self.say("stream", {"name": name, "text": text}))

    def msg(self, kind: str, content: Any = None, **more: Any) -> dict[str, Any]:
        return {"msg_type": kind, "content": content or {}, "metadata": {}, "header": {}, "parent_header": {}}

    def send(self, stream: Any, message: Any, content: Any = None, *args: Any, **more: Any) -> None:
        """Send a message that ipykernel passes as a dict, or as a type with its content."""
        if isinstance(message, dict):
            message, content = message["msg_type"], message["content"]
        # Another thread may print at the same time.
        with self.printed.lock:
            self.printed.flush()
            self.say(message, content)

    def say(self, kind: str, content: Any) -> None:
        if self.frames and os.getpid() == self.printed.owner:
            data = pack_frame({"m": kind, "c": content})
            self.send_packed(data if len(data) <= MAX_FRAME_SIZE else pack_frame({"m": kind, "large": True}))

    def send_packed(self, data: bytes) -> None:
        """Send a frame atomically: other threads wait, and interrupts are blocked."""
        assert self.frames is not None
        with self.printed.lock:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                self.frames.send_packed(data)
            except ConnectionClosedError:
                # The driver is gone.
                os._exit(0)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Hook(ZMQShellDisplayHook):
    session = Anything()


class Publisher(ZMQDisplayPublisher):
    session = Anything()


class KernelCompiler(XCachingCompiler):
    # ipykernel's version hashes each cell in Python, only for its debugger.
    get_code_name = CachingCompiler.get_code_name


class ZMQInteractiveShell(Base):
    """ipykernel's shell, under the class name that programs look for."""

    displayhook_class = Type(Hook)
    display_pub_class = Type(Publisher)
    compiler_class = Type(KernelCompiler)

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: a kernel has no screen."""

    def enable_matplotlib(self, gui: str | None = None) -> Any:
        """Select a backend of Matplotlib; `inline` in place of interactive backends such as `widget`."""
        return super().enable_matplotlib(gui if (gui or "").lower() in STATIC_BACKENDS else "inline")

    def init_magics(self) -> None:
        super().init_magics()
        if not Path(sys.prefix, "conda-meta", "history").exists():
            # Without conda, IPython's magics raise ValueError, which would end the cell.
            for name in ("conda", "mamba", "micromamba"):
                self.magics_manager.register_function(
                    lambda line, name=name: self.system(f"{name} {line}"), magic_name=name
                )

    def system_piped(self, cmd: str) -> None:
        """Run a shell command and store its exit code in `_exit_code`."""
        self.user_ns["_exit_code"] = run_shell_command(self.var_expand(cmd, depth=1))

    system = system_piped

    def ask_exit(self) -> None:
        """Ignore quit(): otherwise the notebook would end during a later cell."""


def create_shell() -> tuple[ZMQInteractiveShell, FrameSession]:
    """Create this process's shell and its session.

    The shell is in the initial state of a kernel. Replaces `sys.stdout` and `sys.stderr`.
    """
    messages = FrameSession()
    config = Config(HistoryManager=Config(hist_file=":memory:"))
    sys.stdout, sys.stderr = (
        OutputStream(name, number, messages.printed) for name, number in (("stdout", 1), ("stderr", 2))
    )
    shell = ZMQInteractiveShell.instance(config=config)
    # As in ipykernel's application: modules next to a notebook come after Python's own modules.
    if "" not in sys.path:
        sys.path.insert(
            next((n for n, path in enumerate(sys.path) if is_site_packages(path)), len(sys.path)), ""
        )
    extensions: Any = InteractiveShellApp.default_extensions
    manager: Any = shell.extension_manager
    for name in extensions.default():
        manager.load_extension(name)
    shell.ast_transformers.append(ColabImports())
    # No user is present to debug.
    sys.breakpointhook = lambda *args, **more: None
    for shows, topic in ((shell.displayhook, b"execute_result"), (shell.display_pub, b"display_data")):
        shows.session, shows.pub_socket, shows.topic = messages, None, topic
    shell.kernel = SimpleNamespace(
        shell=shell,
        session=messages,
        eventloop=None,
        _allow_stdin=False,
        get_parent=lambda *args: {},
        _parent_header={},
    )
    # The long form of a traceback takes 40 ms and repeats lines that the cell shows.
    shell.InteractiveTB.set_mode("Plain")
    return shell, messages


def is_site_packages(path: str) -> bool:
    """Return True if this is a folder of installed packages."""
    return os.path.basename(path) in ("site-packages", "dist-packages")


def set_profile_folder(shell: ZMQInteractiveShell, scratch: str) -> None:
    """Set the folder in which magics such as %cd and %store keep their data."""
    shell.profile_dir = ProfileDir(location=f"{scratch}/profile")


def disable_input(shell: ZMQInteractiveShell) -> None:
    """Install ipykernel's input functions, which raise an error without a user.

    Called before each cell.
    """
    builtins.input = MethodType(Kernel.raw_input, shell.kernel)
    getpass.getpass = MethodType(Kernel.getpass, shell.kernel)
