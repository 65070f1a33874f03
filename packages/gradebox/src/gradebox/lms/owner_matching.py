"""Match the owners that a platform's download names to students of the gradebook. Used by `collect.py`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gradebox.lms.filename_patterns import DownloadedFile, DownloadOwner
from gradebox.lms.match_students import (
    AmbiguousStudentError,
    LmsStudent,
    StudentIndex,
    list_name_keys,
    make_student_id,
    normalize_name,
)


@dataclass
class OwnerMatcher:
    """Match of the owners of one download to students.

    namesakes: by normalized name, the platform's numbers of all students with that name. new: the ids of
    students who were not in the gradebook before.
    """

    people: StudentIndex
    platform: str
    namesakes: dict[str, set[str | None]] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)

    def count_names(self, files: Iterable[DownloadedFile]) -> None:
        """Record the names of all owners, so that students with the same name are told apart."""
        for one in files:
            for owner in one.owners:
                self.namesakes.setdefault(normalize_name(owner.name), set()).add(one.number)

    def match_owner(self, owner: DownloadOwner, number: str | None) -> str:
        """Return the id of a file's owner. A new student is added. Raises AmbiguousStudentError."""
        people, platform = self.people, self.platform
        # Gradescope's numbers identify submissions, not students.
        its = number if platform in ("moodle", "canvas") else None
        found = (
            (its and self.find_by_number(owner, its))
            or (owner.id and people.by_id(owner.id))
            or (owner.email and people.by_email(owner.email))
        )
        if not found:
            namesakes = self.namesakes[normalize_name(owner.name)]
            found = next(filter(None, map(people.named, list_possible_names(platform, owner.name))), None)
            if len(namesakes) > 1:
                if found and found.id not in self.new:
                    several = f"{len(namesakes)} students in this download are called {owner.name}"
                    raise AmbiguousStudentError(f"{several}, but the gradebook has only one of them")
                found = None
        if not found:
            found = self.add_new_student(owner, number)
        if its:
            people.save_number(platform, its, found.id)
        if its and platform == "canvas" and not found.number:
            # In Canvas, a student has the same number in all assignments.
            people.save(replace(found, number=its))
        return found.id

    def find_by_number(self, owner: DownloadOwner, number: str) -> LmsStudent | None:
        """Return the student with a platform's number. In Moodle, the number may be a group's: then None."""
        found = self.people.by_number(self.platform, number)
        if not found or self.platform == "canvas":
            return found
        names = {normalize_name(name) for name in list_possible_names(self.platform, owner.name)}
        # If the platform hides names, all students have the same name.
        hidden = len(self.namesakes[normalize_name(owner.name)]) > 1
        return found if hidden or not found.name or names & list_name_keys(found) else None

    def add_new_student(self, owner: DownloadOwner, number: str | None) -> LmsStudent:
        """Add an unknown student to the gradebook, and return the student."""
        name = make_student_id(owner.id or owner.name or owner.email)
        if name in self.people.students:
            name = make_student_id(f"{name} {number or owner.email or len(self.people.students)}")
        # Canvas's file names have only the letters of a name, without spaces: not usable as a name.
        first, _, last = owner.name.rpartition(" ") if self.platform != "canvas" else ("", "", "")
        student = LmsStudent(name, first, last, owner.email)
        self.new.add(name)
        self.people.save(student)
        return student


def list_possible_names(platform: str, name: str) -> list[str]:
    """Return candidate names for a student. Moodle before 4.1 prefixes the group's name and a hyphen."""
    parts = name.split("-") if platform == "moodle" else [name]
    return ["-".join(parts[start:]) for start in range(len(parts))]
