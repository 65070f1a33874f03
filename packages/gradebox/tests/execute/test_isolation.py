"""What is asked for and what the machine can give: taken, refused, or done without and said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import (
    LESSON,
    PROBED,
    QUICK,
    SIMULATED,
    WHOLE,
    contained,
    graded,
    hand_in,
    points_of,
    sample,
    sample_solved,
    simulations,
    with_settings,
)
from helpers import gradebox as run_command
from traitlets import TraitError

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.incidents import NOT_GRADED
from gradebox.course import Course
from gradebox.execute.isolation import ActiveIsolation, IsolationError, resolve_isolation
from gradebox.sandbox import landlock
from gradebox.sandbox.probe_results import MechanismResult, ProbeResult
from gradebox.sandbox.sandbox import SandboxMechanism

COMMAND = str(Path(sys.executable).with_name("gradebox"))
WEAK = MechanismResult(SandboxMechanism(1), broken={"files": ["create files in your folders"]})
STRONG = MechanismResult(SandboxMechanism(1, namespaces=True))
NOTHING = ProbeResult(general="the sandbox needs Linux, and this is Testland")
# A machine on which nothing contains student code.
BARE = ("--landlock", "0")


@pytest.fixture
def small(course) -> Course:
    """A course with one solved submission, whose files no test needs are left out."""
    hand_in(course, LESSON, "student", sample_solved())
    return course


def gradebox(course: Course, *arguments: str, machine: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    """Run a command of gradebox's in a course, on this machine or a simulated one."""
    if not machine:
        return run_command(course, *arguments)
    command = [*SIMULATED, *machine, COMMAND, *arguments]
    return subprocess.run(command, cwd=course.root, capture_output=True, text=True)


def full_points(course: Course) -> bool:
    possible, won = points_of(sample("source")), graded(course, LESSON, "student").scores
    return {test: won[test] for test in possible} == possible


@pytest.mark.parametrize("level", ["auto", "full", "sandbox"])
def test_what_keeps_all_promises_is_taken_without_a_warning(level):
    force = resolve_isolation(level, lambda: ProbeResult((STRONG,)))
    assert force == ActiveIsolation(
        True, "contained by Landlock 1 and namespaces: files, processes, network, limits, clean-up"
    )


def test_what_keeps_less_is_taken_with_a_warning_unless_all_was_asked_for():
    force = resolve_isolation("auto", lambda: ProbeResult((WEAK,)))
    assert force.contained and "processes, network" in force.line
    assert "create files in your folders" in force.warning and "container" in force.warning
    for level in ("full", "sandbox"):
        with pytest.raises(IsolationError, match="create files in your folders"):
            resolve_isolation(level, lambda: ProbeResult((WEAK,)))


def test_where_nothing_contains_the_judge_stays_and_the_warning_says_what_is_missing():
    force = resolve_isolation("auto", lambda: NOTHING)
    assert not force.contained and force.line == "not contained: the judge alone"
    assert "this is Testland" in force.warning and "the judge" in force.warning
    for level in ("full", "sandbox"):
        with pytest.raises(IsolationError, match="this is Testland") as refusal:
            resolve_isolation(level, lambda: NOTHING)
        assert "\n" not in str(refusal.value) and level in str(refusal.value)


@pytest.mark.parametrize("level", ["judge", "none"])
def test_what_was_given_up_by_name_is_said_each_time(level):
    force = resolve_isolation(level, lambda: ProbeResult((STRONG,)))
    assert not force.contained and f'"{level}"' in force.warning
    assert ("judge" in force.line.removeprefix("not contained, and no judge")) == (level == "judge")


def test_a_course_among_pythons_own_files_is_refused(tmp_path):
    for level in ("auto", "full"):
        with pytest.raises(IsolationError, match="move the course"):
            resolve_isolation(level, lambda: ProbeResult((STRONG,)), Path(os.__file__).parent)
    assert resolve_isolation("auto", lambda: ProbeResult((STRONG,)), tmp_path).contained


@contained
def test_every_run_says_what_is_in_force(small):
    done = gradebox(small, "autograde")
    assert done.returncode == 0, done.stderr
    isolation, waiting, _ = done.stdout.splitlines()[-3:]
    assert isolation.strip() == PROBED.best.in_force and "gradebox status" in waiting
    assert full_points(small)
    # Nothing is graded, so nothing is in force.
    assert "contained" not in gradebox(small, "autograde").stdout


@simulations
def test_a_machine_that_can_not_contain_grades_with_the_judge_and_warns_last(small):
    done = gradebox(small, "autograde", machine=BARE)
    assert done.returncode == 0, done.stderr
    last = " ".join(done.stdout.split()[-100:])
    assert "not contained: the judge alone WARNING: Student code can't be contained here" in last
    after = "1 thing waits: `gradebox status` All submissions are graded."
    assert last.endswith(f"or in a container (gradebox's docs/machines.md). {after}")
    assert full_points(small)


@simulations
def test_the_same_without_descriptors_of_processes_as_on_other_systems(small):
    done = gradebox(small, "autograde", machine=("--without", "process-descriptors"))
    assert done.returncode == 0, done.stderr
    assert "not contained: the judge alone" in done.stdout
    assert full_points(small)


