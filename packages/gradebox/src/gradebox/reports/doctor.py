"""What of this machine and this environment grading depends on: what was found, and what to do about it."""

import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import psutil
from packaging.requirements import InvalidRequirement, Requirement
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.autograde.process_pool import cores
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import Refused, in_force
from gradebox.sandbox.probe_results import Finding, Probed

NEWEST_TRIED = (3, 13)
# Less free disk or memory than this, in bytes, is worth a word.
LITTLE = 10**9
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. todo: what to do, in a sentence; None if all is well."""

    name: str
    found: str
    todo: str | None = None


def examine(root: Path) -> Iterator[Check]:
    """Look at this machine, this environment, and the course in this folder, if there is one."""
    try:
        course = Course(root)
        level = Execute(parent=course.app).isolation
    except CourseError:
        course, level = None, str(Execute.isolation.default_value)
    yield from containment(level, course)
    yield python()
    yield libraries(root / "requirements.txt")
    yield disk(root)
    yield memory(Execute(parent=course.app) if course else Execute())
    if course:
        yield formgrader(course)


def containment(level: str, course: Course | None) -> Iterator[Check]:
    """What is in force here, and what each rung of the ladder came to."""
    probed = Probed.anew()
    asked = f'c.Execute.isolation = "{level}"'
    try:
        force = in_force(level, lambda: probed, course.root if course else None)
        yield Check("student code", f"{force.line} ({asked})", force.warning)
    except Refused as refusal:
        yield Check("student code", f"nothing would be graded ({asked})", f"{refusal}.")
    if probed.no_landlock:
        yield Check("- Landlock", f"can't be used: {probed.no_landlock}")
    for finding in probed.findings:
        yield Check(f"- {finding.rung.name}", came_to(finding))


def came_to(finding: Finding) -> str:
    if finding.problem:
        return f"can't be used: {finding.problem}"
    return f"not in force: {finding.not_in_force}" if finding.broken else "holds: every attempt was stopped"


def python() -> Check:
    name = f"{platform.python_version()} on {platform.system()} {platform.release()}, {platform.machine()}"
    newest = ".".join(map(str, NEWEST_TRIED))
    todo = f"gradebox was never tried on a Python newer than {newest}: use that one."
    return Check("Python", name, todo if sys.version_info[:2] > NEWEST_TRIED else None)


def libraries(pins: Path) -> Check:
    """Whether the installed libraries are those that a course has pinned."""
    if not pins.is_file():
        return Check("libraries", "this folder has no requirements.txt to compare them with")
    differ, count = [], 0
    for line in pins.read_text(encoding="utf-8").splitlines():
        try:
            wanted = Requirement(line.partition("#")[0].strip())
        except InvalidRequirement:
            continue
        if wanted.marker and not wanted.marker.evaluate():
            continue
        count += 1
        try:
            installed = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            differ.append(f"{wanted.name} is not installed")
            continue
        if not wanted.specifier.contains(installed, prereleases=True):
            differ.append(f"{wanted.name} is {installed}, not {wanted.specifier}")
    if not differ:
        return Check("libraries", f"all {count} are as pinned in requirements.txt")
    return Check(
        "libraries",
        "; ".join(differ),
        "Scores can differ from those of others: `pip install -r requirements.txt` installs what is pinned.",
    )


def disk(root: Path) -> Check:
    places = {"for scratch folders": Path(tempfile.gettempdir()), "for the course": root}
    free = {name: shutil.disk_usage(place).free for name, place in places.items()}
    found = ", ".join(f"{size / 10**9:.1f} GB free {name} ({places[name]})" for name, size in free.items())
    todo = "Free some disk, or name another folder for scratch folders with TMPDIR."
    return Check("disk", found, todo if min(free.values()) < LITTLE else None)


def memory(execute: Execute) -> Check:
    free = psutil.virtual_memory().available
    # What a container may have is not what its machine has.
    limit = CGROUP_LIMIT.read_text().strip() if CGROUP_LIMIT.exists() else "max"
    free = min(free, int(limit)) if limit.isdigit() else free
    each = execute.memory_limit
    fit = max(1, int(free // each))
    found = (
        f"{free / 2**30:.1f} GiB free; each submission may take {each / 2**30:g} GiB, "
        f"and {cores()} would run at once"
    )
    todo = f"Grade with `--workers {fit}` if submissions may need all that they may take."
    return Check("memory", found, todo if fit < cores() else None)


def formgrader(course: Course) -> Check:
    """Whether nbgrader's Formgrader, started in the course's folder, shows this course."""
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager
    from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension

    enabled = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    if not enabled.get("nbgrader.server_extensions.formgrader"):
        return Check(
            "Formgrader",
            "Jupyter does not know it",
            "Start Jupyter from this environment; `jupyter server extension enable nbgrader` switches it on.",
        )
    with chdir(course.root):
        extension = FormgradeExtension(log_level="CRITICAL")
        extension.root_dir = str(course.root)
        extension.initialize([])
        shown = (course.root / extension.url_prefix).resolve()
        name = extension.coursedir.course_id or "without a name"
    if shown != course.root:
        return Check(
            "Formgrader",
            f"it would show {shown}",
            "An nbgrader_config.py elsewhere sets c.CourseDirectory.root: take that line out.",
        )
    return Check("Formgrader", f"`jupyter lab` in {course.root} shows this course ({name})")


def table(checks: list[Check]) -> RenderableType:
    """What was found, and below it what to do."""
    rows = Table.grid(padding=(0, 2))
    for check in checks:
        mark = Text("look", style="bold yellow") if check.todo else Text("ok", style="green")
        rows.add_row(Text(check.name), Text("") if check.name.startswith("-") else mark, Text(check.found))
    todo = [Text(f"{check.name}: {check.todo}", style="yellow") for check in checks if check.todo]
    return Group(rows, *([Text(), *todo] if todo else []))
