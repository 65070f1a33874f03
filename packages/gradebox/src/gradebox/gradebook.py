"""Transactions on nbgrader's gradebook over one connection pool, for `course.py` and gradebox's tables.

nbgrader itself opens a new engine for each step, compiles queries again, and commits after each cell. Here,
all steps of a submission share one connection and one atomic transaction.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import ColumnElement, Connection, Engine, Row, Table, delete, event, insert, inspect, select
from sqlalchemy.orm import scoped_session, sessionmaker

# Milliseconds to wait while another program, such as Formgrader, writes.
BUSY_TIMEOUT = 30_000


def open_engine(db_url: str, course_id: str) -> Engine:
    """Return the SQLAlchemy engine of a gradebook, creating the gradebook if necessary."""
    gradebook = Gradebook(db_url, course_id)
    gradebook.close()
    if gradebook.engine.dialect.name == "sqlite":

        @event.listens_for(gradebook.engine, "connect")
        def be_patient(connection: Any, _record: Any) -> None:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")

    return gradebook.engine


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
