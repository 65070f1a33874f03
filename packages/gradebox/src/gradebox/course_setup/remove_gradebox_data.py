"""Find and remove the data that gradebox keeps in a course, in the gradebook and in files."""

import shutil
from collections.abc import Mapping

from sqlalchemy import MetaData, Table, func, inspect, make_url, select

from gradebox.autograde.reference_proof import PROOFS_FILE
from gradebox.autograde.release_history import HISTORY_FILE
from gradebox.course import INCIDENTS, Course
from gradebox.course_secret import SECRET_FILE
from gradebox.erasure.gradebook_rows import TABLE_PREFIX
from gradebox.execute import detect_test_modes
from gradebox.printable_text import format_count
from gradebox.release.release_record import RECORD_FILE
from gradebox.site.executed_lessons import CACHE_FOLDER
from gradebox.watch.course_lock import LOCK_FILE

# Data that people entered and nbgrader can't store: singular and plural, by table name.
USER_DATA_TABLES = {
    "gradebox_extension": ("due-date extension", "due-date extensions"),
    "gradebox_adjustment": ("cell with adjusted points", "cells with adjusted points"),
    "gradebox_excuse": ("excuse of a student", "excuses of students"),
    "gradebox_phrase": ("rubric item", "rubric items"),
    "gradebox_answer": ("reply to a regrade request", "replies to regrade requests"),
    "gradebox_forgotten": ("hash of a forgotten student's names", "hashes of forgotten students' names"),
    "gradebox_section": ("student's section", "students' sections"),
    "gradebox_lms_number": ("LMS number of a student", "LMS numbers of students"),
}


def describe_user_data(course: Course) -> list[str]:
    """Return the existing kinds of data that people entered, each with its count."""
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
    """Remove gradebox's tables and files, and return their names. Points and comments are kept."""
    removed = []
    for name, table in find_gradebox_tables(course).items():
        table.drop(course.engine)
        removed.append(f"gradebook table {name}")
    files = (
        *(INCIDENTS, SECRET_FILE, detect_test_modes.RECORDS_FILE),
        *(PROOFS_FILE, RECORD_FILE, HISTORY_FILE, LOCK_FILE),
    )
    for path in (course.root / name for name in files):
        if path.is_file():
            path.unlink()
            removed.append(path.name)
    if (course.root / CACHE_FOLDER).is_dir():
        shutil.rmtree(course.root / CACHE_FOLDER)
        removed.append(CACHE_FOLDER)
    return removed


def find_gradebox_tables(course: Course) -> Mapping[str, Table]:
    """Return gradebox's tables, by name, without creating a gradebook."""
    url, own = make_url(course.directory().db_url), MetaData()
    if url.get_backend_name() != "sqlite" or (course.root / (url.database or "")).is_file():
        names = inspect(course.engine).get_table_names()
        own.reflect(course.engine, only=[name for name in names if name.startswith(TABLE_PREFIX)])
    return own.tables
