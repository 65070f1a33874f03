"""Data and actions of the reading page: questions, tests and answers; used by `web_server.py`."""

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from gradebox.autograde.graded_text_hashes import read_text_hashes
from gradebox.class_list import is_in_section, list_sections, read_sections
from gradebox.course import Course
from gradebox.manual_grading import points_and_comments, rubric
from gradebox.manual_grading.points_and_comments import ConflictError, Mark
from gradebox.manual_grading.rubric import Rubric, RubricItem
from gradebox.manual_grading.written_questions import AnswerText, Question, find_questions, load_answer

Json = dict[str, Any]


class UnknownItemError(Exception):
    """Unknown question, answer or submission."""


class InvalidInputError(Exception):
    """Invalid input from a reader; the message says why."""


def label_questions(questions: Iterable[Question]) -> dict[str, str]:
    """Return the number of each question by its id, with a letter where an exercise has several: 4.8 a.

    Written answers and tests have separate letters.
    """
    together: dict[tuple[str, str, str, bool], list[str]] = {}
    for one in questions:
        cell = one.cell
        together.setdefault((one.assignment, cell.notebook, cell.number, cell.manual), []).append(one.id)
    return {
        name: f"{number} {ascii_lowercase[place % 26]}" if len(names) > 1 else number
        for (_, _, number, _), names in together.items()
        for place, name in enumerate(names)
    }


