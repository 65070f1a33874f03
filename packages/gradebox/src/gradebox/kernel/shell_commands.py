"""Run the shell commands of cells (`!command`, `%pip`, `%ls`) over a pipe; the kernel's shell calls this.

IPython runs these commands in a pseudo-terminal, which the sandbox does not have.
"""

import codecs
import os
import re
import select
import shutil
import signal
import socket
import subprocess
from contextlib import suppress

# Exit codes of shells: of a command that can't be started; and the base for commands that a signal has ended.
CANNOT_START = 126
SIGNAL_EXIT_BASE = 128
READ_CHUNK_SIZE = 2**16
# Milliseconds between two checks for the end of a command whose background processes keep the pipe open.
POLL_INTERVAL = 50
NEEDS_NETWORK = re.compile(r"\b(apt|apt-get|conda|curl|gdown|git|mamba|micromamba|pip3?|uv|wget)\b")
NO_NETWORK = "There is no network during grading: nothing can be installed or downloaded. The cell continues."


def run_shell_command(command: str) -> int:
    """Run a command, and print its stdout and stderr to `sys.stdout` as they arrive.

    Return the exit code, as IPython does: negative for the signal that ended the command. No error is raised
    if the command fails or can't be started. An interrupt kills the command and raises KeyboardInterrupt.
    """
    try:
        process = subprocess.Popen(
            command,
            shell=True,
            executable=shutil.which(os.environ.get("SHELL") or "bash") or "/bin/sh",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # The output of a Python program appears in the order in which a terminal shows it.
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            # A separate process group, so that an interrupt also kills the command's children.
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        print(f"The command could not be started: {error}")
        return CANNOT_START
    try:
        print_output(process)
        code = process.wait()
    except BaseException:
        # Some sandboxes forbid signals; there, the command ends with the kernel.
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    if code and NEEDS_NETWORK.search(command) and not has_network():
        print(NO_NETWORK)
    return SIGNAL_EXIT_BASE - code if code > SIGNAL_EXIT_BASE else code


def print_output(process: subprocess.Popen) -> None:
    """Print the output of a process until it ends; background processes may continue after that."""
    assert process.stdout is not None
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with process.stdout as pipe:
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        while True:
            if poll.poll(POLL_INTERVAL):
                data = os.read(pipe.fileno(), READ_CHUNK_SIZE)
                print(decoder.decode(data, final=not data), end="", flush=True)
                if not data:
                    break
            elif process.poll() is not None:
                break


def has_network() -> bool:
    """Return True if this process can open internet sockets, which the sandbox forbids."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    except OSError:
        return False
    return True
