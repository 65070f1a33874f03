"""Find submissions to a lesson with unusually similar code, by k-grams of tokens (copydetect).

Called by `gradebox similar`. Names, comments, released code and code that many students wrote do not count.
Similar code does not prove copying: students of the same course write similar code. Method: Schleimer,
Wilkerson and Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003, with a window of
1, so that every k-gram counts.
"""

import io
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from copydetect import CodeFingerprint, compare_files
from copydetect.utils import get_token_coverage
from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.autograde.fingerprint import read_graded_copies
from gradebox.autograde.repair_notebook import repair_notebook
from gradebox.course import REPLACED_FOLDER, Course
from gradebox.notebook_exercises import get_grade_id
from gradebox.notebook_json import read_notebook
from gradebox.reports.exercise_results import find_exercises
from gradebox.safe_submission_files import UnreadableSubmissionError

# Length of a k-gram in characters, with each name shortened to one letter. Shorter matches are insignificant.
KGRAM_LENGTH = 14
# A hash is common code if more than this share of the class has it, and more than this number of students.
COMMON_SHARE, MIN_COMMON_STUDENTS = 0.2, 3
# Minimum share and number of characters in common for a listed pair, not counting common code.
MIN_SIMILARITY, MIN_SHARED_CHARS = 0.5, 150
# Minimum share in common for a listed pair, counting common code.
NEAR_COPY_SIMILARITY = 0.9
# Maximum number of pairs on the page.
MAX_LISTED_PAIRS = 40

# The code of a student's attempt, by exercise.
CodeByExercise = Mapping[str, str]


@dataclass(frozen=True)
class PairSide:
    """One student's code for an exercise. same: the (begin, end) character ranges that the other has, too."""

    code: str
    same: tuple[tuple[int, int], ...]

    @property
    def parts(self) -> list[tuple[bool, str]]:
        """The code in parts: (True if the other student has the part, too; the text)."""
        found, at = [], 0
        for begin, end in sorted(self.same):
            found += [(False, self.code[at:begin]), (True, self.code[max(at, begin) : end])]
            at = max(at, end)
        return [*found, (False, self.code[at:])]


@dataclass(frozen=True)
class SimilarPair:
    """Two students with code in common.

    attempts: the numbers of their attempts: 0 is the current one, others were replaced. share: the share of
    a student's compared code that the other has, too; the larger of the two shares. size: the same in
    characters. exercises: both sides of each exercise with code in common.
    """

    students: tuple[str, str]
    attempts: tuple[int, int]
    share: float
    size: int
    exercises: Mapping[str, tuple[PairSide, PairSide]]


@dataclass(frozen=True)
class Similarity:
    """The result of a comparison.

    pairs: the most similar pairs. alike: number of similar pairs. many: code that more students have is
    common code. compared: number of compared pairs. typical: median share of the compared pairs. silent:
    students with too little remaining code to compare.
    """

    pairs: list[SimilarPair]
    alike: int
    many: int
    compared: int
    typical: float
    silent: list[str]


# Hashes of the k-grams of the code, by student and number of the attempt, and by exercise.
Fingerprints = Mapping[tuple[str, int], Mapping[str, CodeFingerprint]]


def fingerprint_code(code: str) -> CodeFingerprint:
    """Return the hashes of all k-grams of code."""
    # Set the language explicitly. Otherwise it is guessed from the file name, comments and magics.
    return CodeFingerprint("answer.py", KGRAM_LENGTH, 1, language="python", fp=io.StringIO(code))


def collect_code(course: Course, assignment: str) -> dict[str, list[CodeByExercise]]:
    """Return the code of the students with a graded submission: of this one, then of replaced attempts."""
    titles = exercise_titles(course, assignment)
    found: dict[str, list[CodeByExercise]] = {}
    for student in course.roster:
        copies = read_graded_copies(course, assignment, student)
        for attempt in (copies, *read_replaced_attempts(course, assignment, student)) if copies else ():
            parts: dict[str, list[str]] = {}
            for name, notebook in attempt.items():
                for cell in notebook.cells:
                    if cell.cell_type == "code" and utils.is_solution(cell):
                        title = titles.get((name, get_grade_id(cell)), get_grade_id(cell))
                        parts.setdefault(title, []).append(cell.source)
            texts = {title: "\n\n".join(texts) for title, texts in parts.items()}
            found.setdefault(student, []).append(texts)
    return found


def read_replaced_attempts(
    course: Course, assignment: str, student: str
) -> Iterator[dict[str, NotebookNode]]:
    """Yield each notebook that a later one has replaced, by the name of the released notebook."""
    for path in sorted((course.root / REPLACED_FOLDER / student / assignment).glob("*.ipynb")):
        # The name ends with a hash of the content. What can't be read has no code to compare.
        name = path.stem.rpartition("-")[0]
        with suppress(UnreadableSubmissionError, KeyError):
            notebook = read_notebook(path)
            repair_notebook(notebook, course.released(assignment)[name])
            yield {name: notebook}


