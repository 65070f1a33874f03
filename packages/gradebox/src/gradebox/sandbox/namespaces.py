"""Namespaces: processes that see only their own, and only a part of the files.

That part is a root of read-only binds, in which no other path exists. It is built once, by a *keeper*, in a
view of the files of its own; a kernel takes it over, adds its scratch folder, and lets go of everything else.
The scratch folder is a file system of fixed size, in memory, that ends with the kernel: what a file without a
name takes, wherever it is kept, is taken there.
"""

import os
import re
import shutil
from pathlib import Path

from gradebox.sandbox import libc
from gradebox.sandbox.rlimits import BLOCK_SIZE
from gradebox.sandbox.seccomp import get_syscall_number

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 32, 4096, 16384
MS_PRIVATE, MNT_DETACH = 1 << 18, 2
# Where the C library makes semaphores and shared memory, such as those of `multiprocessing`, and how much of
# it one kernel may have. It is memory that no process is charged for.
SHARED_MEMORY, SHARED_MEMORY_SIZE = "/dev/shm", 64 * 2**20
# What a bind has of its file system can't be taken from it when it is made read-only. These flags have the
# same numbers where they are read and where they are set, but for the last.
PRESERVED_MOUNT_FLAGS, ST_RELATIME, MS_RELATIME = 2 | 4 | 8 | 1 << 10 | 1 << 11, 1 << 12, 1 << 21

# Files and folders that a kernel makes for itself.
SPARE_INODES = 64


def unshare_namespaces(also: int = 0) -> None:
    """Give this process a user namespace of its own with its user in it, and the children another namespace.

    The first child's end ends all of them. Their user has no rights outside, and RLIMIT_NPROC counts for
    them alone. The superuser of the system needs no user namespace. Raises OSError.
    """
    user, group = os.getuid(), os.getgid()
    try:
        libc.call("unshare", CLONE_NEWUSER | also)
    except OSError:
        if user != 0:
            raise
        libc.call("unshare", also)
        return
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def create_root_namespaces(root: str, literal: list[str], devices: list[str]) -> tuple[int, int]:
    """Have another process build a root of these paths at `root`, a folder, in its own view of the files.

    Returns descriptors of its user namespace and its namespace of mounts, which live as long as these. Raises
    OSError.
    """
    reader, writer = os.pipe()
    waits, goes = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        try:
            os.close(reader)
            os.close(goes)
            unshare_namespaces(CLONE_NEWNS)
            # Folders on the way to what is bound can be passed through, but not listed.
            os.umask(0o666)
            build_root(root, literal, devices)
            os.close(writer)
            # Until the other side has its namespaces, or has ended.
            os.read(waits, 1)
            os._exit(0)
        except Exception as error:
            os.write(writer, libc.format_os_error(error).encode())
        finally:
            os._exit(1)
    os.close(writer)
    os.close(waits)
    try:
        with open(reader) as said:
            problem = said.read()
        if problem:
            raise OSError(problem)
        user, mounts = (
            os.open(f"/proc/{keeper}/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC) for kind in ("user", "mnt")
        )
        return user, mounts
    finally:
        os.close(goes)
        os.waitpid(keeper, 0)


def build_root(root: str, literal: list[str], devices: list[str]) -> None:
    """Make a root of binds in this process's view of the files: devices as they are, the rest read-only."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=111")
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
        mount(path, place, None, MS_BIND | MS_REC)
        if path not in devices:
            for mounted in list_mounts(place):
                has = os.statvfs(mounted).f_flag
                kept = has & PRESERVED_MOUNT_FLAGS | (MS_RELATIME if has & ST_RELATIME else 0)
                mount(None, mounted, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | kept)

    for path in sorted({*map(os.path.realpath, literal), *devices}):
        add(path)
    for path in literal:
        real = os.path.realpath(path)
        if path != real and not os.path.lexists(root + path):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(real, root + path)
    os.makedirs(root + SHARED_MEMORY)


def list_mounts(place: str) -> list[str]:
    """Where something is mounted, from this place on: a bind brings that along, each with its flags."""
    with open("/proc/self/mountinfo", errors="surrogateescape") as mounts:
        escaped = [line.split()[4] for line in mounts]
    places = {re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), name) for name in escaped}
    return sorted(name for name in places if name == place or name.startswith(f"{place}/"))


def mount_shared_memory(root: str) -> None:
    """Mount shared memory of its own in this process's view of the files, in a root. Raises OSError."""
    options = f"size={SHARED_MEMORY_SIZE},nr_inodes=10k,mode=1777"
    mount("tmpfs", root + SHARED_MEMORY, "tmpfs", MS_NOSUID | MS_NODEV, options)


def join_namespaces(kept: tuple[int, int]) -> None:
    """Take the view of the files that was kept, and its user namespace if that is another. Raises OSError."""
    for namespace, kind, flag in zip(kept, ("user", "mnt"), (CLONE_NEWUSER, CLONE_NEWNS), strict=True):
        if os.fstat(namespace).st_ino != os.stat(f"/proc/self/ns/{kind}").st_ino:
            libc.call("setns", namespace, flag)


def make_mount_point(root: str, folder: str) -> None:
    """Make a place for a folder in a root that was joined. Raises OSError."""
    before = os.umask(0o666)
    try:
        os.makedirs(root + folder)
    finally:
        os.umask(before)


def mount_scratch(root: str, scratch: str, size: int) -> None:
    """Put a file system of fixed size in the place of a folder, in a root that was joined.

    It gets what is in the folder, and its files can take `size` bytes more, with a name or without. The
    folder must have a place in the root (see `make_place`), and stays as it is for others. Raises OSError.
    """
    libc.call("unshare", CLONE_NEWNS)
    # Mounts that were there before can't be moved.
    mount(root, root, None, MS_BIND | MS_REC)
    mount_shared_memory(root)
    given = [
        os.lstat(os.path.join(folder, name)).st_size
        for folder, folders, files in os.walk(scratch)
        for name in (*folders, *files)
    ]
    space = size + sum(-(-each // BLOCK_SIZE) * BLOCK_SIZE for each in given)
    entries = size // BLOCK_SIZE + len(given) + SPARE_INODES
    options = f"size={space},nr_inodes={entries},mode=700"
    mount("tmpfs", root + scratch, "tmpfs", MS_NOSUID | MS_NODEV, options)
    shutil.copytree(scratch, root + scratch, copy_function=shutil.copyfile, dirs_exist_ok=True)


def pivot_into_root(root: str) -> None:
    """Leave this process nothing but a root that `furnish` was called for. Raises OSError."""
    mount(None, root, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(root)
    libc.syscall(get_syscall_number("pivot_root"), b".", b".")
    libc.call("umount2", b".", MNT_DETACH)
    os.chdir("/")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    try:
        libc.call("mount", source, target, kind, flags, options)
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror} ({source or 'none'} at {target})") from None
