"""Which submissions to a lesson have code that is unusually alike: k-grams of tokens, by copydetect.

Names and comments don't count, nor what was released, nor what many have written. It accuses nobody: two who
were taught the same write alike. The method: Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for
Document Fingerprinting", SIGMOD 2003, with a window of 1, so that every k-gram counts.
"""

import io
import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from copydetect import CodeFingerprint, compare_files
from copydetect.utils import get_token_coverage
from nbgrader import utils

from gradebox.autograde.fingerprint import read_graded_copies
from gradebox.course import Course
from gradebox.notebook import get_grade_id
from gradebox.reports.exercise_results import find_exercises

# Characters of code whose names are one letter each: shorter passages say nothing.
KGRAM_LENGTH = 14
# The part of a class that has something in common without having it from each other; and at least so many.
COMMON_SHARE, MIN_COMMON_STUDENTS = 0.2, 3
# A pair is listed from here on: this part of what is left of both is the same, and so many characters.
MIN_SIMILARITY, MIN_SHARED_CHARS = 0.5, 150
# With what many have, a pair is listed from here on.
NEAR_COPY_SIMILARITY = 0.9
# Pairs of such a class that are listed at most.
MAX_LISTED_PAIRS = 40

# By exercise, the code of a student.
CodeByExercise = Mapping[str, str]


@dataclass(frozen=True)
class PairSide:
    """One student's code for an exercise, and what of it the other has, as (begin, end) of characters."""

    code: str
    same: tuple[tuple[int, int], ...]

    @property
    def parts(self) -> list[tuple[bool, str]]:
        """The code in parts, and whether each is the same."""
        found, at = [], 0
        for begin, end in sorted(self.same):
            found += [(False, self.code[at:begin]), (True, self.code[max(at, begin) : end])]
            at = max(at, end)
        return [*found, (False, self.code[at:])]


@dataclass(frozen=True)
class SimilarPair:
    """Two students. share: of what is left of one of them, the larger part that the other has, too.

    size: how many characters that is.
    exercises: both sides of each in which something is the same.
    """

    students: tuple[str, str]
    share: float
    size: int
    exercises: Mapping[str, tuple[PairSide, PairSide]]


@dataclass(frozen=True)
class Similarity:
    """What a comparison has found.

    pairs: the most alike. alike: how many are. compared: how many pairs. typical: the middle share of them.
    many: what more students have than this is nobody's. silent: of whom too little is left to compare.
    """

    pairs: list[SimilarPair]
    alike: int
    many: int
    compared: int
    typical: float
    silent: list[str]


# By student and exercise, hashes of k-grams of the code.
Fingerprints = Mapping[str, Mapping[str, CodeFingerprint]]


def fingerprint_code(code: str) -> CodeFingerprint:
    """Return the hashes of all k-grams of code."""
    # A language is named: from a file's name, comments and magics would be guessed.
    return CodeFingerprint("answer.py", KGRAM_LENGTH, 1, language="python", fp=io.StringIO(code))


def collect_code(course: Course, assignment: str) -> dict[str, CodeByExercise]:
    """By student, the code of each exercise, of all that was graded."""
    titles = exercise_titles(course, assignment)
    found: dict[str, CodeByExercise] = {}
    for student in course.roster:
        parts: dict[str, list[str]] = {}
        for name, copy in read_graded_copies(course, assignment, student).items():
            for cell in copy.cells:
                if cell.cell_type == "code" and utils.is_solution(cell):
                    title = titles.get((name, get_grade_id(cell)), get_grade_id(cell))
                    parts.setdefault(title, []).append(cell.source)
        if parts:
            found[student] = {title: "\n\n".join(texts) for title, texts in parts.items()}
    return found


