"""What gradebox keeps of a course for itself, in the gradebook and beside it."""

from collections.abc import Mapping

from sqlalchemy import MetaData, Table, func, inspect, make_url, select

from gradebox.course import CHECKED, INCIDENTS, Course
from gradebox.forget.gradebook import OWN
from gradebox.secret import FILE

# What people gave and nbgrader has no place for, by the names of tables.
GIVEN = {
    "gradebox_extension": "due dates of single students",
    "gradebox_phrase": "phrases of readers",
    "gradebox_answer": "answers to requests",
    "gradebox_lms_number": "students' numbers on learning platforms",
}


def given(course: Course) -> dict[str, int]:
    """How many of each of these there are, if there are any."""
    tables = own_tables(course)
    there = {what: tables[name] for name, what in GIVEN.items() if name in tables}
    if not there:
        return {}
    with course.engine.connect() as connection:
        counts = {
            what: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for what, table in there.items()
        }
    return {what: count for what, count in counts.items() if count}


def remove(course: Course) -> list[str]:
    """Remove gradebox's tables and files. Returns what was removed. Grades, points and comments stay."""
    removed = []
    for name, table in own_tables(course).items():
        table.drop(course.engine)
        removed.append(f"the gradebook's table {name}")
    for path in (course.root / name for name in (CHECKED, INCIDENTS, FILE)):
        if path.is_file():
            path.unlink()
            removed.append(path.name)
    return removed


def own_tables(course: Course) -> Mapping[str, Table]:
    """Gradebox's tables, by name. Makes no gradebook where there is none."""
    url, own = make_url(course.directory().db_url), MetaData()
    if url.get_backend_name() != "sqlite" or (course.root / (url.database or "")).is_file():
        names = inspect(course.engine).get_table_names()
        own.reflect(course.engine, only=[name for name in names if name.startswith(OWN)])
    return own.tables
