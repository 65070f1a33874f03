"""Namespaces: processes that see only their own, and, where there is no Landlock, only a part of the files.

That part is a root of read-only binds. It is built once, by a *keeper* that has a view of the files of its
own; a kernel takes it over, adds its scratch folder, and lets go of everything else.
"""

import os
import re
import signal
from pathlib import Path

from gradebox.kernels import libc
from gradebox.kernels.filter import number

NEW_MOUNTS, NEW_USER, NEW_PROCESSES = 0x00020000, 0x10000000, 0x20000000
READ_ONLY, NO_SETUID, NO_DEVICES, REMOUNT, BIND, RECURSIVE = 1, 2, 4, 32, 4096, 16384
PRIVATE, DETACH = 1 << 18, 2
# What a bind has of its file system can't be taken from it when it is made read-only. These flags have the
# same numbers where they are read and where they are set, but for the last.
KEPT, RELATIVE_TIMES, KEPT_RELATIVE_TIMES = 2 | 4 | 8 | 1 << 10 | 1 << 11, 1 << 12, 1 << 21


def leave(also: int = 0) -> None:
    """Give this process a user namespace of its own with its user in it, and the children another namespace.

    The first child's end ends all of them. Their user has no rights outside, and RLIMIT_NPROC counts for
    them alone. The superuser of the system needs no user namespace. Raises OSError.
    """
    user, group = os.getuid(), os.getgid()
    try:
        libc.call("unshare", NEW_USER | also)
    except OSError:
        if user != 0:
            raise
        libc.call("unshare", also)
        return
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def keep(root: str, literal: list[str], devices: list[str]) -> int:
    """Start a keeper, which has built a root of these paths at `root`, a folder. Returns its process number.

    It lives as long as this process. Raises OSError.
    """
    reader, writer = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        try:
            os.close(reader)
            libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
            leave(NEW_MOUNTS)
            # Folders on the way to what is bound can be passed through, but not listed.
            os.umask(0o666)
            build(root, literal, devices)
            os.close(writer)
            while True:
                signal.pause()
        except Exception as error:
            os.write(writer, libc.in_words(error).encode())
        finally:
            os._exit(1)
    os.close(writer)
    with open(reader) as said:
        problem = said.read()
    if problem:
        os.waitpid(keeper, 0)
        raise OSError(problem)
    return keeper


def build(root: str, literal: list[str], devices: list[str]) -> None:
    """Make a root of binds in this process's view of the files: devices as they are, the rest read-only."""
    mount(None, "/", None, RECURSIVE | PRIVATE)
    mount("tmpfs", root, "tmpfs", NO_SETUID | NO_DEVICES, "size=1m,mode=111")
    bound: set[str] = set()

    def add(path: str) -> None:
        if any(parent in bound for parent in (path, *map(str, Path(path).parents))):
            return
        bound.add(path)
        place = root + path
        if os.path.isdir(path):
            os.makedirs(place, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            Path(place).touch()
        mount(path, place, None, BIND | RECURSIVE)
        if path not in devices:
            for mounted in mounts_below(place):
                has = os.statvfs(mounted).f_flag
                kept = has & KEPT | (KEPT_RELATIVE_TIMES if has & RELATIVE_TIMES else 0)
                mount(None, mounted, None, BIND | REMOUNT | READ_ONLY | NO_SETUID | kept)

    for path in sorted({*map(os.path.realpath, literal), *devices}):
        add(path)
    for path in literal:
        real = os.path.realpath(path)
        if path != real and not os.path.lexists(root + path):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(real, root + path)


def mounts_below(place: str) -> list[str]:
    """Where something is mounted, from this place on: a bind brings that along, each with its flags."""
    with open("/proc/self/mountinfo", errors="surrogateescape") as mounts:
        escaped = [line.split()[4] for line in mounts]
    places = {re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), name) for name in escaped}
    return sorted(name for name in places if name == place or name.startswith(f"{place}/"))


def join(keeper: int) -> None:
    """Take a keeper's view of the files, and its user namespace if it has one of its own. Raises OSError."""
    for kind, flag in (("user", NEW_USER), ("mnt", NEW_MOUNTS)):
        theirs = f"/proc/{keeper}/ns/{kind}"
        if os.readlink(theirs) == os.readlink(f"/proc/self/ns/{kind}"):
            continue
        namespace = os.open(theirs, os.O_RDONLY | os.O_CLOEXEC)
        try:
            libc.call("setns", namespace, flag)
        finally:
            os.close(namespace)


def make_place(root: str, folder: str) -> None:
    """Make a place for a folder in a root that was joined. Raises OSError."""
    before = os.umask(0o666)
    try:
        os.makedirs(root + folder)
    finally:
        os.umask(before)


def enclose(root: str, scratch: str) -> None:
    """Leave this process nothing but a root that a keeper has built, and this folder in it. Raises OSError.

    The folder must have a place in the root (see `make_place`).
    """
    libc.call("unshare", NEW_MOUNTS)
    # Mounts that were there before can't be moved.
    mount(root, root, None, BIND | RECURSIVE)
    mount(scratch, root + scratch, None, BIND)
    mount(None, root, None, BIND | REMOUNT | READ_ONLY | NO_SETUID | NO_DEVICES)
    os.chdir(root)
    libc.syscall(number("pivot_root"), b".", b".")
    libc.call("umount2", b".", DETACH)
    os.chdir("/")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    try:
        libc.call("mount", source, target, kind, flags, options)
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror} ({source or 'none'} at {target})") from None
