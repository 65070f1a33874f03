"""What gradebox keeps of a course for itself, in the gradebook and beside it."""

from collections.abc import Mapping

from sqlalchemy import MetaData, Table, func, inspect, make_url, select

from gradebox.course import INCIDENTS, Course
from gradebox.course_secret import SECRET_FILE
from gradebox.erasure.gradebook_rows import TABLE_PREFIX
from gradebox.execute import detect_test_modes
from gradebox.printable_text import format_count

# What people gave and nbgrader has no place for, one of it and many, by the names of tables.
USER_DATA_TABLES = {
    "gradebox_extension": ("due date of a single student", "due dates of single students"),
    "gradebox_phrase": ("phrase of a reader", "phrases of readers"),
    "gradebox_answer": ("answer to a request", "answers to requests"),
    "gradebox_lms_number": ("number of a student on an LMS", "numbers of students on an LMS"),
}


def describe_user_data(course: Course) -> list[str]:
    """What of these there is, each with how many."""
    tables = find_gradebox_tables(course)
    there = {words: tables[name] for name, words in USER_DATA_TABLES.items() if name in tables}
    if not there:
        return []
    with course.engine.connect() as connection:
        counts = {
            words: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for words, table in there.items()
        }
    return [format_count(count, *words) for words, count in counts.items() if count]


def remove_gradebox_data(course: Course) -> list[str]:
    """Remove gradebox's tables and files. Returns what was removed. Grades, points and comments stay."""
    removed = []
    for name, table in find_gradebox_tables(course).items():
        table.drop(course.engine)
        removed.append(f"the gradebook's table {name}")
    for path in (course.root / name for name in (INCIDENTS, SECRET_FILE, detect_test_modes.RECORDS_FILE)):
        if path.is_file():
            path.unlink()
            removed.append(path.name)
    return removed


def find_gradebox_tables(course: Course) -> Mapping[str, Table]:
    """Gradebox's tables, by name. Makes no gradebook where there is none."""
    url, own = make_url(course.directory().db_url), MetaData()
    if url.get_backend_name() != "sqlite" or (course.root / (url.database or "")).is_file():
        names = inspect(course.engine).get_table_names()
        own.reflect(course.engine, only=[name for name in names if name.startswith(TABLE_PREFIX)])
    return own.tables
