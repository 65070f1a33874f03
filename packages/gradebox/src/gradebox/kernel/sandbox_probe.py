"""Probe of the sandbox mechanisms of this machine: each is entered and attacked, not assumed to work.

`python -m gradebox.kernel.sandbox_probe` prints the results as JSON; the zygote calls `probe_machine`. The
attacks are those that a hostile notebook would try first; `tests/sandbox/test_sandbox.py` has many more.
"""

import contextlib
import errno
import json
import os
import platform
import select
import signal
import socket
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from gradebox.kernel.zygote_client import can_fork_kernels
from gradebox.sandbox import landlock, libc
from gradebox.sandbox.probe_results import (
    CLEAN_UP,
    FILES,
    GUARANTEES,
    LIMITS,
    NETWORK,
    PROCESSES,
    MechanismResult,
    ProbeResult,
)
from gradebox.sandbox.resource_monitor import get_resident_memory, iterate_descendants
from gradebox.sandbox.rlimits import ResourceLimits
from gradebox.sandbox.sandbox import Sandbox, SandboxMechanism, list_mechanisms
from gradebox.sandbox.scratch_folder import create_scratch_folder
from gradebox.sandbox.supervisor import (
    KernelStartError,
    StartedKernel,
    enter_sandbox,
    kill_kernel_processes,
    spawn_kernel,
)

# Enough for a kernel, and small enough to be exhausted quickly.
PROBE_LIMITS = ResourceLimits(memory=2**28, files=2**20)
SUPPORTED_ARCHITECTURES = ("x86_64", "aarch64")
# A file that is readable in any sandbox, and that the grader usually owns.
READABLE_FILE = os.path.join(sys.prefix, "pyvenv.cfg") if sys.prefix != sys.base_prefix else os.__file__
# Seconds for the attacks on one mechanism.
PROBE_TIMEOUT = 20


class ProbeTargets:
    """Files, sockets and a process of the grader that a kernel must not reach."""

    def __init__(self, folder: Path):
        self.folder, self.mine, self.unwanted = folder, folder / "mine", folder / "unwanted"
        for path in (self.mine, self.unwanted):
            path.write_text("content")
            path.chmod(0o600)
        self.stream, self.abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self.stream.bind(str(folder / "socket"))
        self.abstract.bind(f"\0{folder}")
        self.tcp, self.udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        for listening in (self.tcp, self.udp):
            listening.bind(("127.0.0.1", 0))
        for listening in (self.stream, self.abstract, self.tcp):
            listening.listen()
        self.victim = os.fork()
        if self.victim == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
                time.sleep(10 * PROBE_TIMEOUT)
            finally:
                os._exit(0)

    def close(self) -> None:
        for listening in (self.stream, self.abstract, self.tcp, self.udp):
            listening.close()
        with contextlib.suppress(OSError):
            os.kill(self.victim, signal.SIGKILL)
            os.waitpid(self.victim, 0)

    def find_violations(self) -> Iterator[tuple[str, str]]:
        """Yield each violation as a guarantee and a phrase that completes "student code could ..."."""
        if self.mine.stat().st_size == 0 or not self.unwanted.exists():
            yield FILES, "change your files"
        if stat.S_IMODE(self.mine.stat().st_mode) != 0o600:
            yield FILES, "change file modes"
        if os.waitpid(self.victim, os.WNOHANG)[0]:
            yield PROCESSES, "signal other processes"


