"""All that a course's configuration may name of gradebox: these names stay."""

from importlib import import_module
from typing import Any

# Where each is; a command imports those that it needs.
PLACES = {
    "Begin": "grade.fingerprint",
    "Execute": "run.execute",
    "ForStudents": "report.feedback",
    "HandIn": "release.ending",
    "InstantiateTests": "release.autotests",
    "Links": "release.links",
    "Pictures": "grade.pictures",
    "ReleaseFeedback": "report.exchange",
    "Repair": "grade.repair",
    "SaveAutoGrades": "grade.save",
    "Stamp": "grade.fingerprint",
    "StudentPage": "report.student_page",
    "clean": "harmless.pages",
    "rendered": "harmless.pages",
}


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gradebox.{PLACES[name]}"), name)
