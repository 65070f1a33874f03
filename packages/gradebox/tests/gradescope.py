"""Runs a command as on Gradescope: on a machine whose /autograder is a folder of the test's.

`python tests/gradescope.py [--overlaid] FOLDER COMMAND...`

All else of the machine is this one's, in a view of the files that only this process and its children have.
--overlaid: what the command changes of the system (/etc, /usr, /var) is forgotten when it ends.
"""

import argparse
import os
import sys
from pathlib import Path

from gradebox.sandbox import libc
from gradebox.sandbox.namespaces import (
    CLONE_NEWNS,
    MNT_DETACH,
    MS_BIND,
    MS_PRIVATE,
    MS_REC,
    mount,
    unshare_namespaces,
)
from gradebox.sandbox.seccomp import get_syscall_number

AUTOGRADER = "/autograder"
SYSTEM = ("/etc", "/usr", "/var")


def bind(path: str, place: Path) -> None:
    """Let a file or a folder be at another place, too."""
    if os.path.isdir(path):
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.touch()
    mount(path, str(place), None, MS_BIND | MS_REC)


def lay_over(path: str, place: Path, above: Path) -> None:
    """Let a folder be at another place, with an empty one above it that takes what is changed."""
    changed, work = above / "changed" / path[1:], above / "work" / path[1:]
    for folder in (changed, work, place):
        folder.mkdir(parents=True)
    options = f"lowerdir={path},upperdir={changed},workdir={work}"
    mount("overlay", str(place), "overlay", 0, options)


def furnish(root: Path, folder: str, overlaid: bool) -> None:
    """Put into a new root what is in this one, and the folder in the place of /autograder."""
    # A Python in a user's home, which is nobody else's, is one that all can read on Gradescope.
    closed = [parent for parent in Path(sys.base_prefix).parents if not parent.stat().st_mode & 1]
    for name in os.listdir("/"):
        path, place = f"/{name}", root / name
        if path == AUTOGRADER:
            continue
        if os.path.islink(path):
            place.symlink_to(os.readlink(path))
        elif overlaid and path in SYSTEM:
            lay_over(path, place, root / "above")
        elif Path(path) in closed:
            place.mkdir()
            for below in os.listdir(path):
                if os.path.islink(f"{path}/{below}"):
                    (place / below).symlink_to(os.readlink(f"{path}/{below}"))
                else:
                    bind(f"{path}/{below}", place / below)
        else:
            bind(path, place)
    bind(folder, root / AUTOGRADER[1:])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--overlaid", action="store_true")
    options.add_argument("folder")
    options.add_argument("command", nargs=argparse.REMAINDER)
    chosen = options.parse_args()
    if os.geteuid() == 0:
        # With all of its powers, as there.
        libc.call("unshare", CLONE_NEWNS)
    else:
        unshare_namespaces(CLONE_NEWNS)
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    root = Path(chosen.folder).parent / "root"
    root.mkdir(exist_ok=True)
    mount("tmpfs", str(root), "tmpfs", 0, "mode=755")
    furnish(root, chosen.folder, chosen.overlaid)
    os.chdir(root)
    libc.syscall(get_syscall_number("pivot_root"), b".", b".")
    libc.call("umount2", b".", MNT_DETACH)
    os.chdir(AUTOGRADER)
    os.execvp(chosen.command[0], chosen.command)


if __name__ == "__main__":
    main()
