"""What the author says of mutants: `answers/ASSIGNMENT/equivalent.toml`.

    [[equivalent]]
    exercise = "softmax"
    answer = "reference"                      # or the title of a right answer, or a list of them
    was = "top = scores.max(axis, keepdims=True)"
    becomes = ["top = scores.min(axis, keepdims=True)", "..."]
    reason = "Any constant that is subtracted cancels in the quotient."

    [inputs]
    softmax = ["strided", "column-major"]     # what this exercise must be able to take; all if not said

`was` and `becomes` are whole lines as Python's ast.unparse writes them, and are printed by the audit. `nth`
tells apart mutants in which the same line of a solution changes in the same way (0 if not said). Without
`becomes`, whatever the line becomes: for lines that choose something freely, such as the inputs of a test
that students write.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradebox.answer_runner.input_variants import INPUT_VARIANTS
from gradebox.audit.mutants import Mutant
from gradebox.course import CourseError

EQUIVALENTS_FILE = "equivalent.toml"
WILDCARD = "*"
MutantKey = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class AuditDeclarations:
    """reasons: why a mutant computes the same, by its key. inputs: what exercises must take, where said."""

    reasons: dict[MutantKey, str]
    inputs: dict[str, tuple[str, ...]]

    def entry(self, exercise: str, answer: str, mutant: Mutant) -> MutantKey | None:
        """The entry that a mutant falls under: its own, or that of its whole line."""
        line = exercise, answer, mutant.was
        entries: tuple[MutantKey, ...] = (*line, mutant.becomes, mutant.nth), (*line, WILDCARD, 0)
        return next((entry for entry in entries if entry in self.reasons), None)


def as_list(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def read_declarations(folder: Path) -> AuditDeclarations:
    """What is declared for an assignment. Raises CourseError if the file is not as it should be."""
    path = folder / EQUIVALENTS_FILE
    if not path.exists():
        return AuditDeclarations({}, {})
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        reasons = {}
        for entry in content.get("equivalent", []):
            for name, reason in parse_entry(entry):
                if name in reasons:
                    raise CourseError(f"{path}: {name} is listed twice")
                reasons[name] = reason
        inputs = {exercise: tuple(names) for exercise, names in content.get("inputs", {}).items()}
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path}: {type(error).__name__}: {error}") from None
    for exercise, names in inputs.items():
        if set(names) - set(INPUT_VARIANTS):
            raise CourseError(f"{path}, inputs of {exercise}: choose from {', '.join(INPUT_VARIANTS)}")
    return AuditDeclarations(reasons, inputs)


def parse_entry(entry: dict[str, Any]) -> list[tuple[MutantKey, str]]:
    """The mutants that an entry stands for, with its reason."""
    reason = entry["reason"].strip()
    if not reason:
        raise KeyError("reason")
    return [
        ((entry["exercise"], answer, entry["was"], becomes, entry.get("nth", 0)), reason)
        for answer in as_list(entry["answer"])
        for becomes in as_list(entry.get("becomes", WILDCARD))
    ]