@dataclass
class ReadingService:
    """Questions of some assignments, with all actions on their answers.

    Functions that list students take a section. `section` is the only section to show, "" for all students.
    """

    course: Course
    assignments: Collection[str]
    section: str = ""

    def __post_init__(self) -> None:
        self.questions = {one.id: one for one in find_questions(self.course, self.assignments)}
        self.labels = label_questions(self.questions.values())

    def question(self, number: str) -> Question:
        if number not in self.questions:
            raise UnknownItemError
        return self.questions[number]

    def sections(self, _section: str = "") -> list[str]:
        """List the sections of the class that may be shown."""
        with self.course.connection() as connection:
            return [self.section] if self.section else list_sections(read_sections(connection))

    def members(self, connection: Any, section: str) -> set[str] | None:
        """Return the students of a section; None if all students are shown."""
        wanted = self.section or section
        if not wanted:
            return None
        return {one for one, of in read_sections(connection).items() if is_in_section(of, wanted)}

    def marks(self, connection: Any, question: Question, section: str) -> list[Mark]:
        members = self.members(connection, section)
        found = points_and_comments.read_marks(connection, question)
        return [one for one in found if members is None or one.student in members]

    def overview(self, section: str = "") -> list[Json]:
        """List the written questions, then the tests, with the numbers of answers and of ungraded answers."""
        with self.course.connection() as connection:
            members = self.members(connection, section)
            counts = points_and_comments.count_marks(connection, self.assignments, members)
        found = []
        for question in sorted(self.questions.values(), key=lambda one: not one.cell.manual):
            key = question.assignment, question.cell.notebook, question.cell.grade_id
            answers, waiting = counts.get(key, (0, 0))
            found.append({**self.about(question), "answers": answers, "waiting": waiting})
        return found

    def about(self, question: Question) -> Json:
        return {
            **{"id": question.id, "assignment": question.assignment, "number": self.labels[question.id]},
            **{"title": question.cell.title, "test": not question.cell.manual},
            "points": question.cell.points,
        }

    def submissions(self, section: str = "") -> list[Json]:
        """List the submissions in the gradebook, sorted by assignment and name."""
        with self.course.connection() as connection:
            members = self.members(connection, section)
            found = points_and_comments.read_submitters(connection, self.assignments)
        return [
            {
                **{"id": compute_submission_id(assignment, student), "assignment": assignment},
                **{"student": student, "name": name},
            }
            for assignment, student, name in sorted(
                found, key=lambda one: (one[0], one[2].casefold(), one[1])
            )
            if members is None or student in members
        ]

    def submission(self, number: str, _section: str = "") -> Json:
        """Return a submission with all exercises: code, answers, messages and points."""
        found = next((one for one in self.submissions() if one["id"] == number), None)
        if not found:
            raise UnknownItemError
        with self.course.connection() as connection:
            return {**found, "exercises": self.exercises(connection, found["assignment"], found["student"])}

    def exercises(self, connection: Any, assignment: str, student: str) -> list[Json]:
        """Return a student's exercises in an assignment.

        `code` is the tested code, as HTML; `cells` are the graded cells, as in `answers`.
        """
        together: dict[tuple[str, str], list[tuple[Question, Json]]] = {}
        for question in self.questions.values():
            if question.assignment != assignment:
                continue
            for mark in points_and_comments.read_marks(connection, question, student=student):
                cell = self.shown(mark, load_answer(self.course, question, student))
                key = question.cell.notebook, question.cell.number
                together.setdefault(key, []).append((question, cell))
        return [
            {
                **{"number": number, "title": found[0][0].cell.title},
                # Several tests may test the same code.
                "code": list(dict.fromkeys(cell["html"] for one, cell in found if not one.cell.manual)),
                "cells": [{**cell, "question": self.about(one)} for one, cell in found],
            }
            for (_, number), found in together.items()
        ]

    def answers(self, number: str, section: str = "") -> Json:
        """Return a question, its rubric and its answers, sorted by id, which reveals no student."""
        question = self.question(number)
        with self.course.connection() as connection:
            found = self.marks(connection, question, section)
            states = self.read_states(connection, found)
            items = rubric.read_rubric(connection, question)
            applied = rubric.read_applied(connection, items.items)
        texts = {one.id: load_answer(self.course, question, one.student) for one in found}
        shown = [
            {**self.shown(one, texts[one.id], applied.get(one.id, ())), **states[one.id]}
            for one in sorted(found, key=lambda one: one.id)
        ]
        uses = Counter(item for those in applied.values() for item in those)
        return {
            **self.about(question),
            **{"asks": question.asks, "scheme": question.scheme, "answers": shown, "full": items.full},
            "items": [{**vars(one), "uses": uses[one.id]} for one in items.items],
        }

    def states(self, number: str, section: str = "") -> list[Json]:
        """Return the state of each answer to a question, without the answer's text."""
        question = self.question(number)
        with self.course.connection() as connection:
            found = self.marks(connection, question, section)
            return [{"id": grade, **state} for grade, state in self.read_states(connection, found).items()]

    def read_states(self, connection: Any, marks: list[Mark]) -> dict[str, Json]:
        """Return which answers wait, and the points of each with who gave them, by grade id."""
        names = points_and_comments.read_readers(connection, [one.id for one in marks])
        return {one.id: {"waits": one.waits, "points": one.points, "by": names.get(one.id)} for one in marks}

    def shown(self, mark: Mark, text: AnswerText | None, items: Collection[str] = ()) -> Json:
        return {
            **{**vars(mark), "points": mark.points, "items": sorted(items)},
            **{"html": text.html if text else "", "empty": bool(text and text.empty), "there": bool(text)},
            **{"messages": text.messages if text else [], "alike": text.alike if text else None},
            "version": compute_version(mark, text),
        }

    def give(self, number: str, grade: str, sent: Json) -> Json:
        """Save points, a comment, a bonus and rubric items for an answer or a test.

        sent: without a comment, a bonus (`extra`) or `items`, the current ones stay. Points of None take back
        the points that a person gave. `alike`: the versions of other answers with the same text, by grade id,
        which get the same; those that have changed are skipped, and all that were saved are returned. Raises
        InvalidInputError, UnknownItemError, and ConflictError if the answer has changed since the reader
        loaded the answer.
        """
        question, reader = self.question(number), read_reader_name(sent)
        alike = sent.get("alike", {})
        if not isinstance(alike, dict):
            raise InvalidInputError("alike: expected an object")
        with self.course.connection() as connection:
            values = self.read_values(connection, question, sent)
            found = self.save(connection, question, grade, sent.get("version"), values, reader)
            also = []
            for other, version in alike.items():
                with suppress(ConflictError, UnknownItemError):
                    also.append(self.save(connection, question, other, version, values, reader))
        return {**found, "alike_saved": also}

    def read_values(self, connection: Any, question: Question, sent: Json) -> Json:
        """Return the values that a reader has sent for an answer. Raises InvalidInputError."""
        points, extra, possible = sent.get("points"), sent.get("extra"), question.cell.points
        if points is not None and not (is_real_number(points) and 0 <= points <= possible):
            raise InvalidInputError(f"points must be a number from 0 to {possible:g}")
        if extra is not None and not (is_real_number(extra) and 0 <= extra < math.inf):
            raise InvalidInputError("the bonus must be a number from 0")
        known = {one.id for one in rubric.read_rubric(connection, question).items}
        items = sent.get("items")
        if items is not None and not isinstance(items, list):
            raise InvalidInputError("items: expected a list")
        return {
            **{"points": points, "extra": extra},
            "comment": read_text_field(sent, "comment") if "comment" in sent else None,
            # Another reader may have deleted an item.
            "items": None if items is None else [one for one in items if one in known],
        }

    def save(
        self, connection: Any, question: Question, grade: str, version: object, values: Json, reader: str
    ) -> Json:
        points_and_comments.lock_grade(connection, grade)
        mark = self.mark(connection, question, grade)
        text = load_answer(self.course, question, mark.student)
        if version != compute_version(mark, text) or is_outdated(connection, grade, text):
            raise ConflictError
        points, comment, extra, items = (values[name] for name in ("points", "comment", "extra", "items"))
        points_and_comments.save_mark(connection, mark, points, comment, extra, question.cell.manual)
        points_and_comments.save_reader(connection, grade, None if points is None else reader)
        if items is not None:
            rubric.save_applied(connection, grade, items)
        return self.current(connection, question, grade, text) | {
            "by": reader if points is not None else None
        }

    def current(self, connection: Any, question: Question, grade: str, text: AnswerText | None) -> Json:
        items = rubric.read_rubric(connection, question).items
        applied = rubric.read_applied(connection, items).get(grade, ())
        return self.shown(self.mark(connection, question, grade), text, applied)

    def mark(self, connection: Any, question: Question, grade: str) -> Mark:
        found = points_and_comments.read_marks(connection, question, grade)
        if not found:
            raise UnknownItemError
        return found[0]

    def answer(self, number: str, grade: str, _section: str = "") -> Json:
        """Return the current state of an answer."""
        question = self.question(number)
        with self.course.connection() as connection:
            mark = self.mark(connection, question, grade)
            text = load_answer(self.course, question, mark.student)
            state = self.read_states(connection, [mark])[grade]
            return self.current(connection, question, grade, text) | state

    def empty(self, number: str, sent: Json) -> Json:
        """Give 0 points to all ungraded, empty answers."""
        question, reader, done = self.question(number), read_reader_name(sent), 0
        section = read_text_field(sent, "section") if "section" in sent else ""
        with self.course.connection() as connection:
            waiting = [one for one in self.marks(connection, question, section) if one.waits]
            # Rendering the copies is slow, so it happens before any grade is locked.
            texts = [load_answer(self.course, question, one.student) for one in waiting]
        with self.course.connection() as connection:
            values = self.read_values(connection, question, {"points": 0})
            for mark, text in zip(waiting, texts, strict=True):
                if text and text.empty:
                    with suppress(ConflictError, UnknownItemError):
                        self.save(connection, question, mark.id, compute_version(mark, text), values, reader)
                        done += 1
        return {"scored": done}

    def add_item(self, number: str, sent: Json) -> None:
        question = self.question(number)
        text, points = self.read_item(sent)
        with self.course.connection() as connection:
            if text in (one.text for one in rubric.read_rubric(connection, question).items):
                raise InvalidInputError("the rubric has this sentence already")
            rubric.add_item(connection, question, text, points)

    def change_item(self, number: str, item: str, sent: Json) -> Json:
        """Change an item of a rubric, and the points and comments of all answers with this item."""
        question, changed = self.question(number), 0
        text, points = self.read_item(sent)
        with self.course.connection() as connection:
            old = rubric.read_rubric(connection, question)
            known = self.item(old, item)
            new = old.change(rubric.RubricItem(item, text, points))
            rubric.change_item(connection, self.item(new, item))
            for grade, applied in rubric.read_applied(connection, old.items).items():
                if item not in applied:
                    continue
                points_and_comments.lock_grade(connection, grade)
                mark = self.mark(connection, question, grade)
                now = rubric.update_points(mark.points, applied, old, new)
                comment = rubric.update_comment(mark.comment, known.text, text)
                points_and_comments.adjust_mark(connection, mark, now, comment)
                changed += 1
        return {"changed": changed}

    def delete_item(self, number: str, item: str) -> None:
        question = self.question(number)
        with self.course.connection() as connection:
            rubric.delete_item(connection, self.item(rubric.read_rubric(connection, question), item))

    def save_start(self, number: str, sent: Json) -> None:
        """Set where the points of a question start: at 0, or at the maximum (`full`)."""
        question = self.question(number)
        with self.course.connection() as connection:
            rubric.save_start(connection, question, sent.get("full") is True)

    def item(self, known: Rubric, item: str) -> RubricItem:
        found = next((one for one in known.items if one.id == item), None)
        if not found:
            raise UnknownItemError
        return found

    def read_item(self, sent: Json) -> tuple[str, float | None]:
        """Return an item's sentence, in one line, and its points. Raises InvalidInputError."""
        text, points = " ".join(read_text_field(sent, "text").split()), sent.get("points")
        if not text:
            raise InvalidInputError("write the sentence of the item first")
        if points is not None and not (is_real_number(points) and abs(points) < math.inf):
            raise InvalidInputError("the points of an item must be a number")
        return text, points


