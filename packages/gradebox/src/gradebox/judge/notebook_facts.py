"""What a judge knows of the instructor's notebook."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gradebox.judge.required_operations import Needs


@dataclass(frozen=True)
class NotebookFacts:
    """own: names that only locked cells define. answered: names that the solutions define. given: names of
    cells that both processes run. libraries: packages that the notebook imports. needs: what each test needs,
    by its hash (see `required_operations.py`); None for no limits. record: True if each test prints what it
    needs.
    """

    own: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    needs: Mapping[str, Needs] | None = field(default_factory=dict, hash=False)
    record: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return plain lists in a fixed order: equal for equal notebooks."""
        names = {name: sorted(getattr(self, name)) for name in ("own", "answered", "given", "libraries")}
        needs = None if self.needs is None else {test: sorted(one) for test, one in self.needs.items()}
        return {**names, "needs": needs, "record": self.record}

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> "NotebookFacts":
        names = {name: frozenset(said[name]) for name in ("own", "answered", "given", "libraries")}
        needs = said["needs"]
        if needs is not None:
            needs = {test: Needs(one) for test, one in needs.items()}
        return cls(**names, needs=needs, record=said["record"])
