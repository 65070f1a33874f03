"""Public names of gradebox's preprocessors, exporters and filters, for `nbgrader_config.py`.

These names are stable, because courses refer to them.
"""

from importlib import import_module
from typing import Any

# The module of each name, imported lazily on first access.
PLACES = {
    "Begin": "autograde.fingerprint",
    "Execute": "execute.execute_preprocessor",
    "ForStudents": "reports.feedback_preprocessor",
    "HandIn": "release.submission_instructions",
    "InstantiateTests": "release.generate_autotests",
    "LatePolicy": "autograde.late_policy",
    "Lessons": "exercise_selection",
    "Links": "release.launch_badges",
    "Pictures": "autograde.restore_outputs",
    "RecordRelease": "autograde.release_history",
    "ReleaseFeedback": "reports.release_feedback",
    "Repair": "autograde.repair_notebook",
    "RequireReference": "autograde.require_reference",
    "SaveAutoGrades": "autograde.save_scores",
    "Stamp": "autograde.fingerprint",
    "StudentPage": "reports.feedback_exporter",
    "clean": "sanitize.html",
    "legible_ansi": "sanitize.html",
    "markdown_to_html": "sanitize.html",
    "rendered": "sanitize.html",
    "rendered_cell": "sanitize.html",
}


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gradebox.{PLACES[name]}"), name)
