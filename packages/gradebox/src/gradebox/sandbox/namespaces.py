"""Linux namespaces: a kernel sees only its own processes and a part of the file system.

That part is a root of read-only bind mounts, in which no other path exists. A *keeper* process builds the
root once, in a separate mount namespace. A kernel joins that namespace, adds its scratch folder, and detaches
everything else. The scratch folder is an in-memory file system of fixed size that ends with the kernel.
Deleted files that are still open count against its size, too.
"""

from __future__ import annotations

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
# Folder in which the C library creates semaphores and shared memory, such as those of `multiprocessing`, and
# its size for one kernel. The memory is not charged to any process.
SHARED_MEMORY, SHARED_MEMORY_SIZE = "/dev/shm", 64 * 2**20
# Flags of a file system that must be preserved when its bind mount is made read-only. They have the same
# numbers when read and when set, except for the last.
PRESERVED_MOUNT_FLAGS, ST_RELATIME, MS_RELATIME = 2 | 4 | 8 | 1 << 10 | 1 << 11, 1 << 12, 1 << 21

# Number of files and folders that a kernel creates for itself.
SPARE_INODES = 64


def unshare_namespaces(also: int = 0) -> None:
    """Move this process into a new user namespace with the same user, and into the namespaces `also`.

    In a new process namespace, all processes end when the first child ends. Their user has no rights outside,
    and RLIMIT_NPROC counts only their processes. The superuser can do without a user namespace. Raises
    OSError.
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
    """Build a root of these paths at the folder `root`, in the mount namespace of a new process.

    Returns descriptors of the user namespace and the mount namespace, which live as long as the descriptors.
    Raises OSError.
    """
    reader, writer = os.pipe()
    waits, goes = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        try:
            os.close(reader)
            os.close(goes)
            unshare_namespaces(CLONE_NEWNS)
            # Parent folders of bind mounts can be traversed, but not listed.
            os.umask(0o666)
            build_root(root, literal, devices)
            os.close(writer)
            # Wait until the parent has opened the namespaces, or has ended.
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
    """Build a root of bind mounts in this mount namespace: devices unchanged, the rest read-only."""
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
    """Return the mount points at or below a path: a bind mount includes them, each with its flags."""
    with open("/proc/self/mountinfo", errors="surrogateescape") as mounts:
        escaped = [line.split()[4] for line in mounts]
    places = {re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), name) for name in escaped}
    return sorted(name for name in places if name == place or name.startswith(f"{place}/"))


def mount_shared_memory(root: str) -> None:
    """Mount a separate shared-memory file system in a root. Raises OSError."""
    options = f"size={SHARED_MEMORY_SIZE},nr_inodes=10k,mode=1777"
    mount("tmpfs", root + SHARED_MEMORY, "tmpfs", MS_NOSUID | MS_NODEV, options)


def join_namespaces(kept: tuple[int, int]) -> None:
    """Join the kept mount namespace, and its user namespace unless already joined. Raises OSError."""
    for namespace, kind, flag in zip(kept, ("user", "mnt"), (CLONE_NEWUSER, CLONE_NEWNS)):
        if os.fstat(namespace).st_ino != os.stat(f"/proc/self/ns/{kind}").st_ino:
            libc.call("setns", namespace, flag)


def make_mount_point(root: str, folder: str) -> None:
    """Create the mount point of a folder in a joined root. Raises OSError."""
    before = os.umask(0o666)
    try:
        os.makedirs(root + folder)
    finally:
        os.umask(before)


def mount_scratch(root: str, scratch: str, size: int) -> None:
    """Mount a file system of fixed size in place of a folder, in a joined root.

    The contents of the folder are copied. Files can take `size` more bytes, deleted ones included. The folder
    must have a mount point in the root (see `make_mount_point`), and is unchanged for other processes. Raises
    OSError.
    """
    libc.call("unshare", CLONE_NEWNS)
    # Inherited mounts can't be moved, so bind the root to itself.
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
    """Make a root with a mounted scratch folder the only visible files of this process. Raises OSError."""
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
