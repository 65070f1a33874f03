"""What student code can't reach, can't use up and can't leave behind."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from textwrap import indent

import psutil
import pytest
from helpers import (
    LESSON,
    PROBED,
    contained,
    grade,
    graded,
    hand_in,
    notebook,
    points_of,
    sample,
    sample_solved,
    with_settings,
)
from nbformat.v4 import new_code_cell
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.course_secret import load_course_secret
from gradebox.execute.detect_test_modes import RECORDS_FILE
from gradebox.kernel import zygote_client
from gradebox.notebook_exercises import serialize_notebook
from gradebox.sandbox import scratch_folder

pytestmark = contained

# Whether there is a root of binds, and a scratch folder of fixed size.
NAMESPACES = bool(PROBED.best) and PROBED.best.rung.namespaces
# What an attempt finds in its namespace besides the places of its course.
TOOLS = """\
import ctypes, fcntl, os, resource, signal, socket, struct, sys, tempfile
libc = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def claim(true):
    if not true:
        raise PermissionError("it had no effect")

def read(path):
    with open(path, "rb") as file:
        claim(file.read(1))

def create(path):
    with open(path, "w") as file:
        file.write("planted")

def lock_twice(lock):
    with open(os.devnull, "w") as one, open(os.devnull, "w") as other:
        lock(one)
        try:
            lock(other)
        except BlockingIOError:
            return
    claim(False)

def in_child(function):
    child = os.fork()
    if child == 0:
        try:
            function()
            os._exit(0)
        finally:
            os._exit(1)
    claim(os.waitpid(child, 0)[1] == 0)
