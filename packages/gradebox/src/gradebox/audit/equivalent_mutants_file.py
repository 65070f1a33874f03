"""Read the author's declarations about mutants and inputs from `answers/ASSIGNMENT/equivalent.toml`.

    [[equivalent]]
    exercise = "softmax"
    answer = "reference"                      # or the title of a right answer, or a list of them
    was = "top = scores.max(axis, keepdims=True)"
    becomes = ["top = scores.min(axis, keepdims=True)", "..."]
    reason = "Any constant that is subtracted cancels in the quotient."

    [inputs]
    softmax = ["strided", "column-major"]     # input variants that this exercise must accept (default: all)

`was` and `becomes` are whole lines as Python's ast.unparse writes them; the audit prints them. `nth` (default
0) distinguishes mutants in which the same line of a solution changes in the same way. An entry without
`becomes` matches any change of the line: use it for lines with a free choice, such as the inputs of a test
that students write.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gradebox.answer_runner.equivalent_arguments import INPUT_VARIANTS
from gradebox.audit.mutants import Mutant
from gradebox.course import CourseError

EQUIVALENTS_FILE = "equivalent.toml"
WILDCARD = "*"
MutantKey = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class AuditDeclarations:
    """The declarations of an assignment.

    reasons: by mutant, the reason why the mutant is equivalent. inputs: by exercise, the input variants that
    its answers must accept; exercises without a declaration are missing.
    """

    reasons: dict[MutantKey, str]
    inputs: dict[str, tuple[str, ...]]

    def entry(self, exercise: str, answer: str, mutant: Mutant) -> MutantKey | None:
        """Return the key of the entry for a mutant, or for any change of its line; None if there is none."""
        line = exercise, answer, mutant.was
        entries: tuple[MutantKey, ...] = (*line, mutant.becomes, mutant.nth), (*line, WILDCARD, 0)
        return next((entry for entry in entries if entry in self.reasons), None)


def as_list(value: str | list[str]) -> list[str]:
    """Return a list; a string becomes a list of one element."""
    return value if isinstance(value, list) else [value]


def read_declarations(folder: Path) -> AuditDeclarations:
    """Return the declarations of an assignment, empty if the file does not exist.

    Raises CourseError if the file is invalid.
    """
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
            raise CourseError(
                f"{path}, inputs of {exercise}: unknown input variant (known: {', '.join(INPUT_VARIANTS)})"
            )
    return AuditDeclarations(reasons, inputs)


def parse_entry(entry: dict[str, Any]) -> list[tuple[MutantKey, str]]:
    """Return the keys of the mutants that an entry matches, each with the entry's reason.

    Raises KeyError if a required key is missing or the reason is empty.
    """
    reason = entry["reason"].strip()
    if not reason:
        raise KeyError("reason")
    return [
        ((entry["exercise"], answer, entry["was"], becomes, entry.get("nth", 0)), reason)
        for answer in as_list(entry["answer"])
        for becomes in as_list(entry.get("becomes", WILDCARD))
    ]
