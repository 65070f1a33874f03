"""Delete a student's rows from the gradebook: from nbgrader's tables and from all of gradebox's."""

import re
from collections.abc import Iterator

from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import ColumnElement, Connection, Engine, MetaData, Table, delete, select
from sqlalchemy.exc import OperationalError

from gradebox.erasure.search_files import is_named_in

STUDENT, SUBMISSION, SUBMITTED, GRADE, COMMENT = (
    kind.__table__ for kind in (Student, SubmittedAssignment, SubmittedNotebook, Grade, Comment)
)
# Prefix of the names of gradebox's tables, and the columns that assign their rows to a student.
TABLE_PREFIX = "gradebox_"
STUDENT_COLUMN, GRADE_COLUMN = "student_id", "grade_id"


def delete_student_rows(connection: Connection, student: str) -> dict[str, int]:
    """Delete all rows of a student. Return the number of deleted rows, by kind."""
    submissions = select(SUBMISSION.c.id).where(SUBMISSION.c.student_id == student)
    notebooks = select(SUBMITTED.c.id).where(SUBMITTED.c.assignment_id.in_(submissions))
    grades = select(GRADE.c.id).where(GRADE.c.notebook_id.in_(notebooks))

    def remove(table: Table, those: ColumnElement[bool]) -> int:
        return connection.execute(delete(table).where(those)).rowcount

    notes = 0
    for table in reflect_own_tables(connection):
        if STUDENT_COLUMN in table.c:
            notes += remove(table, table.c[STUDENT_COLUMN] == student)
        if GRADE_COLUMN in table.c:
            notes += remove(table, table.c[GRADE_COLUMN].in_(grades))
    # Other rows may reference these, so the referencing rows are deleted first.
    found = {"notes": notes, "comments": remove(COMMENT, COMMENT.c.notebook_id.in_(notebooks))}
    found["grades"] = remove(GRADE, GRADE.c.notebook_id.in_(notebooks))
    remove(SUBMITTED, SUBMITTED.c.assignment_id.in_(submissions))
    found["submissions"] = remove(SUBMISSION, SUBMISSION.c.student_id == student)
    found["students"] = remove(STUDENT, STUDENT.c.id == student)
    return {what: number for what, number in found.items() if number}


def reflect_own_tables(connection: Connection) -> list[Table]:
    own = MetaData()
    own.reflect(connection, only=lambda name, _: name.startswith(TABLE_PREFIX))
    return list(own.tables.values())


def find_mentions(connection: Connection, names: re.Pattern[str]) -> Iterator[str]:
    """Yield a line for each table of comments and of gradebox that contains one of the names."""
    for table in (COMMENT, *reflect_own_tables(connection)):
        rows = connection.execute(select(table))
        if any(isinstance(cell, str) and is_named_in(cell, names) for row in rows for cell in row):
            yield f"gradebook table {table.name} (about other students)"


def vacuum_database(engine: Engine) -> bool:
    """Remove the text of deleted rows from SQLite's file, where it would remain otherwise.

    Returns False, and changes nothing, if another program has locked the file.
    """
    if engine.dialect.name == "sqlite":
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM")
                # With a write-ahead log, the deleted rows also remain in the log.
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        except OperationalError:
            return False
    return True
