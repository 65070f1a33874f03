"""Diagnose what prevents grading: sandbox, Python, kernels and gradebook (`gradebox doctor`)."""

import json
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import IsolationError, resolve_isolation
from gradebox.execute.kernel_specs import KernelError, find_interpreter_of, read_kernel_name
from gradebox.gradebook_transactions import GRADEBOOK_ERRORS
from gradebox.kernel.interpreter import OWN_INTERPRETER
from gradebox.sandbox.probe_results import MechanismResult, ProbeResult

NEWEST_TESTED_PYTHON = (3, 14)


@dataclass(frozen=True)
class DiagnosticCheck:
    """Result of one check. todo: what to do, in a sentence; None if the check passed."""

    name: str
    found: str
    todo: str | None = None


def run_diagnostics(root: Path) -> Iterator[DiagnosticCheck]:
    """Check the sandbox and Python, and the course in `root` if the folder contains a course."""
    try:
        course = Course(root)
        level = Execute(parent=course.app).isolation
    except CourseError:
        course, level = None, str(Execute.isolation.default_value)
    yield from check_student_isolation(level, course)
    yield check_python()
    if course:
        yield from check_kernels(course)
        yield check_gradebook(course)


def check_student_isolation(level: str, course: Course | None) -> Iterator[DiagnosticCheck]:
    """Yield the active isolation of student code, and the result of probing each mechanism."""
    probed = ProbeResult.anew()
    asked = f'c.Execute.isolation = "{level}"'
    try:
        force = resolve_isolation(level, lambda: probed, course.root if course else None)
        yield DiagnosticCheck("student code", f"{force.line} ({asked})", force.warning)
    except IsolationError as refusal:
        yield DiagnosticCheck("student code", f"nothing would be graded ({asked})", f"{refusal}.")
    for finding in probed.findings:
        yield DiagnosticCheck(f"- {finding.rung.name}", describe_finding(finding))


def describe_finding(finding: MechanismResult) -> str:
    if finding.problem:
        return f"can't be used: {finding.problem}"
    if finding.broken:
        return f"not guaranteed: {finding.missing_guarantees}"
    return "works: every attempt was blocked"


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


def check_gradebook(course: Course) -> DiagnosticCheck:
    try:
        found = course.check_gradebook()
    except (CourseError, *GRADEBOOK_ERRORS) as error:
        return DiagnosticCheck("gradebook", "can't be used", f"{error}.")
    return DiagnosticCheck("gradebook", "works with this nbgrader" if found else "not created yet")


def format_diagnostics(checks: list[DiagnosticCheck]) -> RenderableType:
    """Format the results of the checks, followed by what to do."""
    rows = Table.grid(padding=(0, 2))
    for check in checks:
        mark = Text("look", style="bold yellow") if check.todo else Text("ok", style="green")
        rows.add_row(Text(check.name), Text("") if check.name.startswith("-") else mark, Text(check.found))
    todo = [Text(f"{check.name}: {check.todo}", style="yellow") for check in checks if check.todo]
    return Group(rows, *([Text(), *todo] if todo else []))
