"""Runs a command as on another machine: with an older Landlock, without one, without namespaces.

`python tests/simulated.py [--landlock N] [--says N] [--without namespaces,...] COMMAND...`

What is simulated is what the system answers, by a system-call filter with a supervisor: rights that an older
Landlock does not know are refused. The rest of the machine is this one.
"""

import argparse
import errno
import os
import platform
import struct
import subprocess
import sys
import threading

import pyseccomp

CREATE_RULESET = 444
CONTINUE = 1
NEW_USER, ALL_NAMESPACES = 0x10000000, 0x7E020080
# What each ABI knows: rights to files, to TCP, and scopes.
KNOWN = {
    number: ((1 << files) - 1, tcp, scopes)
    for number, files, tcp, scopes in (
        (1, 13, 0, 0),
        (2, 14, 0, 0),
        (3, 15, 0, 0),
        (4, 15, 3, 0),
        (5, 16, 3, 0),
        (6, 16, 3, 3),
    )
}
# What can be left out, and the calls that are refused then.
PARTS = {
    # As Ubuntu 24.04 has it, and most containers.
    "user-namespaces": (),
    # As in a container without privileges.
    "namespaces": ("unshare", "setns", "mount", "umount2", "pivot_root"),
    "process-descriptors": ("pidfd_open",),
}


def answer_to_landlock(rules: pyseccomp.SyscallFilter, abi: int, says: int, most: int | None) -> None:
    """Answer who asks for a ruleset, for as long as this process lives; after `most` of them, refuse."""
    given = 0
    while True:
        try:
            asked = rules.receive_notify()
        except OSError as error:
            if error.errno in (errno.EINTR, errno.ENOENT):
                continue
            raise
        error, value, flags = response(asked, abi, says)
        given += flags
        if most is not None and given > most:
            error, value, flags = errno.ENOMEM, 0, 0
        try:
            rules.respond_notify(pyseccomp.NotificationResponse(-error, flags, asked.id, value))
        except OSError:
            # It has gone.
            continue


def response(asked: pyseccomp.Notification, abi: int, says: int) -> tuple[int, int, int]:
    """What a system with this ABI would say: an error number, a value, and flags (let the call through)."""
    attributes, size, flags, *_ = asked.syscall_args
    if abi == 0:
        return errno.ENOSYS, 0, 0
    if flags == 1:
        return 0, says, 0
    with open(f"/proc/{asked.pid}/mem", "rb", buffering=0) as memory:
        memory.seek(attributes)
        rights = struct.unpack("=QQQ", memory.read(min(size, 24)).ljust(24, b"\0"))
    unknown = [right & ~known for right, known in zip(rights, KNOWN[abi], strict=True)]
    if unknown[0]:
        return errno.EINVAL, 0, 0
    return (errno.E2BIG, 0, 0) if any(unknown[1:]) else (0, 0, CONTINUE)


def refuse(rules: pyseccomp.SyscallFilter, part: str) -> None:
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in PARTS[part]:
        rules.add_rule(denied if part != "process-descriptors" else pyseccomp.ERRNO(errno.ENOSYS), name)
    flags = {"user-namespaces": NEW_USER, "namespaces": ALL_NAMESPACES}.get(part, 0)
    if flags:
        # Its flags are in memory, where no filter can look; C libraries fall back to clone.
        rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for bit in range(32):
        if flags & (1 << bit):
            condition = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 1 << bit, 1 << bit)
            rules.add_rule(denied, "clone", condition)
            if "unshare" not in PARTS[part]:
                rules.add_rule(denied, "unshare", condition)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--landlock", type=int, help="its ABI, 0 for none; as it is here if not given")
    options.add_argument("--says", type=int, help="the ABI that it says it has, if that is another")
    options.add_argument("--rulesets", type=int, help="how many rulesets there can be before Landlock fails")
    options.add_argument("--without", default="", help=f"of {', '.join(PARTS)}")
    options.add_argument("command", nargs=argparse.REMAINDER)
    chosen = options.parse_args()
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for part in filter(None, chosen.without.split(",")):
        refuse(rules, part)
    if chosen.landlock is not None:
        rules.add_rule(pyseccomp.NOTIFY, CREATE_RULESET)
        arguments = (rules, chosen.landlock, chosen.says or chosen.landlock, chosen.rulesets)
        # It is there before the filter, which is for the threads and processes that are started after it.
        ready = threading.Event()
        threading.Thread(target=lambda: (ready.wait(), answer_to_landlock(*arguments)), daemon=True).start()
        rules.load()
        ready.set()
    else:
        rules.load()
    return subprocess.run(chosen.command, check=False).returncode


if __name__ == "__main__":
    assert platform.machine() in ("x86_64", "aarch64") and os.name == "posix"
    sys.exit(main())
