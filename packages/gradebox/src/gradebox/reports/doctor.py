"""Diagnose the machine, the environment and the course that grading depends on (`gradebox doctor`)."""

import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import psutil
from packaging.requirements import InvalidRequirement, Requirement
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.autograde.process_pool import count_cores
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import IsolationError, resolve_isolation
from gradebox.execute.kernel_specs import KernelError, find_interpreter_of, read_kernel_name
from gradebox.gradebook_transactions import GRADEBOOK_ERRORS
from gradebox.kernel.interpreter import OWN_INTERPRETER
from gradebox.sandbox.probe_results import MechanismResult, ProbeResult

NEWEST_TESTED_PYTHON = (3, 14)
# Warn below this free disk space, in bytes.
MIN_FREE_DISK = 10**9
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class DiagnosticCheck:
    """Result of one check. todo: what to do, in a sentence; None if the check passed."""

    name: str
    found: str
    todo: str | None = None


def run_diagnostics(root: Path) -> Iterator[DiagnosticCheck]:
    """Check the machine, the environment, and the course in `root` if the folder contains a course."""
    try:
        course = Course(root)
        level = Execute(parent=course.app).isolation
    except CourseError:
        course, level = None, str(Execute.isolation.default_value)
    yield from check_student_isolation(level, course)
    yield check_python()
    if course:
        yield from check_kernels(course)
    yield check_libraries(root / "requirements.txt")
    yield check_disk(root)
    yield check_memory(Execute(parent=course.app) if course else Execute())
    if course:
        yield check_gradebook(course)
        yield check_formgrader(course)


def check_student_isolation(level: str, course: Course | None) -> Iterator[DiagnosticCheck]:
    """Yield the active isolation of student code, and the result of probing each mechanism."""
    probed = ProbeResult.anew()
    asked = f'c.Execute.isolation = "{level}"'
    try:
        force = resolve_isolation(level, lambda: probed, course.root if course else None)
        yield DiagnosticCheck("student code", f"{force.line} ({asked})", force.warning)
    except IsolationError as refusal:
        yield DiagnosticCheck("student code", f"nothing would be graded ({asked})", f"{refusal}.")
    if probed.no_landlock:
        yield DiagnosticCheck("- Landlock", f"can't be used: {probed.no_landlock}")
    for finding in probed.findings:
        yield DiagnosticCheck(f"- {finding.rung.name}", describe_finding(finding))


def describe_finding(finding: MechanismResult) -> str:
    if finding.problem:
        return f"can't be used: {finding.problem}"
    return (
        f"not guaranteed: {finding.missing_guarantees}"
        if finding.broken
        else "works: every attempt was blocked"
    )


def check_python() -> DiagnosticCheck:
    name = f"{OWN_INTERPRETER} on {platform.system()} {platform.release()}, {platform.machine()}"
    newest = ".".join(map(str, NEWEST_TESTED_PYTHON))
    todo = f"gradebox is tested with Python up to {newest}: use that version."
    return DiagnosticCheck("Python", name, todo if sys.version_info[:2] > NEWEST_TESTED_PYTHON else None)


def check_kernels(course: Course) -> Iterator[DiagnosticCheck]:
    """Yield the Python of each kernel that the course's notebooks name, unless it is gradebox's own."""
    execute = Execute(parent=course.app)
    lessons: dict[str, list[str]] = {}
    for assignment in course.assignments:
        for name, text in course.texts(assignment).items():
            with suppress(ValueError):
                lessons.setdefault(read_kernel_name(execute, json.loads(text)), []).append(
                    f"{assignment}/{name}"
                )
    for kernel, names in sorted(lessons.items()):
        try:
            interpreter = find_interpreter_of(kernel)
        except KernelError as error:
            yield DiagnosticCheck("kernel", f"{kernel}: missing, for {', '.join(names)}", f"{error}.")
            continue
        if interpreter is None or not interpreter.is_own:
            yield DiagnosticCheck(
                "kernel", f"{kernel}: {interpreter or 'not ipykernel, so without a sandbox'}"
            )


