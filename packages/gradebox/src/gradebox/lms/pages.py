"""Students' feedback pages in one archive, named as a learning platform wants them back."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import Row

from gradebox.course import Course
from gradebox.lms.names import canvas_name
from gradebox.lms.people import People
from gradebox.lms.sheet import write_bytes
from gradebox.report.standing import GRADED, Standing

# A date that any archive can have: the same pages make the same archive.
DATE = (1980, 1, 1, 0, 0, 0)


def write(
    course: Course,
    path: Path,
    platform: str,
    found: Mapping[str, Standing],
    people: People,
    collected: Mapping[tuple[str, str], Row],
    numbers: Mapping[str, str],
) -> tuple[int, list[str]]:
    """Write the pages of an assignment's graded submissions. Raises CourseError if that can't be done.

    numbers: Moodle's numbers of students in the assignment, if a worksheet has said them. Returns how many
    pages there are, and remarks, one sentence each.
    """
    pages: dict[str, Path] = {}
    missing = "graded submissions have no page: run `gradebox feedback`"
    stale = "pages are older than their grades: run `gradebox feedback`"
    nameless = f"pages can't be given back by {platform.capitalize()}: it has not said their numbers"
    without: dict[str, set[str]] = {missing: set(), stale: set(), nameless: set()}
    for student, standing in found.items():
        if standing.state != GRADED:
            continue
        assignment = standing.assignment
        folder = course.path("feedback", assignment, student)
        mine = [folder / f"{name}.html" for name in course.notebooks(assignment)]
        mine = [page for page in mine if page.is_file()]
        if not mine:
            without[missing].add(student)
        elif newest(folder) < newest(course.path("autograded", assignment, student)):
            without[stale].add(student)
        else:
            for page in mine:
                name = named(platform, page, student, people, collected.get((student, assignment)), numbers)
                if name:
                    pages[name] = page
                else:
                    without[nameless].add(student)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(pages):
            file.writestr(zipfile.ZipInfo(name, DATE), pages[name].read_bytes(), zipfile.ZIP_DEFLATED)
    write_bytes(path, archive.getvalue())
    return len(pages), [f"{len(students)} {why}" for why, students in without.items() if students]


def newest(folder: Path) -> float:
    """When the last notebook or page of a folder was written."""
    return max((path.stat().st_mtime for path in folder.glob("*.*") if path.is_file()), default=0.0)


def named(
    platform: str,
    page: Path,
    student: str,
    people: People,
    one: Row | None,
    numbers: Mapping[str, str],
) -> str | None:
    """What a platform calls a student's page; None if it has not said what it needs.

    Canvas: app/models/abstract_assignment.rb, infer_comment_context_from_filename: the numbers of student and
    file, as in the download. Moodle: mod/assign/feedback/file/importziplib.php: any name without an
    underscore, the student's number, and where it goes.
    """
    if platform == "canvas":
        known = canvas_name(Path(one.path).name) if one and one.platform == platform else None
        return f"{known.string[: known.start('file')]}{page.name}" if known and known["file"] else None
    if platform == "moodle":
        number = numbers.get(student) or (one.number if one and one.platform == platform else None)
        name = (people.students[student].name or student).replace("_", " ").replace("/", " ")
        return f"{name}_{number}_assignfeedback_file_{page.name}" if number else None
    return f"{student}/{page.parent.name}/{page.name}"
