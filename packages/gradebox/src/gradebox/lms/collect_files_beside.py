"""Import the files beside notebooks into the folders of the notebooks. Used by `collect.py`."""

from collections.abc import Iterator, Mapping

from gradebox.lms.collect_notebooks import get_upload_order
from gradebox.lms.collect_results import LEFT_OUT, CollectResult, refuse_file
from gradebox.lms.filename_patterns import DownloadedFile
from gradebox.lms.files_beside_notebooks import (
    SubmittedNotebook,
    find_nearest,
    find_size_problem,
    is_left_out,
    make_relative_path,
)
from gradebox.lms.write_submissions import SubmissionWriter
from gradebox.safe_submission_files import ARCHIVE_SUFFIXES, MAX_NOTEBOOK_SIZE, UnreadableSubmissionError


def put_beside(
    writer: SubmissionWriter, student: str, files: list[DownloadedFile], notebooks: list[SubmittedNotebook]
) -> Iterator[CollectResult]:
    """Import the other files of a student's submissions into the folders of their notebooks."""
    chosen: dict[tuple[str, str], list[DownloadedFile]] = {}
    for one in sorted(files, key=get_upload_order):
        near = find_nearest(one, notebooks)
        if not near:
            yield refuse_file(student, one, describe_other_file(one))
        elif is_left_out(one, near):
            assignment = near[0].assignment
            yield CollectResult(student, assignment, LEFT_OUT, one.entry.path, one.shown_name, beside=True)
        elif len({notebook.assignment for notebook in near}) > 1:
            yield refuse_file(student, one, "is beside notebooks of several lessons: copy it by hand")
        elif any(notebook.written for notebook in near):
            try:
                path = make_relative_path(one, near[-1])
            except UnreadableSubmissionError as error:
                yield refuse_file(student, one, f"can't be stored: the submission {error}")
            else:
                chosen.setdefault((near[-1].assignment, path), []).append(one)
    for assignment in dict.fromkeys(assignment for assignment, _ in chosen):
        mine = {path: same for (of, path), same in chosen.items() if of == assignment}
        sizes = [one.file.entry.size for one in notebooks if one.assignment == assignment]
        yield from write_beside(writer, student, assignment, mine, sum(sizes))


def write_beside(
    writer: SubmissionWriter,
    student: str,
    assignment: str,
    chosen: Mapping[str, list[DownloadedFile]],
    notebooks: int,
) -> Iterator[CollectResult]:
    """Write the newest version of each file, by path. notebooks: the size of the notebooks in bytes."""
    # Larger files are refused one by one.
    sizes = (versions[-1].entry.size for versions in chosen.values())
    problem = find_size_problem(chosen, notebooks + sum(size for size in sizes if size <= MAX_NOTEBOOK_SIZE))
    for path, (*older, one) in chosen.items():
        if problem:
            yield refuse_file(student, one, problem)
            return
        same_time = [other for other in older if get_upload_order(other) == get_upload_order(one)]
        try:
            differs = any(other.entry.read() != one.entry.read() for other in same_time)
        except UnreadableSubmissionError as error:
            yield refuse_file(student, one, str(error))
            continue
        if differs:
            yield refuse_file(student, one, "is one of several different files for the same place")
        else:
            yield writer.write(student, one, assignment, path, [], beside=True)


def describe_other_file(one: DownloadedFile) -> str:
    """Return the problem of a file that is not a notebook and was submitted without one."""
    if one.typed:
        return "is a text or a link that was typed into a form, not a notebook"
    if one.entry.name.lower().endswith(ARCHIVE_SUFFIXES):
        return "is an archive without a notebook: ask for the notebook itself"
    return "is not a notebook"