def check_libraries(pins: Path) -> DiagnosticCheck:
    """Compare the installed libraries with the versions that a course pins.

    Libraries that are not installed are only named: a course also pins what its tests need. Before grading,
    each lesson's own solution shows whether the lesson lacks a library.
    """
    if not pins.is_file():
        return DiagnosticCheck("libraries", "this folder has no requirements.txt to compare them with")
    differ, missing, count = [], [], 0
    for line in pins.read_text(encoding="utf-8").splitlines():
        try:
            wanted = Requirement(line.partition("#")[0].strip())
        except InvalidRequirement:
            continue
        if wanted.marker and not wanted.marker.evaluate():
            continue
        try:
            installed = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            missing.append(wanted.name)
            continue
        count += 1
        if not wanted.specifier.contains(installed, prereleases=True):
            differ.append(f"{wanted.name} is {installed}, not {wanted.specifier}")
    absent = [f"not installed: {', '.join(missing)}"] if missing else []
    if not differ:
        said = f"all {count} that are installed match requirements.txt"
        return DiagnosticCheck("libraries", "; ".join([said, *absent]))
    return DiagnosticCheck(
        "libraries",
        "; ".join(differ + absent),
        "Scores can differ from other machines: run `pip install -r requirements.txt`.",
    )


def check_disk(root: Path) -> DiagnosticCheck:
    places = {"for scratch folders": Path(tempfile.gettempdir()), "for the course": root}
    free = {name: shutil.disk_usage(place).free for name, place in places.items()}
    found = ", ".join(f"{size / 10**9:.1f} GB free {name} ({places[name]})" for name, size in free.items())
    todo = "Free some disk space, or set TMPDIR to another folder for scratch folders."
    return DiagnosticCheck("disk", found, todo if min(free.values()) < MIN_FREE_DISK else None)


def check_memory(execute: Execute) -> DiagnosticCheck:
    free = psutil.virtual_memory().available
    # A container's limit can be below the memory of the machine.
    limit = CGROUP_LIMIT.read_text().strip() if CGROUP_LIMIT.exists() else "max"
    free = min(free, int(limit)) if limit.isdigit() else free
    each = execute.memory_limit
    fit = max(1, int(free // each))
    found = (
        f"{free / 2**30:.1f} GiB free; each submission may take {each / 2**30:g} GiB, "
        f"and {count_cores()} would run at once"
    )
    todo = f"Grade with `--workers {fit}` if submissions may use their full memory limit."
    return DiagnosticCheck("memory", found, todo if fit < count_cores() else None)


def check_gradebook(course: Course) -> DiagnosticCheck:
    try:
        found = course.check_gradebook()
    except (CourseError, *GRADEBOOK_ERRORS) as error:
        return DiagnosticCheck("gradebook", "can't be used", f"{error}.")
    return DiagnosticCheck("gradebook", "works with this nbgrader" if found else "not created yet")


def check_formgrader(course: Course) -> DiagnosticCheck:
    """Check that nbgrader's Formgrader, started in the course's folder, shows this course."""
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager
    from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension

    enabled = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    if not enabled.get("nbgrader.server_extensions.formgrader"):
        return DiagnosticCheck(
            "Formgrader",
            "not enabled in Jupyter",
            "Start Jupyter from this environment; `jupyter server extension enable nbgrader` enables it.",
        )
    with chdir(course.root):
        extension = FormgradeExtension(log_level="CRITICAL")
        extension.root_dir = str(course.root)
        extension.initialize([])
        shown = (course.root / extension.url_prefix).resolve()
        name = extension.coursedir.course_id or "without a name"
    if shown != course.root:
        return DiagnosticCheck(
            "Formgrader",
            f"would show {shown}",
            "Another nbgrader_config.py sets c.CourseDirectory.root: remove that line.",
        )
    return DiagnosticCheck("Formgrader", f"`jupyter lab` in {course.root} shows this course ({name})")


def format_diagnostics(checks: list[DiagnosticCheck]) -> RenderableType:
    """Format the results of the checks, followed by what to do."""
    rows = Table.grid(padding=(0, 2))
    for check in checks:
        mark = Text("look", style="bold yellow") if check.todo else Text("ok", style="green")
        rows.add_row(Text(check.name), Text("") if check.name.startswith("-") else mark, Text(check.found))
    todo = [Text(f"{check.name}: {check.todo}", style="yellow") for check in checks if check.todo]
    return Group(rows, *([Text(), *todo] if todo else []))
