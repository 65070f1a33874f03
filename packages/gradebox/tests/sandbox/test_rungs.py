"""Every rung of the ladder is found where it holds, and what a machine can't give is said, not skipped over.

Machines are simulated (see `simulated.py`). `make rungs` runs all of `test_sandbox.py` on each rung.
"""

import json
import os
import subprocess
import sys

import pytest
from helpers import PROBED, SIMULATED, simulations

from gradebox.sandbox import landlock, resource_monitor, seccomp
from gradebox.sandbox.probe_results import LIMITS, MechanismResult, ProbeResult
from gradebox.sandbox.sandbox import SandboxMechanism

pytestmark = pytest.mark.skipif(not PROBED.findings, reason=f"no ladder here: {PROBED.general}")
needs_namespaces = pytest.mark.skipif(
    not PROBED.best or not PROBED.best.rung.namespaces, reason="no rung with namespaces holds here"
)
needs_landlock = pytest.mark.skipif(
    not landlock.find_supported_abi(), reason="no rung with Landlock holds here"
)


def simulated(*options: str, command: tuple[str, ...] = ("-m", "gradebox.kernel.sandbox_probe")) -> str:
    """What a Python command prints on another machine."""
    done = subprocess.run(
        [*SIMULATED, *options, sys.executable, *command], stdout=subprocess.PIPE, check=True
    )
    return done.stdout.decode()


def probed(*options: str) -> ProbeResult:
    return ProbeResult.read(simulated(*options))


@simulations
@needs_landlock
@needs_namespaces
@pytest.mark.parametrize("abi", range(1, min(landlock.find_supported_abi(), 6) + 1))
def test_the_rights_of_an_older_landlock_are_those_that_are_used(abi):
    best = probed("--landlock", str(abi)).best
    assert best.rung == SandboxMechanism(abi, namespaces=True) and best.whole
    assert best.in_force == (
        f"contained by Landlock {abi} and namespaces: files, processes, network, limits, clean-up"
    )


@simulations
@needs_landlock
@pytest.mark.parametrize("abi", [1, 3, 5])
def test_without_namespaces_system_calls_are_filtered_more_strictly(abi):
    """As in a container without privileges, also for root."""
    best = probed("--landlock", str(abi), "--without", "namespaces").best
    assert best.rung == SandboxMechanism(abi) and best.whole
    assert best.in_force.startswith(f"contained by Landlock {abi} and system-call rules: files, ")


@simulations
@needs_landlock
@needs_namespaces
def test_rights_that_are_promised_and_refused_are_done_without():
    """As on RHEL 9.7."""
    best = probed("--landlock", "5", "--says", "6").best
    assert best.rung == SandboxMechanism(5, namespaces=True) and best.whole


@simulations
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--landlock", "0"), "the sandbox needs Landlock: Linux was built without Landlock"),
        (("--without", "process-descriptors"), "the sandbox needs Linux 5.3"),
    ],
)
def test_where_nothing_holds_the_reasons_are_said(options, reason):
    found = probed(*options)
    assert found.best is None and not found.findings
    assert found.problem.startswith(reason)


@simulations
@needs_landlock
def test_a_rung_that_breaks_a_promise_is_not_taken_for_whole():
    """A filter that forbids nothing: what only it keeps student code from gets through."""
    script = (
        "from gradebox.kernel import sandbox_probe\n"
        "from gradebox.sandbox import sandbox, seccomp\n"
        "sandbox.compile_filter_cached = lambda truncation, signals: seccomp.SeccompFilter().program()\n"
        "print(sandbox_probe.probe_machine().text())\n"
    )
    found = ProbeResult.read(simulated("--landlock", "1", "--without", "namespaces", command=("-c", script)))
    finding = next(finding for finding in found.findings if finding.rung == SandboxMechanism(1))
    assert not finding.whole
    assert finding.broken["network"] == [
        "accept connections from outside",
        "list network addresses",
        "reach other sockets",
        "reach the network",
        "send datagrams",
    ]
    assert (
        "truncate files" in finding.broken["files"]
        and "signal other processes" in finding.broken["processes"]
    )