"""
# Each ends without an error if it got what it wanted, and with an OSError if it was kept from it.
# Not all file systems have marks, and not everybody owns Python. What FS_IOC_GETFLAGS says is set again.
MARK = (
    "with open(sys.prefix + '/pyvenv.cfg') as file:\n"
    "    flags = fcntl.ioctl(file, 0x80086601, bytes(8))\n"
    "    fcntl.ioctl(file, 0x40086602, flags)"
)
OWN_MEMORY = "find the grader's environment in its own memory"
ATTEMPTS = {
    "read the solutions": "read(solution)",
    "read the released notebook": "read(released_notebook)",
    "read the gradebook": "read(gradebook)",
    "read a classmate's submission": "read(classmate)",
    "read its own notebook with the hidden tests": "read(sanitised)",
    "read it through a link": "os.symlink(sanitised, 'link')\nread('link')",
    "give the gradebook a name in the working folder": "os.link(gradebook, 'other-name')",
    "list the home folder": "os.listdir(home)",
    "list the course folder": "os.listdir(course)",
    "list it from inside": (
        "here = os.getcwd()\nos.chdir(course)\ntry:\n    os.listdir('.')\nfinally:\n    os.chdir(here)"
    ),
    "read the names of the users": "read('/etc/passwd')",
    "read the environment of the grader": "read(f'/proc/{grader}/environ')",
    "read the environment of another process": "read(f'/proc/{bystander}/environ')",
    "read the environment of its parent": "read(f'/proc/{os.getppid()}/environ')",
    "read the memory of its parent": "os.close(os.open(f'/proc/{os.getppid()}/mem', os.O_RDWR))",
    "list the processes": "os.listdir('/proc')",
    "find secrets in its environment": (
        "marks = ('NBGRADER_', 'GRADEBOX_', 'JPY_', 'SECRET')\n"
        "claim([name for name in os.environ if name.startswith(marks)])"
    ),
    OWN_MEMORY: (
        "at = ctypes.c_void_p.in_dll(libc, '__libc_stack_end').value\n"
        "at = ctypes.c_void_p.from_address(at + 8).value\n"
        "found = set()\n"
        "while text := ctypes.string_at(at):\n"
        "    found.add(text)\n"
        "    at += len(text) + 1\n"
        "claim(f'HOME={home}'.encode() in found)"
    ),
    "ask when the gradebook was changed": "os.stat(gradebook)",
    "ask whether a classmate has handed in": "os.stat(classmate)",
    "go to the course folder": "here = os.getcwd()\nos.chdir(course)\nos.chdir(here)",
    "write to the gradebook": "open(gradebook, 'r+b').close()",
    "cut the gradebook short": "os.truncate(gradebook, os.path.getsize(gradebook))",
    "cut a file of the course short by opening it to read": (
        "os.close(os.open(f'{course}/long', os.O_RDONLY | os.O_TRUNC))\n"
        "claim(os.path.getsize(f'{course}/long') == 0)"
    ),
    "cut one short by opening it to do neither": (
        "os.close(os.open(f'{course}/longer', 3 | os.O_TRUNC))\n"
        "claim(os.path.getsize(f'{course}/longer') == 0)"
    ),
    "make a device": "os.mknod('device', 0o20600, os.makedev(1, 5))\nread('device')",
    "write to the course folder": "create(f'{course}/planted')",
    "write beside its scratch folder": "create(f'{outside}/planted')",
    "make a folder beside its scratch folder": "tempfile.mkdtemp(dir=outside)",
    "delete a file of the course": "os.remove(f'{course}/unwanted')",
    "write to Python's packages": "open(os.__file__, 'r+b').close()",
    "change the gradebook's mode": (
        "os.chmod(gradebook, 0o666)\nclaim(os.stat(gradebook).st_mode & 0o777 == 0o666)"
    ),
    "change the gradebook's time": "os.utime(gradebook, (1, 1))\nclaim(os.stat(gradebook).st_mtime == 1)",
    "change the mode of an open file of Python's": (
        "with open(os.__file__) as file:\n"
        "    before = os.fstat(file.fileno())\n"
        "    os.fchmod(file.fileno(), before.st_mode & 0o777)\n"
        "    claim(os.fstat(file.fileno()).st_ctime_ns != before.st_ctime_ns)"
    ),
    "change the owner of an open file of Python's": (
        "with open(os.__file__) as file:\n"
        "    before = os.fstat(file.fileno())\n"
        "    os.fchown(file.fileno(), before.st_uid, before.st_gid)\n"
        "    claim(os.fstat(file.fileno()).st_ctime_ns != before.st_ctime_ns)"
    ),
    "mark a file of Python's": MARK,
    "have memory that nobody counts": (
        "reader, writer = os.pipe()\n"
        "part = ctypes.create_string_buffer(16)\n"
        "vector = (ctypes.c_size_t * 2)(ctypes.addressof(part), 16)\n"
        "call('vmsplice', writer, vector, 1, 0)"
    ),
    "live on without its guard": "call('prctl', 1, 0, 0, 0, 0)",
    "hide from its guard": "call('prctl', 4, 1, 0, 0, 0)",
    "connect to a server": "socket.create_connection(('127.0.0.1', tcp), 2).close()",
    "send a datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', udp))",
    "connect to a Unix socket": "socket.socket(socket.AF_UNIX).connect(unix)",
    "connect to an abstract socket": "socket.socket(socket.AF_UNIX).connect(abstract)",
    "send a datagram to a Unix socket": (
        "sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\nsender.sendto(b'x', unix_datagrams)"
    ),
    "be connected to by an abstract name": (
        "server = socket.socket(socket.AF_UNIX)\nserver.bind('\\0' + os.getcwd())\nserver.listen()"
    ),
    "be connected to by an abstract name that the system chooses": (
        "server = socket.socket(socket.AF_UNIX)\nserver.bind('')\nserver.listen()"
    ),
    "be connected to by a path": (
        "server = socket.socket(socket.AF_UNIX)\nserver.bind('named')\nserver.listen()"
    ),
    "give one end of a pair a name": "one, other = socket.socketpair()\none.bind('\\0pair' + os.getcwd())",
    "ask for the machine's addresses": "fcntl.ioctl(socket.socket(socket.AF_UNIX), 0x8912, bytes(16))",
    "ask the system about its network": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()",
    "lock a file of the machine": "lock_twice(lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))",
    "lock a part of a file of the machine": (
        "whole = struct.pack('hhqqi4x', fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)\n"
        "lock_twice(lambda file: fcntl.fcntl(file, 37, whole))"
    ),
    "signal the grader": "os.kill(grader, signal.SIGCONT)",
    "signal the grader's parent": "os.kill(graders_parent, signal.SIGCONT)",
    "signal its own parent": "os.kill(os.getppid(), signal.SIGCONT)",
    "signal its parent by a number with more bits": (
        "call('kill', ctypes.c_long(os.getppid() | 1 << 32), signal.SIGCONT)"
    ),
    "have the powers of the superuser": (
        "header, powers = (ctypes.c_uint * 2)(0x20080522, 0), (ctypes.c_uint * 6)()\n"
        "call('capget', header, powers)\nclaim(any(powers))"
    ),
    "signal the grader's process group": "os.killpg(os.getpgid(grader), signal.SIGCONT)",
    "signal the first process": "os.kill(1, signal.SIGCONT)",
    "signal the grader through a descriptor": (
        "signal.pidfd_send_signal(os.pidfd_open(grader), signal.SIGCONT)"
    ),
    "trace another process": (
        "call('ptrace', 16, bystander, 0, 0)\nos.waitpid(bystander, 0)\ncall('ptrace', 17, bystander, 0, 0)"
    ),
    "renice another process": (
        "other = min(os.getpriority(os.PRIO_PROCESS, bystander) + 5, 19)\n"
        "os.setpriority(os.PRIO_PROCESS, bystander, other)\n"
        "claim(os.getpriority(os.PRIO_PROCESS, bystander) == other)"
    ),
    "read shared memory of the grader's": "read(f'/dev/shm/{shared}')",
    "take more shared memory than there is for it": (
        "path = f'/dev/shm/large-{os.getpid()}'\n"
        "with open(path, 'wb') as file:\n    os.unlink(path)\n    file.write(bytes(65 * 2**20))"
    ),
    "make shared memory with a name": "call('shmctl', call('shmget', 0, 4096, 0o1600), 0, 0)",
    "make a file in memory": "os.close(os.memfd_create('hidden'))",
    "make a namespace": "in_child(lambda: call('unshare', 0x10000000))",
    "raise a limit": (
        "unlimited = (ctypes.c_ulong * 2)(2**64 - 1, 2**64 - 1)\n"
        "call('setrlimit', resource.RLIMIT_DATA, unlimited)"
    ),
}
# These need more than the rights of a user, or than some machines give to anybody.
FOR_ROOT = {"signal the first process", "make a device", "have the powers of the superuser"}
FOR_PYTHONS_OWNER = {
    "write to Python's packages",
    "change the mode of an open file of Python's",
    "change the owner of an open file of Python's",
}
# Landlock keeps nobody from asking.
BY_NAMESPACES = {
    "ask when the gradebook was changed",
    "ask whether a classmate has handed in",
    "go to the course folder",
}
NOT_EVERYWHERE = {
    "make a namespace": ["unshare", "--user", "true"],
    "mark a file of Python's": [sys.executable, "-c", f"import fcntl, sys\n{MARK}"],
}

# Nothing tells the student whether this worked: F_SETSIG is 10.
SIGNAL_BY_SOCKET = """\
one, other = socket.socketpair()
fcntl.fcntl(one, fcntl.F_SETOWN, victim)
fcntl.fcntl(one, 10, signal.SIGTERM)
fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC)
other.send(b"x")
"""


def solved(*extra: str):
    """The solved lesson with cells of the student's own in its middle."""
    nb = sample_solved()
    where = next(n for n, cell in enumerate(nb.cells) if cell.metadata.nbgrader.grade_id == "shares-test")
    nb.cells[where + 1 : where + 1] = [new_code_cell(source) for source in extra]
    return nb