def list_attacks(
    outside: ProbeTargets, scratch: str, fixed: bool
) -> list[tuple[str, str, Callable[[], object]]]:
    """Return the attacks that must fail.

    Each is a guarantee that the attack would break, a phrase that completes "student code could ...", and a
    function. fixed: True if there is a root of bind mounts with a scratch folder of fixed size.
    """

    def connect(place: str) -> None:
        socket.socket(socket.AF_UNIX).connect(place)

    def get_a_name(name: str) -> None:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(name)
            listening.listen()

    def list_addresses() -> None:
        import fcntl

        # SIOCGIFCONF without a buffer: only the size of the list is returned.
        with socket.socket(socket.AF_UNIX) as any_socket:
            fcntl.ioctl(any_socket, 0x8912, bytes(16))

    def signal_by_socket() -> None:
        # Not available on Windows, where this module is imported, too.
        import fcntl

        one, other = socket.socketpair()
        fcntl.fcntl(one, fcntl.F_SETOWN, outside.victim)
        # F_SETSIG
        fcntl.fcntl(one, 10, signal.SIGTERM)
        fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC)
        other.send(b"x")
        # The call does not report its effect; `find_violations` checks whether the process has ended.
        raise OSError(errno.EPERM, "see ProbeTargets.find_violations")

    def mark() -> None:
        import fcntl

        # Set the flags that were read (FS_IOC_GETFLAGS, FS_IOC_SETFLAGS), so that nothing changes.
        with open(READABLE_FILE) as file:
            flags = fcntl.ioctl(file, 0x80086601, bytes(8))
            fcntl.ioctl(file, 0x40086602, flags)

    def trace() -> None:
        libc.call("ptrace", 16, outside.victim, 0, 0)
        os.waitpid(outside.victim, 0)

    def allocate() -> None:
        try:
            bytearray(4 * PROBE_LIMITS.memory)
        except MemoryError as error:
            raise OSError(errno.ENOMEM, "no more memory") from error

    def write_much() -> None:
        with open(f"{scratch}/large", "wb", buffering=0) as file:
            for _ in range(4):
                file.write(bytes(PROBE_LIMITS.files // 2))

    def make() -> None:
        open(outside.folder / "new", "w").close()

    def look(what: str) -> None:
        open(f"/proc/{outside.victim}/{what}").close()

    def make_device() -> None:
        os.mknod(f"{scratch}/device", stat.S_IFCHR | 0o600, os.makedev(1, 5))

    def send_datagram() -> None:
        socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", outside.udp.getsockname())

    def hold_much() -> None:
        kept = []
        for _ in range(8):
            kept.append(open(f"{scratch}/deleted", "wb", buffering=0))
            os.remove(f"{scratch}/deleted")
            # A full file system writes only a part.
            if kept[-1].write(bytes(PROBE_LIMITS.files // 4)) < PROBE_LIMITS.files // 4:
                raise OSError(errno.ENOSPC, "no space left")

    mine, victim = str(outside.mine), outside.victim
    only_there = [
        (FILES, "read metadata of your files", lambda: os.stat(mine)),
        (LIMITS, "keep more data in deleted files than the limit", hold_much),
    ]
    return [
        *(only_there if fixed else []),
        (FILES, "read your files", lambda: open(mine).close()),
        (FILES, "write to your files", lambda: open(mine, "r+").close()),
        (FILES, "create files in your folders", make),
        (FILES, "change attributes of readable files", mark),
        (FILES, "truncate files", lambda: os.truncate(mine, 0)),
        (FILES, "truncate files", lambda: os.open(mine, os.O_RDONLY | os.O_TRUNC)),
        (FILES, "truncate files", lambda: os.open(mine, 3 | os.O_TRUNC)),
        (FILES, "delete your files", lambda: os.remove(outside.unwanted)),
        (FILES, "create device files", make_device),
        (PROCESSES, "signal other processes", lambda: os.kill(victim, signal.SIGTERM)),
        (PROCESSES, "signal other processes", lambda: os.kill(os.getppid(), signal.SIGCONT)),
        (PROCESSES, "signal other processes", signal_by_socket),
        (PROCESSES, "trace other processes", trace),
        (PROCESSES, "inspect other processes", lambda: look("environ")),
        (PROCESSES, "read command lines of other processes", lambda: look("cmdline")),
        (NETWORK, "reach the network", lambda: socket.create_connection(outside.tcp.getsockname(), 2)),
        (NETWORK, "send datagrams", send_datagram),
        (NETWORK, "reach other sockets", lambda: connect(outside.stream.getsockname())),
        (NETWORK, "reach other sockets", lambda: connect(outside.abstract.getsockname().decode())),
        (NETWORK, "accept connections from outside", lambda: get_a_name(f"\0{scratch}")),
        (NETWORK, "accept connections from outside", lambda: get_a_name(f"{scratch}/socket")),
        (NETWORK, "list network addresses", list_addresses),
        (LIMITS, "use more memory than the limit", allocate),
        (LIMITS, "write larger files than the limit", write_much),
    ]


def check_basic_operations(scratch: str) -> None:
    """Do what every notebook does. Raises OSError or RuntimeError if an operation fails."""
    for module in (os, psutil):
        open(str(module.__file__)).close()
    open(f"{scratch}/new", "w").close()
    os.mkdir(f"{scratch}/folder")
    os.rename(f"{scratch}/new", f"{scratch}/renamed")
    open("/dev/null", "w").close()
    for end in socket.socketpair():
        end.close()
    started = [threading.Thread(target=time.sleep, args=(0.01,)) for _ in range(12)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def leave_process_behind() -> None:
    """Leave a process behind that keeps the descriptors of this process open."""
    between = os.fork()
    if between == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(10 * PROBE_TIMEOUT)
        os._exit(0)
    os.waitpid(between, 0)


def run_attacks(sandbox: Sandbox, outside: ProbeTargets, scratch: str, say: int, ready: int) -> None:
    """Run all attacks in a kernel and write the successful ones to `say` as JSON. Never returns."""
    try:
        enter_sandbox(sandbox, scratch, PROBE_LIMITS, ready)
        os.close(ready)
        try:
            check_basic_operations(scratch)
        except (OSError, RuntimeError) as error:
            said: dict[str, Any] = {
                "problem": f"a basic notebook operation fails in the sandbox ({libc.format_os_error(error)})"
            }
        else:
            tries = list_attacks(outside, scratch, sandbox.rung.namespaces)
            said = {
                "broken": [(promise, what) for promise, what, attempt in tries if attack_succeeds(attempt)]
            }
            leave_process_behind()
        os.write(say, json.dumps(said).encode() + b"\n")
        # Stay alive until the guard has checked this process.
        time.sleep(10 * PROBE_TIMEOUT)
    finally:
        os._exit(0)


def attack_succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def supervise_probe(
    rung: SandboxMechanism, folder: str, outside: ProbeTargets, scratch: str, say: int
) -> None:
    """Probe a mechanism as the guard of a kernel and write the result to `say` as JSON. Never returns."""
    reader, writer = os.pipe()
    try:
        sandbox = Sandbox(rung, folder)
        started = spawn_kernel(sandbox, scratch, partial(run_attacks, sandbox, outside, scratch, writer))
        os.close(writer)
        said: dict[str, Any] = {"problem": "the probe did not finish in time"}
        if select.select([reader], [], [], PROBE_TIMEOUT)[0]:
            with open(reader) as lines:
                text = lines.readline()
            said = json.loads(text) if text else {"problem": "the probe's process was killed"}
        if "broken" in said and not is_memory_visible(started):
            said["broken"].append((LIMITS, "use memory that is not counted"))
        kill_kernel_processes(started)
        sandbox.left(scratch)
    except (KernelStartError, OSError, RuntimeError, ValueError, ImportError) as error:
        said = {"problem": libc.format_os_error(error)}
    try:
        os.write(say, json.dumps(said).encode())
    finally:
        os._exit(0)


def is_memory_visible(started: StartedKernel) -> bool:
    """Return True if the memory of a kernel and of its leftover process can be measured from here.

    There are three processes: the first one of the kernel's namespace, the kernel, and the leftover process.
    """
    found = list(iterate_descendants(os.getpid()))
    return started.kernel in found and len(found) >= 3 and all(map(get_resident_memory, found))


def probe_mechanism(rung: SandboxMechanism) -> MechanismResult:
    """Enter a mechanism in a throwaway process and test its guarantees."""
    with (
        tempfile.TemporaryDirectory() as around,
        create_scratch_folder({}) as folder,
        closing(ProbeTargets(Path(around))) as outside,
    ):
        reader, writer = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reader)
            supervise_probe(rung, around, outside, str(folder), writer)
        os.close(writer)
        os.waitpid(process, 0)
        with open(reader, "rb", buffering=0) as pipe:
            said = json.loads(pipe.read(2**16) or '{"problem": "the probe was killed"}')
            # A process that a kernel has left behind keeps the other end open.
            left = not select.select([pipe], [], [], 2)[0]
        if "problem" in said:
            return MechanismResult(rung, said["problem"])
        broken = [
            *map(tuple, said["broken"]),
            *outside.find_violations(),
            *[(CLEAN_UP, "keep running after the kernel has ended")] * left,
        ]
        return MechanismResult(
            rung,
            broken={
                promise: sorted({what for kind, what in broken if kind == promise})
                for promise in GUARANTEES
                if any(kind == promise for kind, _ in broken)
            },
        )


def probe_machine() -> ProbeResult:
    """Probe the mechanisms of this machine, strongest first, up to the first that keeps all guarantees.

    Must be called in a process with a single thread.
    """
    if not sys.platform.startswith("linux"):
        return ProbeResult(
            general=f"the sandbox needs Linux, and this is {platform.system() or sys.platform}"
        )
    if platform.machine() not in SUPPORTED_ARCHITECTURES:
        known = " and ".join(SUPPORTED_ARCHITECTURES)
        return ProbeResult(general=f"the sandbox supports {known}, and this is {platform.machine()}")
    if not can_fork_kernels():
        return ProbeResult(general="the sandbox needs Linux 5.3 or newer (process descriptors)")
    try:
        import pyseccomp  # noqa: F401
    except (ImportError, RuntimeError, OSError) as error:
        return ProbeResult(
            general=f"libseccomp can't be loaded ({error}): install it (Debian and Ubuntu: libseccomp2)"
        )
    rungs = list_mechanisms()
    if not rungs:
        return ProbeResult(general=f"the sandbox needs Landlock: {landlock.explain_unavailable()}")
    findings = []
    for rung in rungs:
        findings.append(probe_mechanism(rung))
        if findings[-1].whole:
            break
    return ProbeResult(tuple(findings))


if __name__ == "__main__":
    print(probe_machine().text())
