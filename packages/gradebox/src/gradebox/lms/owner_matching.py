"""Match the owners that a platform's download names to students of the gradebook. Used by `collect.py`."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from gradebox.forgotten_students import ForgottenStudents
from gradebox.lms.collect_results import FORGOTTEN
from gradebox.lms.filename_patterns import DownloadedFile, DownloadOwner
from gradebox.lms.ignored_people import find_reason_to_ignore
from gradebox.lms.match_students import (
    AmbiguousStudentError,
    LmsStudent,
    StudentIndex,
    list_both_orders,
    make_student_id,
    normalize_name,
)
from gradebox.lms.student_claims import (
    MatchRank,
    StudentMatch,
    choose_claims,
    find_contradiction,
    has_exact_name,
    require_agreement,
)

# The platform of the numbers of Moodle's groups, which may be equal to the numbers of students.
MOODLE_GROUP = "moodle group"
NOT_IN_LIST = (
    "is not in the class list: import a newer list with `gradebox roster`, take the person in with "
    "--add-unknown, or name the person in c.Collect.ignored"
)


@dataclass
class OwnerMatcher:
    """Match of the owners of one download to students.

    add_unknown: add owners that an imported class list does not have; without a list, all are added.
    ignored: the setting `c.Collect.ignored`.
    namesakes: by normalized name, the platform's numbers of all students with that name. new: the ids of
    students who were not in the gradebook before. unsaved: those of them who are not yet in the gradebook,
    with their numbers. without_accents: the ids of students who were matched by
    their names without accents. students, problems, left_out: the result for each owner and number.
    """

    people: StudentIndex
    platform: str
    forgotten: ForgottenStudents
    add_unknown: bool = False
    ignored: Collection[str] = ()
    namesakes: dict[str, set[str | None]] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)
    unsaved: dict[str, str | None] = field(default_factory=dict)
    without_accents: set[str] = field(default_factory=set)
    students: dict[tuple[DownloadOwner, str | None], str] = field(default_factory=dict)
    problems: dict[tuple[DownloadOwner, str | None], str] = field(default_factory=dict)
    left_out: dict[tuple[DownloadOwner, str | None], str] = field(default_factory=dict)

    def match_owners(self, files: Iterable[DownloadedFile]) -> None:
        """Match all owners of a download, so that two owners are never the same student by name."""
        # Each owner, with the number of a submission.
        owners: dict[tuple[DownloadOwner, str | None], str | None] = {}
        for one in files:
            for owner in one.owners:
                self.namesakes.setdefault(normalize_name(owner.name), set()).add(one.number)
                owners.setdefault((owner, self.get_student_number(one.number)), one.number)
        claims: dict[tuple[DownloadOwner, str | None], StudentMatch] = {}
        for key in owners:
            match, problem = None, ""
            try:
                match = self.find_student(*key)
            except AmbiguousStudentError as error:
                problem = str(error)
            student = match.student.id if match else make_owner_id(key[0])
            is_listed = match is not None and student in self.people.roster
            reason = "" if is_listed else find_reason_to_ignore(key[0], self.platform, self.ignored)
            if not problem and student in self.forgotten:
                self.left_out[key] = (
                    f"{FORGOTTEN}: `gradebox forget {student} --readmit` lets the student in again"
                )
            elif reason:
                self.left_out[key] = reason
            elif match:
                claims[key] = match
            elif problem:
                self.problems[key] = problem
        self.students, problems = choose_claims(claims)
        self.problems |= problems
        done = {*self.problems, *self.students, *self.left_out}
        for key, number in owners.items():
            if key not in done:
                if self.people.roster and not self.add_unknown:
                    # A guest, or somebody who has joined the course since.
                    self.problems[key] = NOT_IN_LIST
                else:
                    self.students[key] = self.add_new_student(*key, number)
        self.without_accents = {
            self.students[key]
            for key, match in claims.items()
            if match.rank == MatchRank.NAME_WITHOUT_ACCENTS and key in self.students
        }
        for (_, its), student in self.students.items():
            if student not in self.new:
                self.save_number(its, student)

    def get_student(self, owner: DownloadOwner, number: str | None) -> str:
        """Return the id of a file's owner after `match_owners`. Raises AmbiguousStudentError."""
        key = owner, self.get_student_number(number)
        if key in self.problems:
            raise AmbiguousStudentError(self.problems[key])
        return self.students[key]

    def get_reason_to_ignore(self, owner: DownloadOwner, number: str | None) -> str:
        """Return the remark about a file's owner who is left out, or "", after `match_owners`."""
        return self.left_out.get((owner, self.get_student_number(number)), "")

    def get_student_number(self, number: str | None) -> str | None:
        """Return the number of a student. Gradescope's numbers identify submissions."""
        return number if self.platform in ("moodle", "canvas") else None

    def find_student(self, owner: DownloadOwner, its: str | None) -> StudentMatch | None:
        """Return the match of an owner with the student's number. Raises AmbiguousStudentError."""
        people = self.people
        by_number = self.find_by_number(owner, its) if its else None
        by_id, by_email = people.by_id(owner.id), people.by_email(owner.email)
        found = require_agreement((by_number, by_id, by_email))
        if found:
            exact = by_number or by_email or found.id == owner.id
            return StudentMatch(found, MatchRank.ID if exact else MatchRank.NAME)
        rank = MatchRank.NAME
        found = people.named(owner.name)
        if not found:
            rank = MatchRank.NAME_WITHOUT_ACCENTS
            found = people.named_without_accents(owner.name)
            if found and has_exact_name(found, self.namesakes):
                raise AmbiguousStudentError(
                    f"differs in accents from {found.id}, whose name is another owner's"
                )
        if not found:
            self.check_prefix(owner.name)
            return None
        number = its or "" if self.platform == "canvas" else ""
        # The name of a folder is not an id if it is not a student's.
        ids = (owner.id,) if owner.id != owner.name else ()
        problem = find_contradiction(found, number, ids, (owner.email,))
        if its and self.people.numbers.get((self.platform, its), found.id) != found.id:
            problem = (
                f"has the name of {found.id}, but the number of {self.people.numbers[self.platform, its]}"
            )
        if problem:
            raise AmbiguousStudentError(problem)
        return StudentMatch(found, rank)

    def find_by_number(self, owner: DownloadOwner, number: str) -> LmsStudent | None:
        """Return the student with a platform's number. In Moodle, the number may be a group's: then None."""
        if self.platform == "canvas":
            return self.people.by_number("canvas", number)
        names = set(map(normalize_name, list_possible_names(self.platform, owner.name)))
        # If the platform hides names, all students have the same name.
        hidden = len(self.namesakes[normalize_name(owner.name)]) > 1
        for platform in (self.platform, MOODLE_GROUP):
            found = self.people.by_number(platform, number)
            own = set(map(normalize_name, list_both_orders(found))) if found else set()
            if found and (hidden or not own or names & own):
                return found
        return None

    def check_prefix(self, name: str) -> None:
        """Raise AmbiguousStudentError if a name is a student's after a prefix, which may be a group's."""
        for possible in list_possible_names(self.platform, name)[1:]:
            found = self.people.named(possible)
            if found:
                raise AmbiguousStudentError(
                    f"may be {found.id} with a group's name in front, or another student: rename the folder, "
                    "or import Moodle's grading worksheet with `gradebox roster`"
                )

    def save_number(self, its: str | None, student: str) -> None:
        """Store a student's number. A number of another student in Moodle is then a group's."""
        people, platform = self.people, self.platform
        if not its:
            return
        if platform == "moodle" and people.numbers.get((platform, its), student) != student:
            platform = MOODLE_GROUP
        people.save_number(platform, its, student)
        found = people.students[student]
        if platform == "canvas" and not found.number:
            # In Canvas, a student has the same number in all assignments.
            people.save(replace(found, number=its))

    def add_new_student(self, owner: DownloadOwner, its: str | None, number: str | None) -> str:
        """Add an unknown student to the index, and return the id. its: the student's platform number."""
        name = make_owner_id(owner)
        if name in self.people.students:
            name = make_student_id(f"{name} {number or owner.email or len(self.people.students)}")
        # Canvas's file names have only the letters of a name, without spaces: not usable as a name.
        first, _, last = owner.name.rpartition(" ") if self.platform != "canvas" else ("", "", "")
        self.people.add(LmsStudent(name, first, last, owner.email))
        self.new.add(name)
        self.unsaved[name] = its
        return name

    def save_new_student(self, student: str) -> None:
        """Write a new student to the gradebook. Call this when a file of the student was taken."""
        if student in self.unsaved:
            its = self.unsaved.pop(student)
            self.people.save(self.people.students[student])
            self.save_number(its, student)


def make_owner_id(owner: DownloadOwner) -> str:
    """Return the id of an owner who becomes a new student."""
    return make_student_id(owner.id or owner.name or owner.email)


def list_possible_names(platform: str, name: str) -> list[str]:
    """Return candidate names for a student. Moodle before 4.1 prefixes the group's name and a hyphen."""
    parts = name.split("-") if platform == "moodle" else [name]
    return ["-".join(parts[start:]) for start in range(len(parts))]
