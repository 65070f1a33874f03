"""Grades nbgrader courses: many submissions at once, contained, and by tests that are proven.

A course's `nbgrader_config.py` asks for it:

    import gradebox

    c = get_config()
    gradebox.configure(c)

`gradebox init` writes that, in one line.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from traitlets.config import Config

__all__ = ["configure"]

OURS, STOCK = "gradebox.preprocessors", "nbgrader.preprocessors"
# The steps of releasing, grading and reporting, by nbgrader's names for their lists.
STEPS = {
    ("GenerateAssignment", "preprocessors"): [
        f"{STOCK}.IncludeHeaderFooter",
        f"{OURS}.InstantiateTests",
        *(f"{STOCK}.{name}" for name in ("LockCells", "ClearSolutions", "ClearOutput")),
        *(f"{STOCK}.{name}" for name in ("CheckCellMetadata", "ComputeChecksums", "SaveCells")),
        *(f"{STOCK}.{name}" for name in ("ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums")),
        f"{STOCK}.CheckCellMetadata",
        f"{OURS}.Links",
        f"{OURS}.HandIn",
    ],
    # Repair gives every cell the metadata that it was released with: nbgrader need not check it again, twice.
    ("Autograde", "sanitize_preprocessors"): [
        f"{STOCK}.ClearOutput",
        f"{OURS}.Repair",
        f"{STOCK}.OverwriteKernelspec",
        f"{STOCK}.OverwriteCells",
        f"{OURS}.Begin",
    ],
    ("Autograde", "autograde_preprocessors"): [
        f"{OURS}.Execute",
        f"{STOCK}.IgnorePattern",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        f"{OURS}.Pictures",
        f"{STOCK}.LimitOutput",
        f"{OURS}.SaveAutoGrades",
        f"{STOCK}.AssignLatePenalties",
        f"{OURS}.Stamp",
    ],
    # Pages for students, without hidden tests and what could tell of them.
    ("GenerateFeedback", "preprocessors"): [f"{OURS}.ForStudents", f"{STOCK}.GetGrades"],
}
# What stands for a step of nbgrader's in a list that a course has of its own.
INSTEAD = {
    "InstantiateTests": [f"{OURS}.InstantiateTests"],
    "DeduplicateIds": [f"{OURS}.Repair"],
    "Execute": [f"{OURS}.Execute", f"{OURS}.Pictures"],
    "SaveAutoGrades": [f"{OURS}.SaveAutoGrades"],
    "GetGrades": [f"{OURS}.ForStudents", f"{STOCK}.GetGrades"],
}


def configure(c: "Config") -> None:
    """Have a course released, graded and reported by gradebox, and by nbgrader's own commands likewise.

    c: the course's configuration. What it has set before stays, as does what it sets afterwards; in lists of
    steps that it has set before, gradebox's steps take the places of nbgrader's.
    """
    from gradebox.process_environment import add_environment_to_path

    add_environment_to_path()
    if "nbgrader.coursedir" in sys.modules:
        # It is nbgrader, or Formgrader, that reads these settings.
        from gradebox.autograde.nbgrader_patches import apply_nbgrader_patches

        apply_nbgrader_patches()
    for (section, name), steps in STEPS.items():
        c[section][name] = with_ours(c[section].get(name), steps)
    c.GenerateFeedback.setdefault("exporter_class", f"{OURS}.StudentPage")
    # Pages go back through nbgrader's exchange to those whose work came through it, whoever else is there.
    c.ExchangeFactory.setdefault("release_feedback", f"{OURS}.ReleaseFeedback")
    # No scripts and pages of a student's in these pages and in Formgrader.
    c.HTMLExporter.setdefault("sanitize_html", True)
    filters = {"clean_html": f"{OURS}.clean", "strip_files_prefix": f"{OURS}.rendered"}
    c.HTMLExporter.filters = with_ours(c.HTMLExporter.get("filters"), filters)
    # A kernel has nothing to save: end it at once. And its own notices are not for the person who grades.
    c.Execute.setdefault("shutdown_kernel", "immediate")
    c.Execute.setdefault("extra_arguments", ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"])


def with_ours(theirs: Any, ours: Any) -> Any:
    """What a course has set already, with what gradebox has in its place or besides.

    theirs: a list of steps, a dict of filters, what is to be added to either (traitlets' LazyConfigValue), or
    None.
    """
    if theirs is None:
        # The course may change it.
        return ours.copy()
    if hasattr(theirs, "get_value"):
        return theirs.get_value(ours)
    if isinstance(ours, dict):
        return ours | theirs
    merged = []
    for step in theirs:
        module, _, name = called(step).rpartition(".")
        instead = INSTEAD.get(name, [step]) if module.startswith(STOCK) else [step]
        merged += [one for one in instead if one is step or one not in theirs]
    in_place = {step for steps in INSTEAD.values() for step in steps}
    return merged + [step for step in ours if step.startswith(OURS) and step not in {*in_place, *merged}]


def called(step: Any) -> str:
    """The full name of a step, which a list may hold as a name or as a class."""
    return step if isinstance(step, str) else f"{step.__module__}.{step.__qualname__}"
