"""The rows of the gradebook that are a student's: in nbgrader's tables, and in all of gradebox's own."""

from nbgrader.api import Comment, Grade, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import ColumnElement, Connection, Engine, MetaData, Table, delete, select
from sqlalchemy.exc import OperationalError

STUDENT, SUBMISSION, SUBMITTED, GRADE, COMMENT = (
    kind.__table__ for kind in (Student, SubmittedAssignment, SubmittedNotebook, Grade, Comment)
)
# What the names of gradebox's own tables begin with. Their rows are a student's by these columns.
TABLE_PREFIX = "gradebox_"
STUDENT_COLUMN, GRADE_COLUMN = "student_id", "grade_id"


def delete_student_rows(connection: Connection, student: str) -> dict[str, int]:
    """Remove all rows of a student. Returns how many there were, by what they are."""
    submissions = select(SUBMISSION.c.id).where(SUBMISSION.c.student_id == student)
    notebooks = select(SUBMITTED.c.id).where(SUBMITTED.c.assignment_id.in_(submissions))
    grades = select(GRADE.c.id).where(GRADE.c.notebook_id.in_(notebooks))

    def remove(table: Table, those: ColumnElement[bool]) -> int:
        return connection.execute(delete(table).where(those)).rowcount

    notes = 0
    own = MetaData()
    own.reflect(connection, only=lambda name, _: name.startswith(TABLE_PREFIX))
    for table in own.tables.values():
        if STUDENT_COLUMN in table.c:
            notes += remove(table, table.c[STUDENT_COLUMN] == student)
        if GRADE_COLUMN in table.c:
            notes += remove(table, table.c[GRADE_COLUMN].in_(grades))
    # Others' rows may point to these: from the outside in.
    found = {"notes": notes, "comments": remove(COMMENT, COMMENT.c.notebook_id.in_(notebooks))}
    found["grades"] = remove(GRADE, GRADE.c.notebook_id.in_(notebooks))
    remove(SUBMITTED, SUBMITTED.c.assignment_id.in_(submissions))
    found["submissions"] = remove(SUBMISSION, SUBMISSION.c.student_id == student)
    found["students"] = remove(STUDENT, STUDENT.c.id == student)
    return {what: number for what, number in found.items() if number}


def vacuum_database(engine: Engine) -> bool:
    """Have SQLite forget the text of rows that are removed, which stays in its file.

    Returns False if another program holds the file, and nothing is done.
    """
    if engine.dialect.name == "sqlite":
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM")
        except OperationalError:
            return False
    return True
