"""ipykernel's own shell without a kernel around it: what it shows goes into frames (see `frames.py`)."""

import builtins
import getpass
import os
import signal
import sys
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

from gradebox.kernel.frames import MAX_FRAME_SIZE, ConnectionClosedError, FrameSocket, pack_frame
from gradebox.kernel.output_streams import OutputBuffer, OutputStream


class FrameSession:
    """Stands where ipykernel has jupyter_client's Session: what the shell shows goes to a driver.

    frames: the way there; None as long as there is none.
    """

    def __init__(self) -> None:
        self.frames: FrameSocket | None = None
        self.printed = OutputBuffer(lambda name, text: self.say("stream", {"name": name, "text": text}))

    def msg(self, kind: str, content: Any = None, **more: Any) -> dict[str, Any]:
        return {"msg_type": kind, "content": content or {}, "metadata": {}, "header": {}, "parent_header": {}}

    def send(self, stream: Any, message: Any, content: Any = None, *args: Any, **more: Any) -> None:
        """What ipykernel calls to send a message, or one of this type with this content."""
        if isinstance(message, dict):
            message, content = message["msg_type"], message["content"]
        # A thread may print meanwhile.
        with self.printed.lock:
            self.printed.flush()
            self.say(message, content)

    def say(self, kind: str, content: Any) -> None:
        if self.frames and os.getpid() == self.printed.owner:
            data = pack_frame({"m": kind, "c": content})
            self.send_packed(data if len(data) <= MAX_FRAME_SIZE else pack_frame({"m": kind, "large": True}))

    def send_packed(self, data: bytes) -> None:
        """Send a frame whole: no other thread sends meanwhile, and no interrupt cuts it short."""
        assert self.frames is not None
        with self.printed.lock:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                self.frames.send_packed(data)
            except ConnectionClosedError:
                # Nobody wants to know any more.
                os._exit(0)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Hook(ZMQShellDisplayHook):
    session = Anything()


class Publisher(ZMQDisplayPublisher):
    session = Anything()


class KernelCompiler(XCachingCompiler):
    # ipykernel hashes each cell in Python, so that a debugger finds it.
    get_code_name = CachingCompiler.get_code_name


class ZMQInteractiveShell(Base):
    """ipykernel's shell, which programs know by this name."""

    displayhook_class = Type(Hook)
    display_pub_class = Type(Publisher)
    compiler_class = Type(KernelCompiler)

    def enable_gui(self, gui: Any = None) -> None:
        """There is no screen."""

    def ask_exit(self) -> None:
        """quit() ends no notebook: it would end in somebody else's cell."""


def create_shell() -> tuple[ZMQInteractiveShell, FrameSession]:
    """This process's shell, as a kernel begins with it, and standard output and error."""
    messages = FrameSession()
    config = Config(HistoryManager=Config(hist_file=":memory:"))
    sys.stdout, sys.stderr = (
        OutputStream(name, number, messages.printed) for name, number in (("stdout", 1), ("stderr", 2))
    )
    shell = ZMQInteractiveShell.instance(config=config)
    # As ipykernel's application does it: modules beside a notebook come behind Python's own.
    if "" not in sys.path:
        sys.path.insert(
            next((n for n, path in enumerate(sys.path) if is_site_packages(path)), len(sys.path)), ""
        )
    extensions: Any = InteractiveShellApp.default_extensions
    manager: Any = shell.extension_manager
    for name in extensions.default():
        manager.load_extension(name)
    # Nobody is there to debug.
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
    # The long form of a traceback takes 40 ms, for lines that the cell itself shows.
    shell.InteractiveTB.set_mode("Plain")
    return shell, messages


def is_site_packages(path: str) -> bool:
    """Whether packages that were installed are here."""
    return os.path.basename(path) in ("site-packages", "dist-packages")


def set_profile_folder(shell: ZMQInteractiveShell, scratch: str) -> None:
    """Let magics such as %cd and %store keep what they keep in this folder."""
    shell.profile_dir = ProfileDir(location=f"{scratch}/profile")


def disable_input(shell: ZMQInteractiveShell) -> None:
    """Ahead of each cell: who asks for input hears from ipykernel that nobody is there."""
    builtins.input = MethodType(Kernel.raw_input, shell.kernel)
    getpass.getpass = MethodType(Kernel.getpass, shell.kernel)
