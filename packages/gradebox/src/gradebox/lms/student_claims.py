"""Decide between owners or rows of a platform that match the same student. Used by `collect` and `export`."""

from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from gradebox.lms.match_students import AmbiguousStudentError, LmsStudent, list_both_orders, normalize_name

Key = TypeVar("Key", bound=Hashable)


class MatchRank(IntEnum):
    """Reliability of a match, most reliable first. Only the first three identify a student alone."""

    NUMBER = 0
    ID = 1
    EMAIL = 2
    NAME = 3
    NAME_WITHOUT_ACCENTS = 4

    @property
    def is_strong(self) -> bool:
        return self < MatchRank.NAME


@dataclass(frozen=True)
class StudentMatch:
    """Match of an owner or of a row with a student of the gradebook."""

    student: LmsStudent
    rank: MatchRank


def choose_claims(claims: Mapping[Key, StudentMatch]) -> tuple[dict[Key, str], dict[Key, str]]:
    """Return the students' ids of the accepted claims, and the problems of the others.

    A match by number, id or e-mail address excludes all matches by name. An exact name excludes names without
    accents. Of several equal matches by name, none is accepted.
    """
    by_student: dict[str, list[tuple[Key, MatchRank]]] = {}
    for key, match in claims.items():
        by_student.setdefault(match.student.id, []).append((key, match.rank))
    accepted, problems = {}, {}
    for student, found in by_student.items():
        best = min(rank for _, rank in found)
        count = sum(rank == best for _, rank in found)
        for key, rank in found:
            if rank.is_strong or (rank == best and count == 1):
                accepted[key] = student
            elif rank == best:
                problems[key] = f"is one of {count} with the name of {student}, the only one in the gradebook"
            else:
                problems[key] = f"has the name of {student}, but another file or row is a better match"
    return accepted, problems


def has_exact_name(student: LmsStudent, names: Container[str]) -> bool:
    """Return True if a student's name is among normalized names."""
    return any(normalize_name(name) in names for name in list_both_orders(student))


def require_agreement(students: Iterable[LmsStudent | None]) -> LmsStudent | None:
    """Return the student that all known ones are; None if none is known. Raises AmbiguousStudentError."""
    found = {one.id: one for one in students if one}
    if len(found) > 1:
        raise AmbiguousStudentError(
            f"the number, the id and the e-mail address are of different students: {', '.join(sorted(found))}"
        )
    return next(iter(found.values()), None)


def find_contradiction(
    student: LmsStudent, number: str = "", ids: Iterable[str] = (), emails: Iterable[str] = ()
) -> str:
    """Return the reason why a student with this name is another person; "" without such a reason.

    number: a number of Canvas.
    """
    given = {
        "number": (student.number, [number]),
        "id": (student.id, ids),
        "e-mail address": (student.email, emails),
    }
    for what, (known, others) in given.items():
        different = [one.strip() for one in others if one.strip()]
        if known and different and known.casefold() not in map(str.casefold, different):
            return f"looks like {student.id}, but has the {what} {different[0]}, not {known}"
    return ""
