"""What a judge knows of the instructor's notebook."""

import sys
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

# Libraries besides Python's own that make no tables.
WITHOUT_TABLES = frozenset(
    "numpy matplotlib mpl_toolkits torch sympy IPython ipywidgets pytest nose gradebox".split()
)


@dataclass(frozen=True)
class Known:
    """own: the names that only the instructor's cells may give a value to; a submission has no say in what
    they are. answered: those that students are asked to give a value to. given: those of cells that both
    processes run. imports: what the reference solutions import, as (name, module, attribute or "").
    defined: the classes with methods that cells define besides tests; operators: what tells values of these
    from each other, as far as they say it, as (class, name); fields: of those that are dataclasses, by
    which their values are equal, as (class, names). libraries: what the notebook imports. files: whether it
    reads or writes any; mentioned: the names of files in what is no test. built_in: what the solutions use
    of Python's own functions. changing: their functions and methods that may change what they are given.
    """

    own: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    imports: frozenset[tuple[str, str, str]] = frozenset()
    defined: frozenset[str] = frozenset()
    operators: frozenset[tuple[str, str]] = frozenset()
    fields: frozenset[tuple[str, tuple[str, ...]]] = frozenset()
    libraries: frozenset[str] = frozenset()
    built_in: frozenset[str] = frozenset()
    changing: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    files: bool = False

    @cached_property
    def values(self) -> frozenset[str]:
        """The libraries of which values come as data; those of others would only surprise a lesson's tests.

        A formula compares otherwise than a number. A table may come from any library of data.
        """
        others = self.libraries - sys.stdlib_module_names - WITHOUT_TABLES
        return (self.libraries & {"sympy"}) | (frozenset(("pandas", "scipy")) if others else frozenset())

    @cached_property
    def fields_of(self) -> dict[str, tuple[str, ...]]:
        return dict(self.fields)

    def words(self) -> dict:
        """The same as plain lists, in an order: the same text for the same notebook."""
        return {name: value if type(value) is bool else sorted(value) for name, value in asdict(self).items()}

    @classmethod
    def from_words(cls, said: dict) -> "Known":
        fields: dict[str, Any] = {
            name: value if type(value) is bool else frozenset(value) for name, value in said.items()
        }
        return cls(**fields)