def is_outdated(connection: Any, grade: str, text: AnswerText | None) -> bool:
    """Return True if a new grading run has graded a different text than the one shown."""
    known = read_text_hashes(connection, [grade]).get(grade)
    return known is not None and known != (text.mark if text else None)


def compute_submission_id(assignment: str, student: str) -> str:
    """Return the identifier of a submission in URLs, which does not reveal the student."""
    return hashlib.sha256(f"{assignment}\0{student}".encode()).hexdigest()[:16]


def compute_version(mark: Mark, text: AnswerText | None) -> str:
    """Return a hash of an answer's text, points, bonus and comment, to detect concurrent changes."""
    about = f"{mark.points}\0{mark.extra}\0{mark.waits}\0{mark.comment}\0{text.mark if text else ''}"
    return hashlib.sha256(about.encode()).hexdigest()


def is_real_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_text_field(sent: Json, name: str) -> str:
    """Return a text field, stripped, without characters that databases refuse. Raises InvalidInputError."""
    found = sent.get(name)
    if not isinstance(found, str):
        raise InvalidInputError(f"{name}: expected a string")
    return found.replace("\0", "").encode(errors="replace").decode().strip()


def read_reader_name(sent: Json) -> str:
    """Return the reader's name, with normalized whitespace. Raises InvalidInputError if the name is empty."""
    name = " ".join(read_text_field(sent, "as").split())[:64].strip() if sent.get("as") else ""
    if not name:
        raise InvalidInputError("enter your name first")
    return name
