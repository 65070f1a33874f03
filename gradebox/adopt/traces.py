"""What gradebox keeps of a course for itself, in the gradebook and beside it."""

from pathlib import Path

from sqlalchemy import MetaData, func, inspect, make_url, select

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
    with course.engine.connect() as connection:
        tables = own_tables(course)
        counts = {
            what: connection.execute(select(func.count()).select_from(tables.tables[name])).scalar_one()
            for name, what in GIVEN.items()
            if name in tables.tables
        }
    return {what: count for what, count in counts.items() if count}


def remove(course: Course) -> list[str]:
    """Remove gradebox's tables and files. Returns what was removed. Grades, points and comments stay."""
    removed = []
    if has_gradebook(course):
        tables = own_tables(course)
        tables.drop_all(course.engine)
        removed += [f"the gradebook's table {name}" for name in tables.tables]
    for path in (course.root / name for name in (CHECKED, INCIDENTS, FILE)):
        if path.is_file():
            path.unlink()
            removed.append(path.name)
    return removed


def own_tables(course: Course) -> MetaData:
    own = MetaData()
    names = inspect(course.engine).get_table_names()
    own.reflect(course.engine, only=[name for name in names if name.startswith(OWN)])
    return own


def has_gradebook(course: Course) -> bool:
    """Whether there is a gradebook: to look into one that isn't there makes it."""
    url = make_url(course.directory().db_url)
    return url.get_backend_name() != "sqlite" or (course.root / Path(url.database or "")).is_file()
