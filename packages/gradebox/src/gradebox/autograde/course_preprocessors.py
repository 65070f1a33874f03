"""The steps that a course's configuration names, and where each can be done.

What is known to need a notebook and a kit (see `grading_context.py`), and nothing else, is done where
submissions run. What saves grades is done in the one process that writes the gradebook. A step that a course
has of its own may need anything, so it is done there, too, between the same steps as ever.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    IgnorePattern,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
)
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from gradebox.autograde.fingerprint import Begin, Stamp
from gradebox.autograde.repair_notebook import Repair
from gradebox.autograde.restore_outputs import Pictures
from gradebox.autograde.save_scores import SaveAutoGrades
from gradebox.execute.execute_preprocessor import Execute

Step = type[NbGraderPreprocessor]
WORKER_STEPS = {
    *(Begin, CheckCellMetadata, ClearMetadataPreprocessor, ClearOutput, DeduplicateIds, IgnorePattern),
    *(LimitOutput, OverwriteCells, OverwriteKernelspec, Pictures, Repair, Stamp),
}
SAVING_STEPS = {SaveAutoGrades, AssignLatePenalties}


@dataclass(frozen=True)
class StepPlan:
    """The steps around a run, in their order.

    first: those that the process which writes the gradebook does ahead of all others. before, after: those
    that are done where the submission is run. last: those that the writing process does in the end; None if
    only grades are left to be saved. penalties: the one of all these that takes points for lateness, if any.
    """

    first: tuple[Step, ...]
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    last: tuple[Step, ...] | None
    penalties: Step | None


def import_step_classes(names: Iterable[str | type]) -> list[Step]:
    return [import_item(name) if isinstance(name, str) else name for name in names]


def plan_steps(before: list[Step], after: list[Step]) -> StepPlan:
    """Where each step is done, of those ahead of `Execute` and of those behind it."""
    own = max((n for n, step in enumerate(before, 1) if step not in WORKER_STEPS), default=0)
    first, here = tuple(before[:own]), tuple(before[own:])
    penalties = next((step for step in after if issubclass(step, AssignLatePenalties)), None)
    behind = after[after.index(SaveAutoGrades) + 1 :] if SaveAutoGrades in after else [None]
    # Nothing that changes a notebook after it was scored.
    if set(after) <= WORKER_STEPS | SAVING_STEPS and set(behind) <= {
        AssignLatePenalties,
        CheckCellMetadata,
        Stamp,
    }:
        anywhere = tuple(step for step in after if step in WORKER_STEPS)
        return StepPlan(first, here, anywhere, None, penalties)
    until = next((n for n, step in enumerate(after) if step not in WORKER_STEPS), len(after))
    return StepPlan(first, here, tuple(after[:until]), tuple(after[until:]), penalties)


def select_step_settings(config: Config, steps: Iterable[Step]) -> dict[str, Any]:
    """What of a configuration concerns these steps and `Execute`."""
    every: list[type] = [Execute, *steps]
    names = {cls.__name__ for step in every for cls in step.__mro__}
    return {name: dict(section) for name, section in config.items() if name in names}


def run_steps(
    steps: Iterable[NbGraderPreprocessor], notebook: NotebookNode, resources: dict[str, Any]
) -> NotebookNode:
    for step in steps:
        notebook, resources = step(notebook, resources)
    return notebook
