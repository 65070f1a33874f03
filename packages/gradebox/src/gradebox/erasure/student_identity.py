"""By what a course's files may call a student, and whether a text means that one and no other."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gradebox.course import Course

# With fewer digits, a number in a table may be points as well.
MIN_ID_DIGITS = 5


@dataclass(frozen=True)
class StudentIdentity:
    """A student of a course.

    student: the id, which is the name of the folder. called: the id, and all else that is known to mean this
    student: the e-mail address, the full name in both orders and as file names have it, the id on a learning
    platform. others: what the other students are called.
    """

    student: str
    called: frozenset[str]
    others: frozenset[str] = frozenset()

    @cached_property
    def pattern(self) -> re.Pattern:
        mine = {name for name in self.called if not is_numeric_text(name) or name == self.student}
        # `ada` is not meant where `ada-maria` stands.
        longer = {other for other in self.others for name in mine if name in other and name != other}
        names = sorted(mine | longer, key=len, reverse=True)
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])")

    def is_named_in(self, text: str) -> bool:
        """Whether a text, such as the name of a file, has one of this student's names as a whole word."""
        return any(found.group() in self.called for found in self.pattern.finditer(text))

    def is_named_in_path(self, path: str) -> bool:
        """Whether a file's relative path has one of this student's names in it.

        A short number may be a lesson's, and means this student only if a file or folder is called that.
        """
        if not may_be_points(self.student):
            return self.is_named_in(path)
        return any(self.student in (part, Path(part).stem) for part in Path(path).parts)

    def matches_value(self, value: object, surely: bool = False) -> bool:
        """Whether an entry of a table is this student.

        surely: whether it stands where nothing but students stand; else a short number may be points.
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
    """Whether a text may be a number of points, or of a lesson, as well as an id."""
    return is_numeric_text(text) and len(text) < MIN_ID_DIGITS


def load_student_identity(course: Course, student: str) -> StudentIdentity:
    """The student with this id, with what the gradebook knows of them."""
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
    """A full name as tables have it, and as archives of learning platforms do."""
    if not first or not last:
        return set()
    squeezed = re.sub(r"[\W_]", "", last + first).lower()
    return {f"{first} {last}", f"{last} {first}", f"{last}, {first}", squeezed}
