"""Facts about the instructor's notebook, passed to the judge when the judge starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gradebox.judge.operations_of_reference import Needs


@dataclass(frozen=True)
class NotebookFacts:
    """Facts that the judge has about the instructor's notebook.

    own: names that only locked cells define. answered: names that the solutions define. given: names from
    cells that both processes run. libraries: packages that the notebook imports. needs: the needs of each
    test, by the test's hash (see `operations_of_reference.py`); None for no limits. record: True if each test
    prints its needs.
    """

    own: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    needs: Mapping[str, Needs] | None = field(default_factory=dict, hash=False)
    record: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the facts as plain lists in a fixed order, so that equal notebooks give equal lists."""
        names = {name: sorted(getattr(self, name)) for name in ("own", "answered", "given", "libraries")}
        needs = None if self.needs is None else {test: sorted(one) for test, one in self.needs.items()}
        return {**names, "needs": needs, "record": self.record}

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> NotebookFacts:
        names = {name: frozenset(said[name]) for name in ("own", "answered", "given", "libraries")}
        needs = said["needs"]
        if needs is not None:
            needs = {test: Needs(one) for test, one in needs.items()}
        return cls(**names, needs=needs, record=said["record"])
