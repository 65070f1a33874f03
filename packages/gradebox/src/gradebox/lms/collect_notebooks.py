"""Recognise the notebooks of a download, and choose between versions of one. Used by `collect.py`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gradebox.autograde.match_notebooks import (
    MatchNotebooks,
    cells_match_notebook,
    is_unanswered,
    iterate_cells,
    match_notebooks,
    read_released_cells,
)
from gradebox.lms.collect_results import CollectResult, refuse_file
from gradebox.lms.filename_patterns import DownloadedFile
from gradebox.lms.match_students import make_student_id
from gradebox.lms.write_submissions import SubmissionWriter
from gradebox.notebook_json import parse_notebook_json
from gradebox.safe_submission_files import NOTEBOOK_NAME

# More versions of a notebook are not stored.
MAX_VERSIONS = 20
CONFLICTING_NOTEBOOKS = "two notebooks of the lesson with different answers: leave the one that counts"


@dataclass(frozen=True)
class NotebookCollector:
    """Import of notebooks. released: the released notebooks, by assignment and name."""

    writer: SubmissionWriter
    released: Mapping[tuple[str, str], Path]

    def match_released_notebook(self, one: DownloadedFile) -> tuple[str, str] | None:
        """Return the assignment and the name of the released notebook that matches a file, or None.

        Raises UnreadableSubmissionError.
        """
        cells = read_cells(one)
        return next(
            (key for key, released in self.released.items() if cells_match_notebook(cells, released)), None
        )

    def put_notebook(
        self, student: str, assignment: str, name: str, versions: list[DownloadedFile]
    ) -> Iterator[CollectResult]:
        """Import the newest version of a student's notebook, or all versions if the newest is unknown."""
        remarks: list[str] = []
        if len(versions) > 1 and len({one.entry.read() for one in versions}) > 1:
            if len(set(map(get_upload_order, versions))) < len(versions):
                released = read_released_cells(self.released[assignment, name])
                answered = [one for one in versions if not is_unanswered(read_cells(one), released)]
                versions = answered or versions[:1]
            if len(set(map(get_upload_order, versions))) < len(versions):
                if len(versions) > MAX_VERSIONS:
                    many = f"is one of {len(versions)} different notebooks of {assignment}"
                    yield refuse_file(student, versions[0], f"{many}: ask for the one that counts")
                    return
                # The platform gives no order. Grading then reports a conflict to the instructor.
                names = [make_notebook_name(one) for one in versions]
                by_name = MatchNotebooks(parent=self.writer.course.app).released_name_counts
                known = by_name and f"{name}.ipynb" in names
                what = f"{name}.ipynb counts" if known else CONFLICTING_NOTEBOOKS
                for number, one in enumerate(versions):
                    own = make_notebook_name(one, names[:number].count(names[number]))
                    yield self.writer.write(student, one, assignment, own, [what], not known)
                return
            versions = sorted(versions, key=get_upload_order)
            others = ", ".join(one.file for one in versions[:-1])
            remarks.append(f"the newest of {len(versions)} versions; older: {others}")
        newest = versions[-1]
        if Path(newest.file).stem != name:
            remarks.append(f"handed in as {newest.file}")
        # A notebook that was copied to the student's folder by hand may have another name.
        folder = self.writer.course.path("submitted", assignment, student)
        there = (
            match_notebooks(folder, self.writer.course.path("release", assignment)).files
            if folder.is_dir()
            else {}
        )
        own = str(there[name].relative_to(folder)) if name in there else f"{name}.ipynb"
        yield self.writer.write(student, newest, assignment, own, remarks)


def read_cells(one: DownloadedFile) -> list[dict[str, Any]]:
    """Return the cells of a notebook. Raises UnreadableSubmissionError."""
    return list(iterate_cells(parse_notebook_json(one.entry.read())))


def make_notebook_name(one: DownloadedFile, number: int = 0) -> str:
    """Return a valid file name close to the student's own. number: distinguishes files with the same name."""
    known = NOTEBOOK_NAME.fullmatch(one.file)
    stem = make_student_id(known["stem"] if known else Path(one.file).stem)
    return f"{stem} ({number}).ipynb" if number else f"{stem}.ipynb"


def get_upload_order(one: DownloadedFile) -> tuple[datetime, int]:
    """Return a sort key that is larger for later uploads, if the platform gives times or an order."""
    return one.received or datetime.min, one.order