def full() -> dict[str, float]:
    return points_of(sample("source"))


def scores(result) -> dict[str, float]:
    return {test: result.scores[test] for test in full()}


def own_cells(course: Course, student: str) -> list:
    """The student's own cells, as they were graded."""
    cells = notebook("autograded", LESSON, course.root, student).cells
    return [cell for cell in cells if "nbgrader" not in cell.metadata]


def printed_by(cell) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def message_of(cell) -> str:
    """The error that a cell ended with."""
    return "\n".join(f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error")


def script(attempts: dict[str, str], places: dict) -> str:
    """A cell that makes all attempts and prints how each ended."""
    lines = [TOOLS, *(f"{name} = {value!r}" for name, value in places.items())]
    for name, code in attempts.items():
        lines += [
            f"def attempt():\n{indent(code, '    ')}",
            f"try:\n    attempt()\n    print({name!r} + ': done')",
            f"except OSError as error:\n    print({name!r} + ': kept from it,', error)",
            f"except Exception as error:\n    print({name!r} + ': broken,', repr(error))",
        ]
    return "\n".join(lines)


class Surroundings:
    """What is around a submission and none of its business: files, processes, and sockets that listen."""

    def __init__(self, course: Course, folder: Path):
        self.course, self.folder = course, folder
        self.bystander, self.victim = (subprocess.Popen(["sleep", "1000"]) for _ in range(2))
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(type=socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix, self.abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self.unix.bind(f"{folder}/unix")
        self.abstract.bind(f"\0{folder}")
        self.unix_datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.unix_datagrams.bind(f"{folder}/datagrams")
        for listening in (self.unix, self.abstract):
            listening.listen()
        self.shared = SharedMemory(create=True, size=1)
        for name in ("unwanted", "long", "longer"):
            (course.root / name).write_text(name)

    def places(self, student: str) -> dict:
        (name,) = self.course.notebooks(LESSON)
        return {
            "course": str(self.course.root),
            "outside": str(self.folder),
            "home": str(Path.home()),
            "solution": str(self.course.path("source", LESSON) / f"{name}.ipynb"),
            "released_notebook": str(self.course.path("release", LESSON) / f"{name}.ipynb"),
            "gradebook": str(self.course.root / "gradebook.db"),
            "classmate": str(self.course.path("submitted", LESSON, "classmate") / f"{name}.ipynb"),
            "sanitised": str(self.course.path("autograded", LESSON, student) / f"{name}.ipynb"),
            "grader": os.getpid(),
            "graders_parent": os.getppid(),
            "bystander": self.bystander.pid,
            "victim": self.victim.pid,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "unix": f"{self.folder}/unix",
            "abstract": f"\0{self.folder}",
            "unix_datagrams": f"{self.folder}/datagrams",
            "shared": self.shared.name,
        }

    def reached(self) -> set[str]:
        """Which of the sockets heard something, and whether the victim was hit."""
        found = set()
        for name in ("tcp", "unix", "abstract", "udp", "unix_datagrams"):
            listening = getattr(self, name)
            listening.setblocking(False)
            try:
                listening.recv(1) if listening.type == socket.SOCK_DGRAM else listening.accept()[0].close()
                found.add(name)
            except BlockingIOError:
                pass
        return found | ({"victim"} if psutil.Process(self.victim.pid).status() == "zombie" else set())

    def files(self) -> dict[str, int]:
        """The modes of all files that could have been changed, and so which there are."""
        paths = [*self.folder.rglob("*"), *self.course.root.iterdir()]
        return {path.name: path.lstat().st_mode for path in paths if path.name != "autograded"}

    def close(self) -> None:
        for process in (self.bystander, self.victim):
            process.kill()
            process.wait()
        for listening in (self.tcp, self.udp, self.unix, self.abstract, self.unix_datagrams):
            listening.close()
        self.shared.close()
        self.shared.unlink()


@pytest.fixture(scope="module")
def tried(class_room, tmp_path_factory):
    """Grades a notebook with all attempts; once for each kind of isolation.

    Returns outcomes by name, the scores, what was reached from outside, and the files before and after.
    """
    done = {}
    patch = pytest.MonkeyPatch()
    for name in ("SECRET", "GRADEBOX_SECRET", "NBGRADER_SECRET", "JPY_SECRET"):
        patch.setenv(name, "secret")

    def attempt(isolation: str):
        if isolation not in done:
            course = Course(shutil.copytree(class_room.root, tmp_path_factory.mktemp(isolation) / "course"))
            course = with_settings(course, f"c.Execute.isolation = {isolation!r}")
            around = Surroundings(course, tmp_path_factory.mktemp("outside"))
            try:
                hand_in(course, LESSON, "classmate", solved())
                places = around.places("student")
                # Made once, by the first submission of a course.
                load_course_secret(course.root)
                before = around.files()
                nb = solved(script(ATTEMPTS | {"signal by socket": SIGNAL_BY_SOCKET}, places))
                result = grade(course, LESSON, "student", nb)
                (cell,) = own_cells(course, "student")
                outcomes = dict(line.split(": ", 1) for line in printed_by(cell).splitlines())
                done[isolation] = (outcomes, scores(result), around.reached(), before, around.files())
            finally:
                around.close()
        return done[isolation]

    yield attempt
    patch.undo()


@pytest.mark.parametrize("name", ATTEMPTS)
def test_student_code_can_not(tried, name):
    if name in BY_NAMESPACES and not NAMESPACES:
        pytest.skip("that takes namespaces")
    outcomes, *_ = tried("sandbox")
    assert outcomes[name].startswith("kept from it")


@pytest.mark.parametrize("name", [name for name in ATTEMPTS if name != OWN_MEMORY])
def test_without_a_sandbox_the_same_attempt_succeeds(tried, name):
    """Else it would show nothing that the sandbox keeps student code from it.

    (What the grader was started with is in no kernel's memory, since its parent never had it.)
    """
    if name in FOR_ROOT and os.getuid() != 0:
        pytest.skip("that takes root")
    if name in FOR_PYTHONS_OWNER and not os.access(os.__file__, os.W_OK):
        pytest.skip("this machine's Python is somebody else's")
    if name in NOT_EVERYWHERE and subprocess.run(NOT_EVERYWHERE[name], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("this machine lets nobody do that")
    outcomes, *_ = tried("none")
    assert outcomes[name] == "done"


def test_attempts_cost_no_points_and_nothing_outside_notices(tried):
    _, points, reached, before, after = tried("sandbox")
    assert points == full()
    assert reached == set()
    # What the grader itself has written there.
    for found in (before, after):
        found.pop(RECORDS_FILE, None)
    assert after == before


def test_without_a_sandbox_everything_outside_notices(tried):
    _, points, reached, before, after = tried("none")
    assert points == full()
    assert reached == {"tcp", "udp", "unix", "abstract", "unix_datagrams", "victim"}
    assert "planted" in after and "unwanted" not in after
    assert after["gradebook.db"] != before["gradebook.db"]


def outcome_of(cell) -> str:
    """What a cell printed and the error that it ended with."""
    return f"{printed_by(cell)}\n{message_of(cell)}"


@pytest.fixture
def run(course):
    """Grades a notebook with a cell of the student's own, and shows that nothing is left of it.

    Returns the printed text and the error of that cell.
    """

    def graded_with(source: str, *settings: str) -> str:
        limited = with_settings(course, *settings)
        nb = solved("import os\nprint(os.getcwd())", source)
        result = grade(limited, LESSON, "student", nb)
        where, cell = own_cells(limited, "student")
        folder = Path(printed_by(where).strip())
        assert folder.name == "work"
        assert not folder.parent.exists()
        assert processes_in(folder) == []
        assert processes_of_kernels() == []
        assert scores(result) == full()
        return outcome_of(cell)

    return graded_with


def processes_in(folder: Path) -> list[psutil.Process]:
    """The processes whose working folder, or program, is in a folder that may be gone by now."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(place.startswith(str(folder.parent)) for place in (process.cwd(), process.exe())):
                found.append(process)
        except (psutil.Error, OSError):  # it has ended; or another test's stands deeper than a path is long
            continue
    return psutil.wait_procs(found, timeout=60)[1]


def below_zygotes() -> list[psutil.Process]:
    """All that the zygotes have started, templates included."""
    servers = [warm.process.pid for warm in zygote_client._zygotes.values() if warm.alive()]
    return [child for pid in servers for child in psutil.Process(pid).children(recursive=True)]


def processes_of_kernels() -> list[psutil.Process]:
    """What templates have started and is not about to end: guards lead sessions of processes of their own."""
    end = time.monotonic() + 60
    while True:
        found = [child for child in below_zygotes() if session_of(child) != os.getsid(0)]
        running = [child for child in found if running_still(child)]
        if not running or time.monotonic() > end:
            return running
        time.sleep(0.02)


def session_of(process: psutil.Process) -> int:
    try:
        return os.getsid(process.pid)
    except ProcessLookupError:
        return os.getsid(0)


def running_still(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("said", [b"", b'{"cwd":'])
def test_a_client_that_goes_before_it_has_asked_leaves_nothing(said):
    zygote_client.connect_to_template(("numpy",), zygote_client.STUDENT).close()
    before = set(filter(running_still, below_zygotes()))
    with zygote_client.connect_to_template(("numpy",), zygote_client.STUDENT) as connection:
        connection.sendall(said)
    # Its guard is forked by now.
    time.sleep(1)
    assert {one for one in below_zygotes() if running_still(one)} <= before


MEMORY = "c.Execute.memory_limit = 600_000_000"
PROCESSES = "c.Execute.process_limit = 20"
FILES = "c.Execute.file_limit = 1_000_000"
# Far longer than anything here may take: what it stands for has to be killed.
WAIT = "time.sleep(20)"


def test_an_array_that_is_too_large_is_an_error_which_the_kernel_survives(run):
    source = (
        "import numpy\n"
        "try:\n    numpy.ones(200_000_000)\nexcept MemoryError:\n    print('too large')\n"
        "print('still here', numpy.ones(3).sum())"
    )
    assert "too large\nstill here 3.0" in run(source, MEMORY)


@pytest.mark.parametrize(
    "source",
    [
        f"import mmap, time\nshared = mmap.mmap(-1, 900_000_000)\nfor _ in range(900):\n"
        f"    shared.write(bytes(1_000_000))\n{WAIT}",
        f"import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n"
        f"        kept = b'x' * 300_000_000\n        {WAIT}\n        os._exit(0)\n{WAIT}",
        f"import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n"
        f"        if os.fork() == 0:\n            kept = b'x' * 300_000_000\n            {WAIT}\n"
        f"        os._exit(0)\n{WAIT}",
    ],
    ids=["shared", "in-children", "in-daemons"],
)
def test_memory_that_is_not_one_process_own_counts_too(run, source):
    message = run(source + "\nprint('got it all')", MEMORY)
    assert "more than 0.558794 GiB of memory" in message
    assert "got it all" not in message


@pytest.mark.parametrize(
    "begin",
    ["", "if os.fork():\n    time.sleep(20)\n    os._exit(0)\nos.setsid()\nif os.fork():\n    os._exit(0)\n"],
    ids=["children", "children-of-a-daemon"],
)
def test_a_kernel_that_starts_too_many_processes_is_killed_with_all_of_them(run, begin):
    source = (
        f"import os, time\n{begin}for _ in range(200):\n    try:\n"
        f"        if os.fork() == 0:\n            {WAIT}\n            os._exit(0)\n"
        f"    except BlockingIOError:\n        pass\n{WAIT}\nprint('got them all')\n"
    )
    message = run(source, PROCESSES)
    assert "more than 20 processes" in message
    assert "got them all" not in message


def test_a_daemon_ends_with_the_kernel(run):
    source = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        f"        {WAIT}\n    os._exit(0)\nos.wait()\nprint('started')"
    )
    assert "started" in run(source)


def test_one_file_that_is_too_large_is_an_error(run):
    message = run("with open('large', 'wb') as file:\n    file.write(bytes(3_000_000))", FILES)
    assert "File too large" in message


ENOUGH = "for _ in range(40):\n    time.sleep(0.5)\nprint('got them all')"


@pytest.mark.parametrize(
    "source",
    [
        "for number in range(1000):\n    open(f'{number}', 'w').close()\n",
        "for number in range(10):\n    with open(f'{number}', 'wb') as file:\n"
        "        file.write(bytes(500_000))\n",
        "here = os.getcwd()\nfor _ in range(30):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\n"
        "try:\n    for number in range(10):\n        with open(f'{number}', 'wb') as file:\n"
        "            file.write(bytes(500_000))\nfinally:\n    os.chdir(here)\n",
        "kept = []\nfor _ in range(10):\n    kept.append(open('gone', 'wb'))\n    os.remove('gone')\n"
        "    kept[-1].write(bytes(500_000))\n    kept[-1].flush()\n",
    ],
    ids=["many-empty-ones", "several", "below-a-path-that-is-too-long", "deleted-but-open"],
)
def test_files_that_are_too_large_together_are_an_error_or_end_the_kernel(run, source):
    message = run(f"import os, time\n{source}{ENOUGH}", FILES)
    assert ("No space left on device" if NAMESPACES else "more than 1 MB of files") in message
    assert "got them all" not in message


MAPPED = """\
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, *[ctypes.c_long] * 5]
for _ in range(10):
    file = os.open("gone", os.O_RDWR | os.O_CREAT)
    os.write(file, bytes(500_000))
    assert libc.mmap(None, 4096, 1, 1, file, 0) > 0
    os.remove("gone")
    os.close(file)
"""
IN_FLIGHT = """\
import socket
one, other = socket.socketpair()
for _ in range(10):
    with open("gone", "wb", buffering=0) as file:
        os.remove("gone")
        file.write(bytes(500_000))
        socket.send_fds(one, [b"x"], [file.fileno()])
"""
HIDDEN = """\
import ctypes
if os.fork() == 0:
    try:
        kept = []
        for _ in range(10):
            kept.append(open("gone", "wb", buffering=0))
            os.remove("gone")
            kept[-1].write(bytes(500_000))
            # PR_SET_DUMPABLE: nobody can list what it has opened.
            ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
        time.sleep(20)
        os._exit(0)
    except OSError as error:
        os._exit(error.errno)
ended = os.waitpid(-1, 0)[1]
if ended:
    raise OSError(os.waitstatus_to_exitcode(ended), os.strerror(os.waitstatus_to_exitcode(ended)))
"""


@pytest.mark.parametrize("source", [MAPPED, IN_FLIGHT, HIDDEN], ids=["mapped", "in-flight", "hidden"])
def test_deleted_files_that_nobody_can_see_count_too(run, source):
    message = run(f"import os, time\n{source}{ENOUGH}", FILES)
    passing = source == IN_FLIGHT
    otherwise = "Operation not permitted" if passing else "more than 1 MB of files"
    assert ("No space left on device" if NAMESPACES else otherwise) in message
    assert "got them all" not in message


@pytest.mark.skipif(not NAMESPACES, reason="that takes namespaces")
def test_a_notebook_survives_a_full_disk_and_has_room_again_after_it(run):
    source = """\
import os
def fill():
    for number in range(10):
        with open(f"{number}", "wb", buffering=0) as file:
            while file.write(bytes(400_000)) == 400_000 and file.tell() < 800_000:
                pass
try:
    fill()
except OSError as error:
    print("full:", error.strerror)
for name in os.listdir("."):
    os.remove(name)
with open("again", "wb") as file:
    file.write(bytes(900_000))
print("again", os.path.getsize("again"))
"""
    assert "full: No space left on device\nagain 900000" in run(source, FILES)


@pytest.mark.skipif(not NAMESPACES, reason="that takes namespaces")
def test_what_was_handed_in_is_no_part_of_what_can_be_written(course):
    folder = course.path("submitted", LESSON, "student") / "data"
    folder.mkdir(parents=True)
    for number in range(40):
        (folder / f"{number}").write_bytes(bytes(100_000))
    limited = with_settings(course, FILES)
    nb = solved(
        "import os\nwith open('new', 'wb') as file:\n    file.write(bytes(900_000))\n"
        "print(sum(os.path.getsize(f'data/{name}') for name in os.listdir('data')))"
    )
    (name,) = course.notebooks(LESSON)
    (folder.parent / f"{name}.ipynb").write_text(serialize_notebook(nb), encoding="utf-8")
    assert limited.convert(Autograde, LESSON, "student") is None
    assert scores(graded(limited, LESSON, "student")) == full()
    (cell,) = own_cells(limited, "student")
    assert printed_by(cell) == "4000000\n"


def test_folders_in_folders_without_end_cost_nothing(run):
    source = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\nprint('deep')"
    assert "deep" in run(source)


def test_data_that_was_handed_in_lies_beside_the_code_and_the_notebooks_do_not(course):
    (course.path("submitted", LESSON, "student") / "tables").mkdir(parents=True)
    data = course.path("submitted", LESSON, "student") / "tables" / "data.csv"
    data.write_text("a,b\n1,2\n")
    (name,) = course.notebooks(LESSON)
    nb = solved("import os\nprint(open('tables/data.csv').read(), os.listdir('.'))")
    (data.parent.parent / f"{name}.ipynb").write_text(serialize_notebook(nb), encoding="utf-8")
    assert course.convert(Autograde, LESSON, "student") is None
    assert scores(graded(course, LESSON, "student")) == full()
    (cell,) = own_cells(course, "student")
    assert printed_by(cell) == "a,b\n1,2\n ['tables']\n"


def test_a_folder_is_removed_even_if_student_code_closed_it_and_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o750)
    (outside / "kept").write_text("kept")
    with scratch_folder.create_scratch_folder({"data.csv": b"1"}) as folder:
        closed = folder / scratch_folder.WORK_FOLDER / "closed" / "below"
        closed.mkdir(parents=True)
        (closed / "file").write_text("content")
        (closed / "link").symlink_to(outside)
        (folder / "link").symlink_to(outside)
        (folder / "kernel.json").symlink_to(outside / "kept")
        closed.chmod(0)
        closed.parent.chmod(0)
    assert not folder.exists()
    assert (outside / "kept").read_text() == "kept"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o750
