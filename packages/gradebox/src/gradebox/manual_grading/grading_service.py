"""What the reading page asks for: questions, answers with their marks, requests; and what readers do."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gradebox.autograde.manual_grades import read_text_hashes
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
# The files of a folder, and when they were changed.
FolderState = tuple[tuple[str, int], ...]


class UnknownItemError(Exception):
    """There is no such question, answer or request."""


class InvalidInputError(Exception):
    """What a reader has sent can't be taken; the message says why."""


@dataclass
class ReadingService:
    """The questions of a course, and everything that can be done with their answers."""

    course: Course
    assignments: Iterable[str]

    def __post_init__(self) -> None:
        self.questions = {one.id: one for one in find_questions(self.course, self.assignments)}

    def question(self, number: str) -> Question:
        if number not in self.questions:
            raise UnknownItemError
        return self.questions[number]

    def overview(self) -> list[Json]:
        """Each question with how many answers there are, and how many wait."""
        found = []
        with self.course.connection() as connection:
            for question in self.questions.values():
                all_of = points_and_comments.read_marks(connection, question)
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
            **{"id": question.id, "assignment": question.assignment, "number": question.cell.number},
            **{"title": question.cell.title, "points": question.cell.points, "asks": question.asks},
            **{"scheme": question.scheme, "answers": shown, "phrases": phrases},
        }

    def states(self, number: str) -> list[Json]:
        """How the answers to a question stand, without what was written."""
        question = self.question(number)
        with self.course.connection() as connection:
            found = points_and_comments.read_marks(connection, question)
            holders = points_and_comments.read_claims(connection, [one.id for one in found])
        return [{"id": one.id, "waits": one.waits, "reader": holders.get(one.id)} for one in found]

    def shown(self, mark: Mark, text: AnswerText | None) -> Json:
        return {
            **vars(mark),
            **{"html": text.html if text else "", "empty": bool(text and text.empty), "there": bool(text)},
            "version": compute_version(mark, text),
        }

    def give(self, number: str, grade: str, sent: Json) -> Json:
        """Give points and a comment to an answer as it was seen. Raises ConflictError, Wrong, Unknown."""
        question = self.question(number)
        points, comment, reader = sent.get("points"), read_text_field(sent, "comment"), read_reader_name(sent)
        possible = question.cell.points
        if points is not None and not (is_real_number(points) and 0 <= points <= possible):
            raise InvalidInputError(f"points are a number from 0 to {possible:g}")
        with self.course.connection() as connection:
            points_and_comments.lock_grade(connection, grade)
            mark = self.mark(connection, question, grade)
            text = load_answer(self.course, question, mark.student)
            if sent.get("version") != compute_version(mark, text) or is_outdated(connection, grade, text):
                raise ConflictError
            holder = points_and_comments.claim_answer(connection, grade, reader)
            if holder != reader:
                raise InvalidInputError(f"{holder} is reading this answer")
            points_and_comments.save_mark(connection, mark, points, comment)
            return self.shown(self.mark(connection, question, grade), text) | {"reader": reader}

    def mark(self, connection: Any, question: Question, grade: str) -> Mark:
        found = points_and_comments.read_marks(connection, question, grade)
        if not found:
            raise UnknownItemError
        return found[0]

    def take(self, number: str, grade: str, sent: Json) -> Json:
        """Take an answer to read; the answer says whose it is, and how it stands now."""
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
        """Give 0 to all answers that wait, have nothing in them, and are nobody else's to read."""
        question, reader, done = self.question(number), read_reader_name(sent), 0
        with self.course.connection() as connection:
            found = points_and_comments.read_marks(connection, question)
            # To look at the copies takes long; nobody waits for it.
            texts = {one.id: load_answer(self.course, question, one.student) for one in found if one.waits}
        empty = {grade: text for grade, text in texts.items() if text and text.empty}
        with self.course.connection() as connection:
            for grade, text in empty.items():
                points_and_comments.lock_grade(connection, grade)
                mark = self.mark(connection, question, grade)
                holder = points_and_comments.read_claims(connection, [grade]).get(grade, reader)
                if mark.waits and holder == reader and not is_outdated(connection, grade, text):
                    points_and_comments.save_mark(connection, mark, 0, None)
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
        """The requests of an assignment, with the answers that were given."""
        given = read_regrade_replies(connection, assignment)
        found = []
        for one in self.requests(assignment):
            said = given.get(one.id)
            answer, reader = (said.text, said.reader) if said else ("", "")
            found.append({**vars(one), "id": one.id, "answer": answer, "reader": reader})
        return found

    def requests(self, assignment: str) -> list[RegradeRequest]:
        found: list[RegradeRequest] = []
        # Somebody may have handed in since.
        self.course.__dict__.pop("students", None)
        released = self.course.path("release", assignment)
        for student in self.course.students if released.is_dir() else ():
            folder = self.course.path("submitted", assignment, student)
            found += load_folder_requests(folder, read_folder_state(folder), released, student, assignment)
        return found

    def all_requests(self) -> list[Json]:
        """The requests of all assignments; those first that nobody has answered."""
        with self.course.gradebook() as gradebook:
            connection = gradebook.db.connection()
            names = {one.id: format_full_name(one.first_name, one.last_name) for one in gradebook.students}
            found = [one for assignment in self.assignments for one in self.asked(connection, assignment)]
        for one in found:
            one["name"] = names.get(one["student"]) or one["student"]
        return sorted(found, key=lambda one: (bool(one["answer"]), one["assignment"], one["number"]))

    def reply(self, number: str, sent: Json) -> Json:
        """Answer a request; an empty answer takes one back. Raises ConflictError, Wrong, Unknown.

        sent: has the answer that was there when this one was written, too.
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
    """Whether the gradebook has a grade for another text than was shown: a run has just ended."""
    known = read_text_hashes(connection, [grade]).get(grade)
    return known is not None and known != (text.mark if text else None)


@cache
def load_folder_requests(
    folder: Path, _stamp: FolderState, released: Path, student: str, assignment: str
) -> list[RegradeRequest]:
    """The requests of a submission, as long as its folder looks the same."""
    # To recognise notebooks takes long, and few ask anything.
    files = match_notebooks(folder, released).files.values() if may_contain_request(folder) else ()
    return find_regrade_requests(folder, files, student, assignment)


def read_folder_state(folder: Path) -> FolderState:
    """Another as soon as something in a folder is; empty if nothing is there."""
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat(follow_symlinks=False).st_mtime_ns) for one in entries))
    except OSError:
        return ()


def compute_version(mark: Mark, text: AnswerText | None) -> str:
    """Another as soon as the answer, its points or its comment are."""
    about = f"{mark.points}\0{mark.waits}\0{mark.comment}\0{text.mark if text else ''}"
    return hashlib.sha256(about.encode()).hexdigest()


def is_real_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_text_field(sent: Json, name: str) -> str:
    """A text that was sent, without blanks at its ends and what no database takes. Raises Wrong."""
    found = sent.get(name)
    if not isinstance(found, str):
        raise InvalidInputError(f"the {name} is no text")
    return found.replace("\0", "").encode(errors="replace").decode().strip()


def read_reader_name(sent: Json) -> str:
    """The reader's name, as they gave it. Raises Wrong."""
    name = " ".join(read_text_field(sent, "as").split())[:64].strip() if sent.get("as") else ""
    if not name:
        raise InvalidInputError("say who you are first")
    return name