@simulations
@pytest.mark.parametrize("level", ["full", "sandbox"])
def test_what_was_asked_for_by_name_and_can_not_be_had_is_refused_in_one_sentence(small, level):
    course = with_settings(small, f'c.Execute.isolation = "{level}"')
    done = gradebox(course, "autograde", machine=BARE)
    assert done.returncode == 2
    (sentence,) = done.stderr.strip().splitlines()
    assert f'"{level}"' in sentence and "Landlock" in sentence and "container" in sentence
    assert not course.path("autograded", LESSON, "student").exists()


@simulations
def test_nbgrader_s_own_command_says_and_refuses_the_same(small):
    simulation = [*SIMULATED, *BARE]
    nbgrader = [sys.executable, "-m", "nbgrader", "autograde", LESSON]
    quick = {"env": {**os.environ, **QUICK}, "capture_output": True, "text": True}
    done = subprocess.run([*simulation, *nbgrader], cwd=small.root, **quick)
    assert done.returncode == 0, done.stderr
    assert "not contained: the judge alone" in done.stderr and "WARNING" in done.stderr
    assert full_points(small)

    course = with_settings(small, 'c.Execute.isolation = "full"')
    done = subprocess.run([*simulation, *nbgrader, "--force"], cwd=course.root, **quick)
    assert done.returncode != 0 and "can't be contained here" in done.stderr
    assert not course.path("autograded", LESSON, "student").exists()


@contained
def test_nbgrader_s_own_command_says_what_contains(small):
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", LESSON],
        cwd=small.root,
        env={**os.environ, **QUICK},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and PROBED.best.in_force in done.stderr


@contained
@simulations
@pytest.mark.skipif(not landlock.find_supported_abi(), reason="no rung with Landlock holds here")
def test_when_containment_fails_in_the_middle_no_submission_is_to_blame(small):
    hand_in(small, LESSON, "later", sample_solved())
    # To find the ABI, to try the rung, and for the two kernels of the first submission.
    machine = ("--landlock", "1", "--rulesets", "4")
    done = gradebox(small, "autograde", "--workers", "1", machine=machine)
    assert done.returncode == 1, done.stderr
    incidents = json.loads((small.root / "incidents.json").read_text())
    assert [incident["kind"] for incident in incidents] == [NOT_GRADED]
    assert incidents[0]["what"] == (
        "student code could not be contained on this machine: syscall: Cannot allocate memory; "
        "nothing is wrong with the submission"
    )
    assert "unreadable" not in done.stdout and "1 graded" in done.stdout
    # The next run goes on where this one stopped.
    again = gradebox(small, "autograde")
    assert again.returncode == 0 and "1 graded, 1 unchanged" in again.stdout


def test_levels_other_than_the_known_ones_are_no_settings(course):
    broken = with_settings(course, 'c.Execute.isolation = "most"')
    hand_in(broken, LESSON, "student", sample_solved())
    with pytest.raises(TraitError, match="isolation"):
        autograde_submissions(broken, list(find_submissions(broken, [LESSON], ["student"])))


# Names that other systems lack, and modules that Windows lacks.
ELSEWHERE = """
import sys
# Other people's libraries know how to do without.
import gradebox.app, gradebox.audit.run_audit, gradebox.autograde.grade_submissions, gradebox.reports.doctor
import os, socket, signal
for name in [name for name in sys.modules if name.startswith("gradebox")]:
    del sys.modules[name]
for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
for module, names in (
    (os, "fork pidfd_open getuid geteuid getppid setsid sysconf sched_getaffinity O_PATH"),
    (socket, "AF_UNIX send_fds recv_fds"),
    (signal, "SIGKILL"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
from gradebox.__main__ import main
"""


ALL = (
    "import gradebox.app, gradebox.audit.run_audit, "
    "gradebox.autograde.grade_submissions, gradebox.reports.doctor"
)


@pytest.mark.parametrize("command", [ALL, "main()"])
def test_where_there_is_no_fork_all_can_be_imported(small, command):
    done = subprocess.run(
        [sys.executable, "-c", f"{ELSEWHERE}\nsys.argv = ['gradebox', 'autograde']\n{command}"],
        cwd=small.root,
        capture_output=True,
        text=True,
    )
    if command == "main()":
        assert done.returncode == 2
        (sentence,) = done.stderr.strip().splitlines()
        assert "WSL2" in sentence and "container" in sentence
    else:
        assert done.returncode == 0, done.stderr


def test_the_doctor_knows_what_holds(small):
    done = gradebox(small, "doctor")
    assert (done.returncode == 0) == WHOLE, done.stdout
    said = " ".join(done.stdout.split())
    if WHOLE:
        assert PROBED.best.in_force in said and "works: every attempt was blocked" in said
    assert "gradebook ok works with this nbgrader" in said
    assert sys.version.split()[0] in said


@simulations
def test_the_doctor_says_why_not_and_what_to_do(small):
    done = gradebox(small, "doctor", machine=BARE)
    assert done.returncode == 1
    said = " ".join(done.stdout.split())
    assert "the sandbox needs Landlock: Linux was built without Landlock" in said
    assert "student code: Student code can't be contained here" in said


def test_the_doctor_needs_no_course(tmp_path):
    done = subprocess.run([COMMAND, "doctor"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode == 0) == WHOLE, done.stderr
    assert "gradebook" not in done.stdout and "student code" in done.stdout
