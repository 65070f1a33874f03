"""Names that a course's files may use for a student, and matching of text against these names."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gradebox.course import Course

# A number in a table with fewer digits may be points instead of an id.
MIN_ID_DIGITS = 5


@dataclass(frozen=True)
class StudentIdentity:
    """A student of a course, with all known names.

    student: the id, which is the name of the folder. called: the id and all other names of this student: the
    e-mail address, the full name in both orders and in the form of file names, and the id in an LMS. others:
    names of the other students.
    """

    student: str
    called: frozenset[str]
    others: frozenset[str] = frozenset()

    @cached_property
    def pattern(self) -> re.Pattern:
        mine = {name for name in self.called if not is_numeric_text(name) or name == self.student}
        # `ada` must not match in `ada-maria`.
        longer = {other for other in self.others for name in mine if name in other and name != other}
        names = sorted(mine | longer, key=len, reverse=True)
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])")

    def is_named_in(self, text: str) -> bool:
        """Return True if a text (such as a file name) has one of this student's names as a whole word."""
        return any(found.group() in self.called for found in self.pattern.finditer(text))

    def is_named_in_path(self, path: str) -> bool:
        """Return True if a file's relative path contains one of this student's names.

        A short number may be a lesson's, so it matches only the whole name of a file or folder.
        """
        if not may_be_points(self.student):
            return self.is_named_in(path)
        return any(self.student in (part, Path(part).stem) for part in Path(path).parts)

    def matches_value(self, value: object, surely: bool = False) -> bool:
        """Return True if an entry of a table is this student.

        surely: True for a column that contains only students; otherwise a short number may be points.
        """
        said = str(value).strip() if isinstance(value, str | int) else ""
        return said in self.called and (surely or not may_be_points(said))


def is_numeric_text(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def may_be_points(text: str) -> bool:
    """Return True if a text may be a number of points or of a lesson instead of an id."""
    return is_numeric_text(text) and len(text) < MIN_ID_DIGITS


def load_student_identity(course: Course, student: str) -> StudentIdentity:
    """Return the identity of the student with this id, using the names in the gradebook."""
    mine, others = {student}, set(course.students) - {student}
    with course.gradebook() as gradebook:
        for known in gradebook.students:
            if known.id == student:
                mine |= build_name_variants(known.first_name, known.last_name) | {
                    known.email,
                    known.lms_user_id,
                }
            else:
                others |= build_name_variants(known.first_name, known.last_name) | {known.id, known.email}
    return StudentIdentity(student, frozenset(filter(None, mine)), frozenset(filter(None, others)))


def build_name_variants(first: str | None, last: str | None) -> set[str]:
    """Return a full name in the forms used in tables and in archives from an LMS."""
    if not first or not last:
        return set()
    squeezed = re.sub(r"[\W_]", "", last + first).lower()
    return {f"{first} {last}", f"{last} {first}", f"{last}, {first}", squeezed}
