"""Data and actions of the reading page: questions, tests, answers and requests; used by `web_server.py`."""

import hashlib
import math
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from gradebox.autograde.graded_text_hashes import read_text_hashes
from gradebox.autograde.match_notebooks import match_notebooks
from gradebox.course import Course
from gradebox.manual_grading import points_and_comments
from gradebox.manual_grading.points_and_comments import ConflictError, Mark
from gradebox.manual_grading.written_questions import AnswerText, Question, find_questions, load_answer
from gradebox.printable_text import format_full_name
from gradebox.reports.regrade_requests import (
    RegradeRequest,
    find_regrade_requests,
    may_contain_request,
    read_regrade_replies,
    save_regrade_reply,
)

Json = dict[str, Any]
# File names of a folder with their modification times in nanoseconds.
FolderState = tuple[tuple[str, int], ...]


class UnknownItemError(Exception):
    """Unknown question, answer or request."""


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
    """Questions of some assignments, with all actions on their answers and regrade requests."""

    course: Course
    assignments: Collection[str]

    def __post_init__(self) -> None:
        self.questions = {one.id: one for one in find_questions(self.course, self.assignments)}
        self.labels = label_questions(self.questions.values())

    def question(self, number: str) -> Question:
        if number not in self.questions:
            raise UnknownItemError
        return self.questions[number]

    def overview(self) -> list[Json]:
        """List the written questions, then the tests, with the numbers of answers and of ungraded answers."""
        with self.course.connection() as connection:
            counts = points_and_comments.count_marks(connection, self.assignments)
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

    def submissions(self) -> list[Json]:
        """List the submissions in the gradebook, sorted by assignment and name."""
        with self.course.connection() as connection:
            found = points_and_comments.read_submitters(connection, self.assignments)
        return [
            {
                **{"id": compute_submission_id(assignment, student), "assignment": assignment},
                **{"student": student, "name": name},
            }
            for assignment, student, name in sorted(
                found, key=lambda one: (one[0], one[2].casefold(), one[1])
            )
        ]

    def submission(self, number: str) -> Json:
        """Return a submission with all exercises: code, answers, messages and points."""
        found = next((one for one in self.submissions() if one["id"] == number), None)
        if not found:
            raise UnknownItemError
        with self.course.connection() as connection:
            return {**found, "exercises": self.exercises(connection, found["assignment"], found["student"])}

    def exercises(
        self, connection: Any, assignment: str, student: str, number: str | None = None
    ) -> list[Json]:
        """Return a student's exercises in an assignment. number: only the exercise with this number.

        `code` is the tested code, as HTML; `cells` are the graded cells, as in `answers`.
        """
        together: dict[tuple[str, str], list[tuple[Question, Json]]] = {}
        for question in self.questions.values():
            if question.assignment != assignment or number not in (None, question.cell.number):
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

    def answers(self, number: str) -> Json:
        """Return a question, its saved comments and its answers, sorted by id, which reveals no student."""
        question = self.question(number)
        with self.course.connection() as connection:
            found = points_and_comments.read_marks(connection, question)
            holders = points_and_comments.read_claims(connection, [one.id for one in found])
            phrases = points_and_comments.read_phrases(connection, question)
            asked = self.asked(connection, question.assignment)
        texts = {one.id: load_answer(self.course, question, one.student) for one in found}
        shown = [
            {
                **self.shown(one, texts[one.id]),
                "reader": holders.get(one.id),
                "requests": [
                    a for a in asked if a["student"] == one.student and a["number"] == question.cell.number
                ],
            }
            for one in sorted(found, key=lambda one: one.id)
        ]
        return {
            **self.about(question),
            **{"asks": question.asks, "scheme": question.scheme, "answers": shown, "phrases": phrases},
        }

    def states(self, number: str) -> list[Json]:
        """Return the state of each answer to a question, without the answer's text."""
        question = self.question(number)
        with self.course.connection() as connection:
            found = points_and_comments.read_marks(connection, question)
            holders = points_and_comments.read_claims(connection, [one.id for one in found])
        return [{"id": one.id, "waits": one.waits, "reader": holders.get(one.id)} for one in found]

    def shown(self, mark: Mark, text: AnswerText | None) -> Json:
        return {
            **{**vars(mark), "points": mark.points},
            **{"html": text.html if text else "", "empty": bool(text and text.empty), "there": bool(text)},
            "messages": text.messages if text else [],
            "version": compute_version(mark, text),
        }

    def give(self, number: str, grade: str, sent: Json) -> Json:
        """Save points, a comment and a bonus for an answer or a test.

        sent: without a comment or a bonus (`extra`), the current ones stay. Points of None take back the
        points that a person gave. Raises InvalidInputError, UnknownItemError, and ConflictError if the answer
        has changed since the reader loaded the answer.
        """
        question = self.question(number)
        points, extra, reader = sent.get("points"), sent.get("extra"), read_reader_name(sent)
        comment = read_text_field(sent, "comment") if "comment" in sent else None
        possible = question.cell.points
        if points is not None and not (is_real_number(points) and 0 <= points <= possible):
            raise InvalidInputError(f"points must be a number from 0 to {possible:g}")
        if extra is not None and not (is_real_number(extra) and 0 <= extra < math.inf):
            raise InvalidInputError("the bonus must be a number from 0")
        with self.course.connection() as connection:
            points_and_comments.lock_grade(connection, grade)
            mark = self.mark(connection, question, grade)
            text = load_answer(self.course, question, mark.student)
            if sent.get("version") != compute_version(mark, text) or is_outdated(connection, grade, text):
                raise ConflictError
            holder = points_and_comments.claim_answer(connection, grade, reader)
            if holder != reader:
                raise InvalidInputError(f"{holder} is reading this answer")
            points_and_comments.save_mark(connection, mark, points, comment, extra, question.cell.manual)
            return self.shown(self.mark(connection, question, grade), text) | {"reader": reader}

    def mark(self, connection: Any, question: Question, grade: str) -> Mark:
        found = points_and_comments.read_marks(connection, question, grade)
        if not found:
            raise UnknownItemError
        return found[0]

    def take(self, number: str, grade: str, sent: Json) -> Json:
        """Claim an answer for a reader, and return the current state of the answer and its holder."""
        question, reader = self.question(number), read_reader_name(sent)
        with self.course.connection() as connection:
            points_and_comments.lock_grade(connection, grade)
            mark = self.mark(connection, question, grade)
            holder = points_and_comments.claim_answer(connection, grade, reader)
            text = load_answer(self.course, question, mark.student)
            return self.shown(mark, text) | {"reader": holder}

    def leave(self, sent: Json) -> Json:
        with self.course.connection() as connection:
            points_and_comments.release_claims(connection, read_reader_name(sent))
        return {}

    def empty(self, number: str, sent: Json) -> Json:
        """Give 0 points to all ungraded, empty answers that no other reader has claimed."""
        question, reader, done = self.question(number), read_reader_name(sent), 0
        with self.course.connection() as connection:
            found = points_and_comments.read_marks(connection, question)
            # Rendering the copies is slow, so it happens before any grade is locked.
            texts = {one.id: load_answer(self.course, question, one.student) for one in found if one.waits}
        empty = {grade: text for grade, text in texts.items() if text and text.empty}
        with self.course.connection() as connection:
            for grade, text in empty.items():
                points_and_comments.lock_grade(connection, grade)
                mark = self.mark(connection, question, grade)
                holder = points_and_comments.read_claims(connection, [grade]).get(grade, reader)
                if mark.waits and holder == reader and not is_outdated(connection, grade, text):
                    points_and_comments.save_mark(connection, mark, 0)
                    done += 1
        return {"scored": done}

    def save_phrase(self, number: str, sent: Json) -> Json:
        question, text = self.question(number), read_text_field(sent, "text")
        if not text:
            raise InvalidInputError("write the comment first")
        with self.course.connection() as connection:
            points_and_comments.save_phrase(connection, question, text)
            return {"phrases": points_and_comments.read_phrases(connection, question)}

    def delete_phrase(self, number: str, phrase: str) -> Json:
        question = self.question(number)
        with self.course.connection() as connection:
            points_and_comments.delete_phrase(connection, question, phrase)
            return {"phrases": points_and_comments.read_phrases(connection, question)}

    def asked(self, connection: Any, assignment: str) -> list[Json]:
        """Return the regrade requests of an assignment, with the replies."""
        given = read_regrade_replies(connection, assignment)
        found = []
        for one in self.requests(assignment):
            said = given.get(one.id)
            answer, reader = (said.text, said.reader) if said else ("", "")
            found.append({**vars(one), "id": one.id, "answer": answer, "reader": reader})
        return found

    def requests(self, assignment: str) -> list[RegradeRequest]:
        found: list[RegradeRequest] = []
        # Drop the cached list: new submissions may have arrived.
        self.course.__dict__.pop("students", None)
        released = self.course.path("release", assignment)
        for student in self.course.students if released.is_dir() else ():
            folder = self.course.path("submitted", assignment, student)
            found += load_folder_requests(folder, read_folder_state(folder), released, student, assignment)
        return found

    def all_requests(self) -> list[Json]:
        """Return the regrade requests of all assignments with their exercises, unanswered requests first."""
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            names = {one.id: format_full_name(one.first_name, one.last_name) for one in gradebook.students}
            found = [one for assignment in self.assignments for one in self.asked(connection, assignment)]
            for one in found:
                assignment, student = one["assignment"], one["student"]
                one["name"] = names.get(student) or student
                one["submission"] = compute_submission_id(assignment, student)
                one["exercises"] = self.exercises(connection, assignment, student, one["number"])
        return sorted(found, key=lambda one: (bool(one["answer"]), one["assignment"], one["number"]))

    def reply(self, number: str, sent: Json) -> Json:
        """Save the reply to a regrade request; an empty text deletes the reply.

        sent: the new reply, and in `before` the reply that the reader has seen. Raises InvalidInputError,
        UnknownItemError, and ConflictError if the reply has changed since.
        """
        text, before, reader = (
            read_text_field(sent, "answer"),
            read_text_field(sent, "before"),
            read_reader_name(sent),
        )
        known = {one.id: one for assignment in self.assignments for one in self.requests(assignment)}
        if number not in known:
            raise UnknownItemError
        request = known[number]
        with self.course.connection() as connection:
            said = read_regrade_replies(connection, request.assignment, request.student).get(number)
            if before != (said.text if said else ""):
                raise ConflictError
            save_regrade_reply(connection, request, text, reader)
        return {"answer": text, "reader": reader}


def is_outdated(connection: Any, grade: str, text: AnswerText | None) -> bool:
    """Return True if a new grading run has graded a different text than the one shown."""
    known = read_text_hashes(connection, [grade]).get(grade)
    return known is not None and known != (text.mark if text else None)


@cache
def load_folder_requests(
    folder: Path, _stamp: FolderState, released: Path, student: str, assignment: str
) -> list[RegradeRequest]:
    """Return the regrade requests of a submission, cached until a file in the folder changes."""
    # Matching notebooks is slow, and few submissions contain a request.
    files = match_notebooks(folder, released).files.values() if may_contain_request(folder) else ()
    return find_regrade_requests(folder, files, student, assignment)


def read_folder_state(folder: Path) -> FolderState:
    """Return names and modification times of a folder's entries; empty if the folder can't be read."""
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat(follow_symlinks=False).st_mtime_ns) for one in entries))
    except OSError:
        return ()


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