def exercise_titles(course: Course, assignment: str) -> dict[tuple[str, str], str]:
    """What the exercise of each solution cell that earns points is called."""
    found: dict[tuple[str, str], str] = {}
    for exercise in find_exercises(course.sources(assignment)):
        # A heading may be a number alone, which is then the title, too.
        title = " ".join(dict.fromkeys(filter(None, (exercise.number, exercise.title))))
        for cell in (*exercise.tests, *exercise.answers):
            for name in (cell.grade_id, *exercise.solutions):
                found.setdefault((cell.notebook, name), title)
    return found


def released_code(course: Course, assignment: str) -> str:
    """All code that students were given."""
    cells = [cell for notebook in course.released(assignment).values() for cell in notebook.cells]
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "code")


def compare_students(code: Mapping[str, CodeByExercise], released: str) -> Similarity:
    """Compare every two students. code: by student and exercise."""
    prints = {
        student: {exercise: fingerprint_code(text) for exercise, text in parts.items()}
        for student, parts in code.items()
    }
    remove_common_hashes(prints, fingerprint_code(released).hashes)
    # Of several who have all from each other, nothing would be left below.
    pairs = {pair.students: pair for pair in find_similar_pairs(prints, NEAR_COPY_SIMILARITY)[0]}
    seen: Counter[int] = Counter()
    for parts in prints.values():
        seen.update({h for one in parts.values() for h in one.hashes})
    many = max(MIN_COMMON_STUDENTS, int(COMMON_SHARE * len(prints)))
    remove_common_hashes(prints, {h for h, count in seen.items() if count > many})
    found, shares, silent = find_similar_pairs(prints, MIN_SIMILARITY)
    pairs = {pair.students: pair for pair in found} | pairs
    listed = sorted(pairs.values(), key=lambda one: (-one.share * one.size, one.students))
    typical = statistics.median(shares) if shares else 0.0
    return Similarity(listed[:MAX_LISTED_PAIRS], len(listed), many, len(shares), typical, silent)


def remove_common_hashes(prints: Fingerprints, common: set[int]) -> None:
    """Take hashes out of all students' that are not their own."""
    for one in (one for parts in prints.values() for one in parts.values()):
        one.hashes -= common
        one.hash_idx = {h: at for h, at in one.hash_idx.items() if h in one.hashes}
        one.token_coverage = int(get_token_coverage(one.hash_idx, KGRAM_LENGTH, len(one.filtered_code)))


def find_similar_pairs(
    prints: Fingerprints, least: float
) -> tuple[list[SimilarPair], list[float], list[str]]:
    """The pairs with at least this share in common, the shares of all, and of whom too little is left."""
    left = {student: sum(one.token_coverage for one in parts.values()) for student, parts in prints.items()}
    silent = sorted(student for student, size in left.items() if size < MIN_SHARED_CHARS)
    pairs, shares = [], []
    for students in combinations(sorted(set(prints) - set(silent)), 2):
        first, second = (prints[student] for student in students)
        same, exercises = [0, 0], {}
        for exercise in sorted(first.keys() & second.keys()):
            sides = first[exercise], second[exercise]
            overlap, parts, places = compare_files(*sides)
            if overlap:
                # It says how much is the same of the first only, and which part that is of each.
                same = [
                    total + round(part * one.token_coverage)
                    for total, part, one in zip(same, parts, sides, strict=True)
                ]
                exercises[exercise] = (
                    build_pair_side(sides[0], places[0]),
                    build_pair_side(sides[1], places[1]),
                )
        # Who has solved little may have all of it from who has solved all.
        share, size = max(
            (count / left[student], count) for count, student in zip(same, students, strict=True)
        )
        shares.append(share)
        if share >= least and size >= MIN_SHARED_CHARS:
            pairs.append(SimilarPair(students, share, size, exercises))
    return pairs, shares, silent


def build_pair_side(one: CodeFingerprint, places: np.ndarray) -> PairSide:
    """Return a student's code with what is the same in it. places: where that begins, and where it ends."""
    return PairSide(one.raw_code, tuple((int(begin), int(end)) for begin, end in places.T))
