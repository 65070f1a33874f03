"""What the reading page asks for: questions, answers with their marks, requests; and what readers do."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gradebox.course import Course
from gradebox.grade.recognise import recognise
from gradebox.read import marks
from gradebox.read.marks import Conflict, Mark
from gradebox.read.questions import REMEMBERED, Question, Text, answer, questions
from gradebox.report.requests import Request, replies, reply, requests

Json = dict[str, Any]


class Unknown(Exception):
    """There is no such question, answer or request."""


class Wrong(Exception):
    """What a reader has sent can't be taken; the message says why."""


@dataclass
class Desk:
    """The questions of a course, and everything that can be done with their answers."""

    course: Course
    assignments: Iterable[str]

    def __post_init__(self) -> None:
        self.questions = {one.id: one for one in questions(self.course, self.assignments)}

    def question(self, number: str) -> Question:
        if number not in self.questions:
            raise Unknown
        return self.questions[number]

    def overview(self) -> list[Json]:
        """Each question with how many answers there are, and how many wait."""
        found = []
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            for question in self.questions.values():
                all_of = marks.marks(connection, question)
                found.append(
                    {
                        **{"id": question.id, "assignment": question.assignment},
                        **{"number": question.cell.number, "title": question.cell.title},
                        **{"answers": len(all_of), "waiting": sum(one.waits for one in all_of)},
                    }
                )
        return found

    def answers(self, number: str) -> Json:
        """A question, its answers in an order that says nothing of their students, and its phrases."""
        question = self.question(number)
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            found = marks.marks(connection, question)
            holders = marks.taken(connection, [one.id for one in found])
            phrases = marks.phrases(connection, question)
            asked = self.asked(connection, question.assignment)
        texts = {one.id: answer(self.course, question, one.student) for one in found}
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
            **{"id": question.id, "assignment": question.assignment, "number": question.cell.number},
            **{"title": question.cell.title, "points": question.cell.points, "asks": question.asks},
            **{"scheme": question.scheme, "answers": shown, "phrases": phrases},
        }

    def shown(self, mark: Mark, text: Text | None) -> Json:
        return {
            **{"id": mark.id, "student": mark.student, "name": mark.name, "points": mark.points},
            **{"extra": mark.extra, "waits": mark.waits, "comment": mark.comment},
            **{"html": text.html if text else "", "empty": bool(text and text.empty), "there": bool(text)},
            "version": version(mark, text),
        }

    def give(self, number: str, grade: str, sent: Json) -> Json:
        """Give points and a comment to an answer as it was seen. Raises Conflict, Wrong, Unknown."""
        question = self.question(number)
        points, comment, reader = sent.get("points"), sent.get("comment"), reader_in(sent)
        possible = question.cell.points
        if points is not None and not (is_number(points) and 0 <= points <= possible):
            raise Wrong(f"points are a number from 0 to {possible:g}")
        if not isinstance(comment, str):
            raise Wrong("a comment is a text")
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            mark = self.mark(connection, question, grade)
            text = answer(self.course, question, mark.student)
            if sent.get("version") != version(mark, text):
                raise Conflict
            holder = marks.take(connection, grade, reader)
            if holder != reader:
                raise Wrong(f"{holder} is reading this answer")
            marks.give(connection, mark, points, comment.strip())
            return self.shown(self.mark(connection, question, grade), text) | {"reader": reader}

    def mark(self, connection: Any, question: Question, grade: str) -> Mark:
        found = marks.marks(connection, question, grade)
        if not found:
            raise Unknown
        return found[0]

    def take(self, number: str, grade: str, sent: Json) -> Json:
        """Take an answer to read; the answer says whose it is, and how it stands now."""
        question, reader = self.question(number), reader_in(sent)
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            mark = self.mark(connection, question, grade)
            holder = marks.take(connection, grade, reader)
            text = answer(self.course, question, mark.student)
            return self.shown(mark, text) | {"reader": holder}

    def leave(self, sent: Json) -> Json:
        with self.course.gradebook() as gradebook:
            marks.leave(gradebook.db.connection(), reader_in(sent))
        return {}

    def empty(self, number: str) -> Json:
        """Give 0 to all answers that wait and have nothing in them. Nobody's comment is changed."""
        question, done = self.question(number), 0
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            for mark in marks.marks(connection, question):
                text = answer(self.course, question, mark.student) if mark.waits else None
                if text and text.empty:
                    marks.give(connection, mark, 0, mark.comment)
                    done += 1
        return {"scored": done}

    def keep_phrase(self, number: str, sent: Json) -> Json:
        question, text = self.question(number), sent.get("text")
        if not isinstance(text, str) or not text.strip():
            raise Wrong("a comment is a text")
        with self.course.gradebook() as gradebook:
            marks.keep_phrase(gradebook.db.connection(), question, text.strip())
            return {"phrases": marks.phrases(gradebook.db.connection(), question)}

    def drop_phrase(self, number: str, phrase: str) -> Json:
        question = self.question(number)
        with self.course.gradebook() as gradebook:
            marks.drop_phrase(gradebook.db.connection(), question, phrase)
            return {"phrases": marks.phrases(gradebook.db.connection(), question)}

    def asked(self, connection: Any, assignment: str) -> list[Json]:
        """The requests of an assignment, with the answers that were given."""
        given = replies(connection, assignment)
        found = []
        for one in self.requests(assignment):
            said = given.get(one.id)
            found.append(
                {
                    **{"id": one.id, "student": one.student, "assignment": assignment, "number": one.number},
                    **{"text": one.text, "answer": said.text if said else ""},
                    "reader": said.reader if said else "",
                }
            )
        return found

    def requests(self, assignment: str) -> list[Request]:
        found: list[Request] = []
        released = self.course.path("release", assignment)
        for student in self.course.students:
            folder = self.course.path("submitted", assignment, student)
            changed = stamp(folder)
            if changed and released.is_dir():
                found += requests_in(folder, changed, released, student, assignment)
        return found

    def all_requests(self) -> list[Json]:
        """The requests of all assignments; those first that nobody has answered."""
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            names = {
                one.id: " ".join(filter(None, (one.first_name, one.last_name))) for one in gradebook.students
            }
            found = [one for assignment in self.assignments for one in self.asked(connection, assignment)]
        for one in found:
            one["name"] = names.get(one["student"]) or one["student"]
        return sorted(found, key=lambda one: (bool(one["answer"]), one["assignment"], one["number"]))

    def reply(self, number: str, sent: Json) -> Json:
        text, reader = sent.get("answer"), reader_in(sent)
        if not isinstance(text, str):
            raise Wrong("an answer is a text")
        known = {one.id: one for assignment in self.assignments for one in self.requests(assignment)}
        if number not in known:
            raise Unknown
        with self.course.gradebook() as gradebook:
            reply(gradebook.db.connection(), known[number], text.strip(), reader)
        return {"answer": text.strip(), "reader": reader}


def stamp(folder: Path) -> tuple[tuple[str, int], ...]:
    """Another as soon as something in a folder is; empty if nothing is there."""
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat(follow_symlinks=False).st_mtime_ns) for one in entries))
    except OSError:
        return ()


@lru_cache(maxsize=REMEMBERED)
def requests_in(
    folder: Path, changed: tuple[tuple[str, int], ...], released: Path, student: str, assignment: str
) -> list[Request]:
    """The requests of a submission, which are read once. changed: its `stamp`."""
    return requests(folder, recognise(folder, released).files.values(), student, assignment)


def version(mark: Mark, text: Text | None) -> str:
    """Another as soon as the answer, its points or its comment are."""
    return f"{mark.version}{text.mark if text else ''}"


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def reader_in(sent: Json) -> str:
    """The reader's name, as they gave it. Raises Wrong."""
    name = sent.get("as")
    if not isinstance(name, str) or not name.strip():
        raise Wrong("say who you are first")
    return " ".join(name.split())[:64]
