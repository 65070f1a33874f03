"""Grades nbgrader courses: many submissions at once, contained, and by tests that are proven.

A course's `nbgrader_config.py` asks for it:

    import gradebox

    c = get_config()
    gradebox.configure(c)
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config

__all__ = ["configure"]

OURS, STOCK = "gradebox.preprocessors", "nbgrader.preprocessors"


def configure(c: "Config") -> None:
    """Have a course released, graded and reported by gradebox, and by nbgrader's own commands likewise.

    c: the course's configuration, in which everything can be set otherwise afterwards.
    """
    from gradebox.system import put_on_path

    put_on_path()
    if "nbgrader.coursedir" in sys.modules:
        # It is nbgrader, or Formgrader, that reads these settings.
        from gradebox.grade.careful import put_in_place

        put_in_place()
    c.GenerateAssignment.preprocessors = [
        f"{STOCK}.IncludeHeaderFooter",
        f"{OURS}.InstantiateTests",
        *(f"{STOCK}.{name}" for name in ("LockCells", "ClearSolutions", "ClearOutput")),
        *(f"{STOCK}.{name}" for name in ("CheckCellMetadata", "ComputeChecksums", "SaveCells")),
        *(f"{STOCK}.{name}" for name in ("ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums")),
        f"{STOCK}.CheckCellMetadata",
        f"{OURS}.ColabBadge",
    ]
    # Repair gives every cell the metadata that it was released with: nbgrader need not check it again, twice.
    c.Autograde.sanitize_preprocessors = [
        f"{STOCK}.ClearOutput",
        f"{OURS}.Repair",
        f"{STOCK}.OverwriteKernelspec",
        f"{STOCK}.OverwriteCells",
        f"{OURS}.Begin",
    ]
    c.Autograde.autograde_preprocessors = [
        f"{OURS}.Execute",
        f"{STOCK}.IgnorePattern",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        f"{OURS}.Pictures",
        f"{STOCK}.LimitOutput",
        f"{OURS}.SaveAutoGrades",
        f"{STOCK}.AssignLatePenalties",
        f"{OURS}.Stamp",
    ]
    # Pages for students, without hidden tests and what could tell of them.
    c.GenerateFeedback.preprocessors = [f"{OURS}.ForStudents", f"{STOCK}.GetGrades"]
    c.GenerateFeedback.exporter_class = f"{OURS}.StudentPage"
    # Pages go back through nbgrader's exchange to those whose work came through it, whoever else is there.
    c.ExchangeFactory.release_feedback = f"{OURS}.ReleaseFeedback"
    # No scripts and pages of a student's in these pages and in Formgrader.
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.filters = {"clean_html": f"{OURS}.clean", "strip_files_prefix": f"{OURS}.rendered"}
    # A kernel has nothing to save: end it at once. And its own notices are not for the person who grades.
    c.Execute.shutdown_kernel = "immediate"
    c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"]
