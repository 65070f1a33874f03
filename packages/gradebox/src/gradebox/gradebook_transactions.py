"""Transactions on nbgrader's gradebook over one connection pool, for `course.py` and gradebox's tables.

nbgrader itself opens a new engine for each step, compiles queries again, and commits after each cell. Here,
all steps of a submission share one connection and one atomic transaction.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from nbgrader import api
from nbgrader.api import Base, Gradebook, InvalidEntry
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Table,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import scoped_session, sessionmaker

from gradebox.printable_text import format_exception
from gradebox.withdrawn_features import TABLES as REMOVED_TABLES

# Milliseconds to wait while another program, such as Formgrader, writes.
BUSY_TIMEOUT = 30_000
# How often a transaction is tried, and the seconds between two attempts.
WRITE_ATTEMPTS, RETRY_DELAY = 4, 0.2
# Errors of the database, and nbgrader's own error when it can't write a row.
GRADEBOOK_ERRORS = (SQLAlchemyError, InvalidEntry)

Result = TypeVar("Result")


# Names of SQLite's errors for a file that can't be written.
READ_ONLY_ERRORS = ("SQLITE_READONLY", "SQLITE_CANTOPEN")


def describe_gradebook_error(error: Exception) -> str:
    """Return why the gradebook can't be used, and what to do, for one of GRADEBOOK_ERRORS."""
    if getattr(getattr(error, "orig", None), "sqlite_errorname", "").startswith(READ_ONLY_ERRORS):
        return "the gradebook can't be written: make gradebook.db and its folder writable"
    return f"the gradebook can't be used now, run the command again: {format_exception(error)}"


class OldGradebookError(Exception):
    """Gradebook of an older version of nbgrader; the message contains the remedy."""


def open_engine(db_url: str, course_id: str) -> Engine:
    """Return the SQLAlchemy engine of a gradebook, creating the gradebook if necessary.

    Raises OldGradebookError, and any error of the database.
    """
    check_columns(db_url)
    stock, api.get_alembic_version = api.get_alembic_version, read_schema_version
    try:
        gradebook = Gradebook(db_url, course_id)
    finally:
        api.get_alembic_version = stock
    gradebook.close()
    if gradebook.engine.dialect.name == "sqlite":

        @event.listens_for(gradebook.engine, "connect")
        def be_patient(connection: Any, _record: Any) -> None:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")

    return gradebook.engine


def read_schema_version() -> str:
    """Return the version of nbgrader's tables, which a new gradebook records.

    nbgrader starts the program `alembic` for this, which costs more than everything else in a new gradebook.
    """
    from alembic.script import ScriptDirectory

    return str(ScriptDirectory(ALEMBIC_DIR).get_current_head())


def check_columns(db_url: str) -> None:
    """Raise OldGradebookError if a table lacks a column of the installed nbgrader. Never writes."""
    engine = create_engine(db_url)
    try:
        found = inspect(engine).get_multi_columns(filter_names=list(Base.metadata.tables))
    finally:
        engine.dispose()
    for (_, name), columns in found.items():
        if columns and set(Base.metadata.tables[name].columns.keys()) - {one["name"] for one in columns}:
            # nbgrader copies the file of a SQLite gradebook only.
            backup = "it keeps a backup" if engine.dialect.name == "sqlite" else "back up the database first"
            raise OldGradebookError(
                f"the gradebook is of an older version of nbgrader: run `nbgrader db upgrade` ({backup})"
            )


def drop_removed_tables(engine: Engine) -> Path | None:
    """Copy a SQLite gradebook, drop the tables of removed features, and return the path of the copy.

    Returns None if there is nothing to drop. Other databases, and a gradebook that can't be written or copied
    now, keep the tables: nothing reads them.
    """
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    tables = sorted(set(REMOVED_TABLES) & set(inspect(engine).get_table_names()))
    if not tables:
        return None
    gradebook = Path(engine.url.database).resolve()
    copy = gradebook.with_name(f"{gradebook.name}.{datetime.now():%Y-%m-%d_%H-%M-%S-%f}")
    try:
        # A copy by SQLite itself is complete even if another process is writing.
        with closing(sqlite3.connect(gradebook)) as original, closing(sqlite3.connect(copy)) as backup:
            original.backup(backup)
        with engine.begin() as connection:
            for table in tables:
                connection.execute(text(f"DROP TABLE IF EXISTS {table}"))
    except (OSError, sqlite3.Error, SQLAlchemyError):
        copy.unlink(missing_ok=True)
        return None
    return copy


def retry_write(write: Callable[[], Result]) -> Result:
    """Return the result of a transaction, which is repeated if another process writes the same rows.

    Raises the last error. An attempt that has waited for `BUSY_TIMEOUT` is not repeated.
    """
    end = time.monotonic() + BUSY_TIMEOUT / 1000
    for _ in range(WRITE_ATTEMPTS - 1):
        try:
            return write()
        except GRADEBOOK_ERRORS:
            if time.monotonic() >= end:
                raise
            time.sleep(RETRY_DELAY)
    return write()


def select_rows(connection: Connection, table: Table, *where: ColumnElement[bool]) -> list[Row]:
    """Return the rows of a gradebox table that match all conditions; empty if the table does not exist.

    Reading never creates the table, because another process may be writing.
    """
    is_there = inspect(connection).has_table(table.name)
    return list(connection.execute(select(table).where(*where))) if is_there else []


def upsert_row(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row into a gradebox table, replacing any row with the same primary key."""
    table.create(connection, checkfirst=True)
    connection.execute(delete(table).where(*(key == row[key.name] for key in table.primary_key)))
    connection.execute(insert(table), row)


@contextmanager
def patch_gradebook(**methods: Callable[..., Any]) -> Iterator[None]:
    """Replace methods of nbgrader's Gradebook in this process, inside a `with` block."""
    stock = {name: getattr(Gradebook, name) for name in methods}
    for name, method in methods.items():
        setattr(Gradebook, name, method)
    try:
        yield
    finally:
        for name, method in stock.items():
            setattr(Gradebook, name, method)


@contextmanager
def transaction(engine: Engine, course_id: str) -> Iterator[Gradebook]:
    """Yield a gradebook on one transaction; every Gradebook that nbgrader opens inside shares the session.

    Commits by nbgrader only flush. The transaction is committed at the end, or rolled back after an error.
    """
    with engine.begin() as connection:
        session = scoped_session(
            sessionmaker(bind=connection, expire_on_commit=False, join_transaction_mode="rollback_only")
        )

        def borrow(self: Gradebook, *_args: Any, **_options: Any) -> None:
            self.engine, self.db, self.course_id, self.authenticator = engine, session, course_id, None

        try:
            with patch_gradebook(__init__=borrow, close=lambda self: None):
                yield Gradebook()
                session.commit()
        finally:
            session.remove()
