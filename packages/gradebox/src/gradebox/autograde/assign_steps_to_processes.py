"""Steps named in a course's configuration, and the process in which each can run.

A step that needs only a notebook and an assignment bundle (see `grading_context.py`) runs in the workers that
execute submissions. A step that saves grades runs in the one process that writes the gradebook. A course's
own step may need anything, so it runs in the writing process, too, in its configured position.
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
    """Steps before and after execution, in order, by the process that runs them.

    first: steps that the process writing the gradebook runs before all others. before, after: steps that run
    in the worker that executes the submission. last: steps that the writing process runs at the end; None if
    it only needs to save grades. penalties: the step among these that deducts points for lateness, if any.
    """

    first: tuple[Step, ...]
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    last: tuple[Step, ...] | None
    penalties: Step | None


def import_step_classes(names: Iterable[str | type]) -> list[Step]:
    return [import_item(name) if isinstance(name, str) else name for name in names]


def plan_steps(before: list[Step], after: list[Step]) -> StepPlan:
    """Assign the steps before and after `Execute` to processes."""
    own = max((n for n, step in enumerate(before, 1) if step not in WORKER_STEPS), default=0)
    first, here = tuple(before[:own]), tuple(before[own:])
    penalties = next((step for step in after if issubclass(step, AssignLatePenalties)), None)
    behind = after[after.index(SaveAutoGrades) + 1 :] if SaveAutoGrades in after else [None]
    # No step may change a notebook after it was scored.
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
    """Return the sections of a configuration that apply to these steps and to `Execute`."""
    every: list[type] = [Execute, *steps]
    names = {cls.__name__ for step in every for cls in step.__mro__}
    return {name: dict(section) for name, section in config.items() if name in names}


def run_steps(
    steps: Iterable[NbGraderPreprocessor], notebook: NotebookNode, resources: dict[str, Any]
) -> NotebookNode:
    for step in steps:
        notebook, resources = step(notebook, resources)
    return notebook
