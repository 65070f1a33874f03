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

from gradebox.answer_runner.input_variants import CHANGES
from gradebox.audit.mutants import Mutant
from gradebox.course import CourseError

FILE = "equivalent.toml"
ANYTHING = "*"
Key = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Declared:
    """reasons: why a mutant computes the same, by its key. inputs: what exercises must take, where said."""

    reasons: dict[Key, str]
    inputs: dict[str, tuple[str, ...]]

    def entry(self, exercise: str, answer: str, mutant: Mutant) -> Key | None:
        """The entry that a mutant falls under: its own, or that of its whole line."""
        line = exercise, answer, mutant.was
        entries: tuple[Key, ...] = (*line, mutant.becomes, mutant.nth), (*line, ANYTHING, 0)
        return next((entry for entry in entries if entry in self.reasons), None)


def several(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def read(folder: Path) -> Declared:
    """What is declared for an assignment. Raises CourseError if the file is not as it should be."""
    path = folder / FILE
    if not path.exists():
        return Declared({}, {})
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        reasons = {}
        for entry in content.get("equivalent", []):
            for name, reason in keys(entry):
                if name in reasons:
                    raise CourseError(f"{path}: {name} is listed twice")
                reasons[name] = reason
        inputs = {exercise: tuple(names) for exercise, names in content.get("inputs", {}).items()}
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path}: {type(error).__name__}: {error}") from None
    for exercise, names in inputs.items():
        if set(names) - set(CHANGES):
            raise CourseError(f"{path}, inputs of {exercise}: choose from {', '.join(CHANGES)}")
    return Declared(reasons, inputs)


def keys(entry: dict[str, Any]) -> list[tuple[Key, str]]:
    """The mutants that an entry stands for, with its reason."""
    reason = entry["reason"].strip()
    if not reason:
        raise KeyError("reason")
    return [
        ((entry["exercise"], answer, entry["was"], becomes, entry.get("nth", 0)), reason)
        for answer in several(entry["answer"])
        for becomes in several(entry.get("becomes", ANYTHING))
    ]
