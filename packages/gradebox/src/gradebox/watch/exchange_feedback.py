"""Release feedback pages through nbgrader's exchange, for the submission that was graded.

The exchange names a page after the student's file and the secret that `nbgrader submit` has written beside
it. So each submission has its own pages, and a renamed notebook has a page with its own name.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.coursedir import CourseDirectory

from gradebox.autograde.discover_submissions import Submission
from gradebox.course import Course, CourseError, run_nbgrader_step
from gradebox.reports.release_feedback import EXCHANGE_FILES, ReleaseFeedback, came_through_exchange


def release_pages(course: Course, submission: Submission) -> str:
    """Release the feedback pages of a submission. Return what was done, in a few words.

    Raises CourseError if nbgrader can't release the pages.
    """
    assignment, student = submission.assignment, submission.student
    submitted = course.path("submitted", assignment, student)
    if not came_through_exchange(submitted):
        return f"no feedback, because {' or '.join(EXCHANGE_FILES)} is missing"
    written = course.path("feedback", assignment, student)
    pages = {path.stem: written / f"{name}.html" for name, path in submission.files.items()}
    # JupyterLab's list offers feedback only if each submitted notebook has a page.
    first = next(iter(pages.values()))
    others = {path.stem: first for path in submitted.glob("*.ipynb")}
    with TemporaryDirectory(prefix="gradebox-") as scratch:
        directory = CourseDirectory(
            parent=course.app, root=scratch, assignment_id=assignment, student_id=student
        )
        folder = Path(directory.format_path(directory.feedback_directory, student, assignment))
        folder.mkdir(parents=True)
        for name in EXCHANGE_FILES:
            shutil.copyfile(submitted / name, folder / name)
        for name, page in (others | pages).items():
            shutil.copyfile(page, folder / f"{name}.html")
        problem = run_nbgrader_step(ReleaseFeedback(coursedir=directory, parent=course.app))
    if problem:
        raise CourseError(f"feedback can't be released: {problem}")
    return "feedback released"
