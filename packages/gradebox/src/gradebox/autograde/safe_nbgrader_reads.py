"""Patches that make nbgrader's commands and Formgrader open submissions as `safe_submission_files.py` does.

nbgrader follows links, waits for pipes, and copies all files in a student's folder to `autograded/`. From
there, the files get into the student's page. nbgrader has no settings for this, so four of its methods are
replaced, in each process that reads a course's settings.
"""

import os
from collections.abc import Iterable
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets import Bool

from gradebox.autograde.discover_submissions import find_name_problem
from gradebox.autograde.repair_notebook import READ_REPAIRS
from gradebox.dates import find_timestamp_zone
from gradebox.notebook_json import read_and_repair
from gradebox.safe_submission_files import (
    UnreadableSubmissionError,
    find_submission_problem,
    read_files,
    read_timestamp,
    select_extra_files,
)
from gradebox.submission_archives import unpack_archives

NBGRADER_START, NBGRADER_INIT_DESTINATION = Autograde.start, Autograde.init_destination
NBGRADER_INIT_ASSIGNMENT = BaseConverter.init_assignment


class Reader(NotebookExporter):
    """Replacement of nbgrader's exporter for notebooks in a student's folder."""

    # Validate after all steps only: the first step, ClearOutput, runs before Repair.
    optimistic_validation = Bool(True).tag(config=True)

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> tuple[NotebookNode, Any]:
        # Open the file again, safely: nbgrader opened the stream by its path.
        path = Path(file_stream.name)
        try:
            notebook, repairs = read_and_repair(path)
        except UnreadableSubmissionError as error:
            student, assignment = path.parts[-3:-1]
            raise NbGraderException(f"{student}/{assignment}: {error}") from None
        return self.from_notebook_node(notebook, {**(resources or {}), READ_REPAIRS: repairs}, **kw)


def start_autograde(autograde: Autograde) -> None:
    if autograde.exporter_class is NotebookExporter:
        autograde.exporter_class = Reader
    NBGRADER_START(autograde)


def init_destination(autograde: Autograde, assignment_id: str, student_id: str) -> bool:
    """Check a submission before any file is read or copied. Raises NbGraderException for a problem."""
    folder = Path(autograde._format_source(assignment_id, student_id))
    why_not = find_name_problem(student_id) or find_submission_problem(folder)
    if why_not:
        raise NbGraderException(f"{student_id}/{assignment_id}: {why_not}")
    return NBGRADER_INIT_DESTINATION(autograde, assignment_id, student_id)


def init_assignment(converter: BaseConverter, assignment_id: str, student_id: str) -> None:
    """Copy the files next to the notebooks."""
    if not isinstance(converter, Autograde):
        # These files are the instructor's, or copies made here.
        NBGRADER_INIT_ASSIGNMENT(converter, assignment_id, student_id)
        return
    source = Path(converter._format_source(assignment_id, student_id))
    copies = Path(converter._format_dest(assignment_id, student_id))
    copy_supplement(source, copies, converter.coursedir.ignore)


def copy_supplement(
    source: Path, copies: Path, ignored: Iterable[str], notebooks: Iterable[str] = ()
) -> None:
    """Copy the files next to submitted notebooks, except names that nbgrader ignores.

    notebooks: relative paths of the matched notebooks.
    """
    contents = unpack_archives(dict(read_files(source)))
    for name, content in select_extra_files(contents, notebooks).items():
        if not any(fnmatch(part, pattern) for part in Path(name).parts for pattern in ignored):
            (copies / name).parent.mkdir(parents=True, exist_ok=True)
            # An earlier copy may be read-only.
            (copies / name).unlink(missing_ok=True)
            (copies / name).write_bytes(content)


def get_existing_timestamp(directory: CourseDirectory, dest_path: str) -> datetime | None:
    """Return the time of a submission, or None if unknown."""
    if not os.path.isdir(dest_path):
        return None
    try:
        return read_timestamp(Path(dest_path), find_timestamp_zone(directory.config))
    except UnreadableSubmissionError as error:
        directory.log.warning("%s: %s", dest_path, error)
        return None


def apply_nbgrader_patches() -> None:
    """Replace nbgrader's methods with the ones above, in this process."""
    Autograde.start, Autograde.init_destination = start_autograde, init_destination
    BaseConverter.init_assignment = init_assignment
    CourseDirectory.get_existing_timestamp = get_existing_timestamp
