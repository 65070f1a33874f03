"""The table of incidents has a few lines for each submission, whatever the submission does."""

from gradebox.autograde.incidents import (
    KINDS,
    MISSING_MODULE,
    REPAIRED,
    TIMED_OUT,
    UNREADABLE,
    Incident,
)
from gradebox.reports.incident_table import (
    MAX_DESCRIPTION_LENGTH,
    MAX_LISTED_TEXTS,
    MAX_MACHINE_ROWS,
    group_incidents,
)

NAMES = {"hw": frozenset(f"f{number}" for number in range(40))}


def missing(student: str, *modules: str) -> list[Incident]:
    return [
        Incident(student, "hw", MISSING_MODULE, "cell 1", f"not installed here: {one}") for one in modules
    ]


def test_many_repairs_of_one_cell_each_are_one_row():
    repairs = [Incident("ann", "hw", REPAIRED, None, f"f{n} had lost its metadata") for n in range(40)]
    (row,) = group_incidents(repairs, NAMES)
    assert row.what == "had lost its metadata" and row.cells.startswith("f0, f1, ") and "more" in row.cells


def test_the_most_important_kinds_come_first():
    found = [Incident("ann", "hw", kind, None, f"{kind}, in words") for kind in sorted(KINDS)]
    rows = group_incidents(found, NAMES)
    assert [row.kind for row in rows] == [*KINDS]
    assert (KINDS[0], KINDS[-1]) == (UNREADABLE, REPAIRED)


def test_many_different_incidents_of_a_kind_are_a_row_of_a_few_lines():
    stopped = [Incident("ann", "hw", TIMED_OUT, f"f{n}", f"It slept for {n} s.") for n in range(40)]
    (row,) = group_incidents(stopped, NAMES)
    assert row.cells == "40 events" and row.what.count("\n") == MAX_LISTED_TEXTS
    assert row.what.endswith(f"and {40 - MAX_LISTED_TEXTS} more: see incidents.json")


def test_many_missing_modules_of_a_submission_are_one_row_and_those_of_others_have_their_own():
    many = missing("ann", *(f"made_up_{n}" for n in range(40)), "seaborn")
    few = [*missing("ben", "seaborn"), *missing("cleo", "seaborn", "plotly")]
    rows = group_incidents([*many, *few], NAMES)
    assert [(row.submissions, row.what) for row in rows[1:]] == [
        (("ben/hw", "cleo/hw"), "not installed here: seaborn"),
        (("cleo/hw",), "not installed here: plotly"),
    ]
    assert rows[0].submissions == ("ann/hw",) and rows[0].cells == "41 events"
    (long,) = group_incidents(missing("eve", "m" * 100_000), NAMES)
    assert len(long.what) <= MAX_DESCRIPTION_LENGTH + 1
    limit = missing("dan", *(f"m{n}" for n in range(MAX_MACHINE_ROWS)))
    assert len(group_incidents(limit, NAMES)) == MAX_MACHINE_ROWS
