"""Parallel, sandboxed grader for nbgrader courses.

A course enables gradebox in its `nbgrader_config.py`:

    import gradebox

    c = get_config()
    gradebox.configure(c)

`gradebox init` writes these statements on one line.
"""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from traitlets.config import Config

__all__ = ["configure"]

OURS, STOCK = "gradebox.preprocessors", "nbgrader.preprocessors"
# Preprocessors for release, grading and feedback, by the nbgrader traits that list them.
STEPS = {
    ("GenerateAssignment", "preprocessors"): [
        f"{OURS}.Lessons",
        f"{STOCK}.IncludeHeaderFooter",
        f"{OURS}.InstantiateTests",
        *(f"{STOCK}.{name}" for name in ("LockCells", "ClearSolutions", "ClearOutput")),
        *(f"{STOCK}.{name}" for name in ("CheckCellMetadata", "ComputeChecksums", "SaveCells")),
        *(f"{STOCK}.{name}" for name in ("ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums")),
        f"{STOCK}.CheckCellMetadata",
        f"{OURS}.Links",
        f"{OURS}.HandIn",
        f"{OURS}.RecordRelease",
    ],
    # Repair restores the released metadata of every cell, so both lists omit nbgrader's CheckCellMetadata.
    ("Autograde", "sanitize_preprocessors"): [
        f"{STOCK}.ClearOutput",
        f"{OURS}.Repair",
        f"{STOCK}.OverwriteKernelspec",
        f"{STOCK}.OverwriteCells",
        f"{OURS}.Begin",
        f"{OURS}.RequireReference",
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
    # Feedback pages for students, without hidden tests and output that could reveal them.
    ("GenerateFeedback", "preprocessors"): [f"{OURS}.ForStudents", f"{STOCK}.GetGrades"],
}
# The step that comes before all steps of a course's own.
FIRST = f"{OURS}.Lessons"
# Replacements for nbgrader's preprocessors in lists that a course sets.
INSTEAD = {
    "InstantiateTests": [f"{OURS}.InstantiateTests"],
    "DeduplicateIds": [f"{OURS}.Repair"],
    "Execute": [f"{OURS}.Execute", f"{OURS}.Pictures"],
    "SaveAutoGrades": [f"{OURS}.SaveAutoGrades"],
    "GetGrades": [f"{OURS}.ForStudents", f"{STOCK}.GetGrades"],
}


def configure(c: "Config", *, second_chances: bool = True) -> None:
    """Configure a course to use gradebox's preprocessors, for both `gradebox` and `nbgrader` commands.

    c: the configuration of the course. Options that the course sets before or after this call keep their
    values. In lists of preprocessors that are already set, gradebox's preprocessors replace nbgrader's.
    second_chances: the default of `c.Execute.second_chances`. `gradebox init` turns second chances off, so
    that a course keeps nbgrader's points.
    """
    from gradebox.path_and_home import add_environment_to_path

    add_environment_to_path()
    if "nbgrader.coursedir" in sys.modules:
        # An `nbgrader` command or Formgrader loads this configuration.
        from gradebox.autograde.safe_nbgrader_reads import apply_nbgrader_patches

        apply_nbgrader_patches()
    for (section, name), steps in STEPS.items():
        c[section][name] = with_ours(c[section].get(name), steps)
    c.AssignLatePenalties.setdefault("plugin_class", f"{OURS}.LatePolicy")
    c.GenerateFeedback.setdefault("exporter_class", f"{OURS}.StudentPage")
    # Return feedback through nbgrader's exchange only for submissions that came through the exchange.
    c.ExchangeFactory.setdefault("release_feedback", f"{OURS}.ReleaseFeedback")
    # Remove students' scripts and frames from feedback pages and Formgrader.
    c.HTMLExporter.setdefault("sanitize_html", True)
    # The links beside headings lead nowhere, because the filters remove all ids.
    c.HTMLExporter.setdefault("exclude_anchor_links", True)
    filters = {
        "ansi2html": f"{OURS}.legible_ansi",
        "clean_html": f"{OURS}.clean",
        "markdown2html": f"{OURS}.markdown_to_html",
        "strip_files_prefix": f"{OURS}.rendered_cell",
    }
    c.HTMLExporter.filters = with_ours(c.HTMLExporter.get("filters"), filters)
    # A kernel has nothing to save, so kill it at once. Hide its log messages from the instructor.
    c.Execute.setdefault("shutdown_kernel", "immediate")
    if not second_chances:
        c.Execute.setdefault("second_chances", False)
    c.Execute.setdefault("extra_arguments", ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"])


def with_ours(theirs: Any, ours: Any) -> Any:
    """Merge a course's setting with gradebox's defaults.

    theirs: a list of preprocessors, a dict of filters, changes to either (traitlets' LazyConfigValue), or
    None. In a list, gradebox's preprocessors replace nbgrader's (see `INSTEAD`), and the others are appended.
    In a dict, the course's values win.
    """
    if theirs is None:
        # Copy the default: the course may modify the value.
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
    added = [step for step in ours if step.startswith(OURS) and step not in {*in_place, *merged}]
    return [step for step in added if step == FIRST] + merged + [step for step in added if step != FIRST]


def called(step: Any) -> str:
    """Return the full name of a preprocessor, given as a name or as a class."""
    return step if isinstance(step, str) else f"{step.__module__}.{step.__qualname__}"
