"""Which submissions to a lesson have code that is unusually alike: k-grams of tokens, by copydetect.

Names and comments don't count, nor what was released, nor what many have written. It accuses nobody: two who
were taught the same write alike. The method: Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for
Document Fingerprinting", SIGMOD 2003, with a window of 1, so that every k-gram counts.
"""

import io
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from copydetect import CodeFingerprint
from copydetect.utils import find_fingerprint_overlap, get_copied_slices, get_token_coverage
from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.course import Course
from gradebox.notebook import graded_cells, name_of, own_tests
from gradebox.report.summary import copies_of

# Characters of code whose names are one letter each: shorter passages say nothing.
K = 14
# The part of a class that has something in common without having it from each other; and at least so many.
SHARED, FEW = 0.2, 3
# A pair is listed from here on: this part of what is left of both is the same, and so many characters.
ALIKE, ENOUGH = 0.5, 150
# Pairs of such a class that are listed at most.
MOST = 40

# By exercise, the code of a student.
Code = Mapping[str, str]


@dataclass(frozen=True)
class Side:
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
class Pair:
    """Two students. share: the part of what is left of both that is the same. size: how much that is.

    exercises: both sides of each in which something is the same.
    """

    students: tuple[str, str]
    share: float
    size: int
    exercises: Mapping[str, tuple[Side, Side]]


@dataclass(frozen=True)
class Similarity:
    """What a comparison has found. typical: the middle share of all pairs. compared: how many pairs."""

    pairs: list[Pair]
    compared: int
    typical: float
    # Students of whom too little is left to say anything.
    silent: list[str]


class Print:
    """A student's code for an exercise as hashes of its k-grams, less those that are not the student's."""

    def __init__(self, code: str):
        self.code = code
        # A language is named: from a file's name, comments and magics would be guessed.
        self.found = CodeFingerprint("answer.py", K, 1, language="python", fp=io.StringIO(code))

    def without(self, common: set[int]) -> None:
        self.found.hashes -= common
        self.found.hash_idx = {h: at for h, at in self.found.hash_idx.items() if h in self.found.hashes}
        length = len(self.found.filtered_code)
        self.found.token_coverage = int(get_token_coverage(self.found.hash_idx, K, length))

    @property
    def size(self) -> int:
        return int(self.found.token_coverage)

    def side(self, at: np.ndarray) -> Side:
        """What is the same, in the code as it was written. at: where k-grams begin."""
        parts = get_copied_slices(at, K).astype(int).T
        return Side(self.code, tuple((self.place(begin), self.place(end)) for begin, end in parts))

    def place(self, at: int) -> int:
        """Where a character of the code without names and comments was in the code."""
        offsets = self.found.offsets
        before = offsets[offsets[:, 0] < at] if len(offsets) else offsets
        return int(at + (before[-1, 1] if len(before) else 0))


def code_of(course: Course, assignment: str) -> dict[str, Code]:
    """By student, the code of each exercise, of all that was graded."""
    titles = exercise_titles(course, assignment)
    found: dict[str, Code] = {}
    for student in course.roster:
        parts: dict[str, list[str]] = {}
        for name, copy in copies_of(course, assignment, student).items():
            for cell in copy.cells:
                if is_answer(cell) and (name, name_of(cell)) in titles:
                    parts.setdefault(titles[name, str(name_of(cell))], []).append(cell.source)
        if parts:
            found[student] = {title: "\n\n".join(texts) for title, texts in parts.items()}
    return found


def is_answer(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and utils.is_solution(cell)


def exercise_titles(course: Course, assignment: str) -> dict[tuple[str, str], str]:
    """What each solution cell's exercise is called."""
    found = {}
    for name, source in course.sources(assignment).items():
        numbers = {
            cell.grade_id: f"{cell.number} {cell.title}".strip() for cell in graded_cells(source, name)
        }
        for solution, tests in own_tests(source).items():
            known = next((numbers[test] for test in (solution, *tests) if test in numbers), solution)
            found[name, solution] = known
    return found


def released_code(course: Course, assignment: str) -> str:
    """All code that students were given."""
    cells = [cell for notebook in course.released(assignment).values() for cell in notebook.cells]
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "code")


def compare(code: Mapping[str, Code], released: str) -> Similarity:
    """Compare every two students. code: by student and exercise."""
    prints = {
        student: {exercise: Print(text) for exercise, text in parts.items()}
        for student, parts in code.items()
    }
    many = max(FEW, SHARED * len(prints))
    seen: Counter[int] = Counter()
    for parts in prints.values():
        seen.update({h for one in parts.values() for h in one.found.hashes})
    common = {h for h, count in seen.items() if count > many} | Print(released).found.hashes
    for parts in prints.values():
        for one in parts.values():
            one.without(common)
    left = {student: sum(one.size for one in parts.values()) for student, parts in prints.items()}
    silent = sorted(student for student, size in left.items() if size < ENOUGH)
    shares, pairs = [], []
    for a, b in combinations(sorted(set(prints) - set(silent)), 2):
        pair = compared(a, b, prints, left)
        shares.append(pair.share)
        if pair.share >= ALIKE and pair.size >= ENOUGH:
            pairs.append(pair)
    pairs.sort(key=lambda one: (-one.share * one.size, one.students))
    typical = statistics.median(shares) if shares else 0.0
    return Similarity(pairs[:MOST], len(shares), typical, silent)


def compared(a: str, b: str, prints: Mapping[str, Mapping[str, Print]], left: Mapping[str, int]) -> Pair:
    """How alike two students' code is: of what is left of both, the part that both have."""
    same, exercises = 0, {}
    for exercise in prints[a].keys() & prints[b].keys():
        one, other = prints[a][exercise].found, prints[b][exercise].found
        at = find_fingerprint_overlap(one.hashes, other.hashes, one.hash_idx, other.hash_idx)
        if len(at[0]):
            same += covered(at[0]) + covered(at[1])
            exercises[exercise] = (prints[a][exercise].side(at[0]), prints[b][exercise].side(at[1]))
    return Pair((a, b), same / (left[a] + left[b]), same // 2, dict(sorted(exercises.items())))


def covered(at: Iterable[int]) -> int:
    """How many characters k-grams cover that begin at these places."""
    return len({begin + more for begin in at for more in range(K)})