@needs_namespaces
def test_a_scratch_folder_without_a_size_is_found_out():
    script = (
        "from gradebox.kernel import sandbox_probe\n"
        "from gradebox.sandbox import namespaces\n"
        "mount = namespaces.mount\n"
        "def without_size(*where):\n"
        "    mount(*('mode=700' if 'nr_inodes' in str(each) else each for each in where))\n"
        "namespaces.mount = without_size\n"
        "print(sandbox_probe.probe_machine().text())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    findings = ProbeResult.read(done.stdout).findings
    first = next(finding for finding in findings if finding.rung.namespaces)
    assert first.broken == {LIMITS: ["keep more data in deleted files than the limit"]}


def test_the_rung_that_keeps_most_is_the_best():
    whole, weaker, worse = SandboxMechanism(1), SandboxMechanism(2), SandboxMechanism(3)
    findings = (
        MechanismResult(SandboxMechanism(7), problem="no"),
        MechanismResult(worse, broken={"files": ["a", "b"], LIMITS: ["c"]}),
        MechanismResult(weaker, broken={"files": ["a", "b"]}),
    )
    assert ProbeResult(findings).best.rung == weaker
    assert ProbeResult((*findings, MechanismResult(whole))).best.rung == whole
    assert ProbeResult.read(ProbeResult(findings).text()) == ProbeResult(findings)
    assert ProbeResult(findings[:1]).best is None and ProbeResult(findings[:1]).problem == "Landlock 7: no"


def test_numbers_of_system_calls_are_those_of_libseccomp_on_each_processor():
    import pyseccomp

    for processor in (pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64):
        for name, number in seccomp.SYSCALL_NUMBERS.items():
            assert pyseccomp.resolve_syscall(processor, name) in (number, seccomp.UNKNOWN_SYSCALL)
        named = (
            *seccomp.FORBIDDEN_SYSCALLS,
            *seccomp.IGNORED_SYSCALLS,
            *seccomp.SIGNAL_SYSCALLS,
            "tkill",
            "truncate",
            "openat",
        )
        for name in named:
            known = pyseccomp.resolve_syscall(processor, name) != seccomp.UNKNOWN_SYSCALL
            assert known or name in seccomp.SYSCALL_NUMBERS, name
    for name, number in (
        ("landlock_create_ruleset", landlock.CREATE_RULESET),
        ("landlock_add_rule", landlock.ADD_RULE),
        ("landlock_restrict_self", landlock.RESTRICT_SELF),
    ):
        for processor in (pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64):
            assert pyseccomp.resolve_syscall(processor, name) in (number, seccomp.UNKNOWN_SYSCALL)


def test_a_name_that_nobody_knows_is_an_error():
    with pytest.raises(ValueError, match="no_such_call"):
        seccomp.SeccompFilter().answer(1, "no_such_call")


def test_only_the_strictest_filter_names_its_own_process():
    strict, usual = seccomp.compile_filter(True, "others"), seccomp.compile_filter(False, "first")
    assert seccomp.OWN_PID_PLACEHOLDER in [value for *_, value in seccomp.INSTRUCTION.iter_unpack(strict)]
    assert seccomp.OWN_PID_PLACEHOLDER not in [value for *_, value in seccomp.INSTRUCTION.iter_unpack(usual)]


def test_children_are_found_where_linux_does_not_list_them(monkeypatch):
    child = subprocess.Popen(["sleep", "1000"])

    def refuse(*_):
        raise FileNotFoundError

    try:
        assert child.pid in resource_monitor.list_children(os.getpid())
        monkeypatch.setattr(resource_monitor.Path, "read_text", refuse)
        assert child.pid in resource_monitor.list_children(os.getpid())
    finally:
        child.kill()
        child.wait()


@simulations
def test_what_was_found_is_told_as_json():
    said = json.loads(simulated())
    assert set(said) == {"findings", "general"}
