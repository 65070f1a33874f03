"""Facts about the instructor's notebook, passed to the judge when the judge starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NotebookFacts:
    """Facts that the judge has about the instructor's notebook.

    own: names that only locked cells define. answered: names that the solutions define. given: names from
    cells that both processes run. libraries: packages that the notebook imports. handles: hashes of the
    tests that may use handles (see `handle_permission.py`); None without a record. record: True if each test
    prints whether it uses handles.
    """

    own: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    handles: frozenset[str] | None = frozenset()
    record: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the facts as plain lists in a fixed order, so that equal notebooks give equal lists."""
        names = {name: sorted(getattr(self, name)) for name in ("own", "answered", "given", "libraries")}
        handles = None if self.handles is None else sorted(self.handles)
        return {**names, "handles": handles, "record": self.record}

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> NotebookFacts:
        names = {name: frozenset(said[name]) for name in ("own", "answered", "given", "libraries")}
        handles = None if said["handles"] is None else frozenset(said["handles"])
        return cls(**names, handles=handles, record=said["record"])
