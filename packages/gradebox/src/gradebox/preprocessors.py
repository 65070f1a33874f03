"""All that a course's configuration may name of gradebox: these names stay."""

from importlib import import_module
from typing import Any

# Where each is; a command imports those that it needs.
PLACES = {
    "Begin": "autograde.fingerprint",
    "Execute": "execute.execute_preprocessor",
    "ForStudents": "reports.feedback_preprocessor",
    "HandIn": "release.submission_instructions",
    "InstantiateTests": "release.generate_autotests",
    "Links": "release.launch_badges",
    "Pictures": "autograde.restore_outputs",
    "ReleaseFeedback": "reports.release_feedback",
    "Repair": "autograde.repair_notebook",
    "SaveAutoGrades": "autograde.save_scores",
    "Stamp": "autograde.fingerprint",
    "StudentPage": "reports.feedback_exporter",
    "clean": "sanitize.html",
    "rendered": "sanitize.html",
}


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gradebox.{PLACES[name]}"), name)