def exercise_titles(course: Course, assignment: str) -> dict[tuple[str, str], str]:
    """Return the title of the exercise of each solution cell, by notebook and grade_id."""
    found: dict[tuple[str, str], str] = {}
    for exercise in find_exercises(course.sources(assignment)):
        # If a heading is only a number, number and title are equal.
        title = " ".join(dict.fromkeys(filter(None, (exercise.number, exercise.title))))
        for cell in (*exercise.tests, *exercise.answers):
            for name in (cell.grade_id, *exercise.solutions):
                found.setdefault((cell.notebook, name), title)
    return found


def released_code(course: Course, assignment: str) -> str:
    """Return all code of the released notebooks."""
    cells = [cell for notebook in course.released(assignment).values() for cell in notebook.cells]
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "code")


def compare_students(code: Mapping[str, Sequence[CodeByExercise]], released: str) -> Similarity:
    """Compare every pair of students. code: their attempts. released: the released code."""
    prints = {
        (student, number): {exercise: fingerprint_code(text) for exercise, text in parts.items()}
        for student, attempts in code.items()
        for number, parts in enumerate(attempts)
    }
    remove_common_hashes(prints, fingerprint_code(released).hashes)
    # Find near copies first: the code of a large group of copies would be removed below as common code.
    copies = find_similar_pairs(prints, NEAR_COPY_SIMILARITY)[0]
    owners = {(h, who) for (who, _), parts in prints.items() for one in parts.values() for h in one.hashes}
    seen = Counter(h for h, _ in owners)
    many = max(MIN_COMMON_STUDENTS, int(COMMON_SHARE * len(code)))
    remove_common_hashes(prints, {h for h, count in seen.items() if count > many})
    found, shares, silent = find_similar_pairs(prints, MIN_SIMILARITY)
    listed = sorted((found | copies).values(), key=lambda one: (-one.share * one.size, one.students))
    typical = statistics.median(shares or [0])
    return Similarity(listed[:MAX_LISTED_PAIRS], len(listed), many, len(shares), typical, silent)


def remove_common_hashes(prints: Fingerprints, common: set[int]) -> None:
    """Remove common hashes from all fingerprints, in place."""
    for one in (one for parts in prints.values() for one in parts.values()):
        one.hashes -= common
        one.hash_idx = {h: at for h, at in one.hash_idx.items() if h in one.hashes}
        one.token_coverage = int(get_token_coverage(one.hash_idx, KGRAM_LENGTH, len(one.filtered_code)))


def find_similar_pairs(
    prints: Fingerprints, least: float
) -> tuple[dict[tuple[str, str], SimilarPair], list[float], list[str]]:
    """Return the most similar attempts of each two students who have at least this share in common.

    Also returns the shares of all pairs of students, and the silent students: those whose code without common
    hashes is too short to compare, in all attempts.
    """
    left = {key: sum(one.token_coverage for one in parts.values()) for key, parts in prints.items()}
    long = sorted(key for key, size in left.items() if size >= MIN_SHARED_CHARS)
    silent = sorted({student for student, _ in prints} - {student for student, _ in long})
    pairs, shares = dict[tuple[str, str], SimilarPair](), dict[tuple[str, str], float]()
    for keys in combinations(long, 2):
        (one, number), (other, other_number) = keys
        if one == other:
            continue
        first, second = (prints[key] for key in keys)
        same, exercises = [0, 0], {}
        for exercise in (name for name in first if name in second):
            sides = first[exercise], second[exercise]
            overlap, parts, places = compare_files(*sides)
            if overlap:
                # `overlap` measures the first side only; `parts` has the share of each side.
                same = [
                    total + round(part * one.token_coverage)
                    for total, part, one in zip(same, parts, sides, strict=True)
                ]
                left_side, right_side = map(build_pair_side, sides, places)
                exercises[exercise] = left_side, right_side
        # Use the larger share: a student with few solutions may have copied all of them.
        share, size = max((count / left[key], count) for count, key in zip(same, keys, strict=True))
        students = one, other
        shares[students] = max(share, shares.get(students, 0))
        pair = SimilarPair(students, (number, other_number), share, size, exercises)
        if share >= least and size >= MIN_SHARED_CHARS:
            pairs[students] = max(pairs.get(students, pair), pair, key=lambda one: one.share * one.size)
    return pairs, [*shares.values()], silent


def build_pair_side(one: CodeFingerprint, places: np.ndarray) -> PairSide:
    """Return a student's code with its matches. places: two rows, the begin and the end of each match."""
    return PairSide(one.raw_code, tuple((int(begin), int(end)) for begin, end in places.T))
