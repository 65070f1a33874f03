"""Which assignments were checked as they are, in a small file in the course's folder.

It names no student, and whoever deletes it has everything checked again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import metadata
from typing import Any

from nbgrader.preprocessors import InstantiateTests

from gradebox.check.findings import Checked
from gradebox.course import CHECKED, Course, CourseError
from gradebox.files import in_one_step
from gradebox.grade.fingerprint import given, hashed, rules


class Remembered:
    """What was found in a course's assignments, as they were then."""

    def __init__(self, course: Course):
        self.course = course
        self.rules = f"{rules(course.app.config)} {metadata.version('nbgrader')}"
        self.found: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            said = json.loads((course.root / CHECKED).read_text(encoding="utf-8"))
            self.found = said if isinstance(said, dict) else {}

    def made_of(self, assignment: str) -> str:
        """A hash of all that a check of an assignment depends on."""
        digest = hashlib.sha256(self.rules.encode())
        templates = self.course.root / InstantiateTests(parent=self.course.app).autotest_filename
        own = given(self.course.path("source", assignment))
        beside = [(templates.name, templates.read_bytes())] if templates.is_file() else []
        for part in hashed([*own, *beside]):
            digest.update(part)
        return digest.hexdigest()

    def said(self, assignment: str) -> list[str] | None:
        """What was found in an assignment as it is now, a line each; None if that is not known."""
        entry = self.found.get(assignment)
        if not isinstance(entry, dict) or entry.get("made_of") != self.made_of(assignment):
            return None
        said = entry.get("said")
        return [str(line) for line in said] if isinstance(said, list) else None

    def keep(self, made_of: Mapping[str, str], checked: list[Checked]) -> None:
        """Keep what was found, but for what could not be checked. In a folder that is read-only, nothing is.

        made_of: the hashes from before the check, by assignment.
        """
        for assignment, digest in made_of.items():
            mine = [one for one in checked if one.assignment == assignment]
            self.found.pop(assignment, None)
            if not any(one.problem for one in mine):
                said = [line for one in mine for line in one.lines]
                self.found[assignment] = {"made_of": digest, "said": said}
        with suppress(OSError), in_one_step(self.course.root / CHECKED) as new:
            new.write_text(json.dumps(self.found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def lines(
    course: Course, assignments: list[str], check: Callable[[list[str]], list[Checked]]
) -> Iterator[str]:
    """What the authors of assignments should know, a line each. check: is called for those that changed."""
    remembered = Remembered(course)
    known = {assignment: remembered.said(assignment) for assignment in assignments}
    changed = [assignment for assignment, said in known.items() if said is None]
    found: list[Checked] = []
    try:
        found = check(changed) if changed else []
    except CourseError as error:
        yield f"{', '.join(changed)} can't be checked: {error}"
    for assignment, said in known.items():
        new = [line for one in found if one.assignment == assignment for line in one.lines]
        yield from said or new
