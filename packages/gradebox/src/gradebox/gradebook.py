"""nbgrader's gradebook over one pool of connections, a transaction at a time.

nbgrader opens a new engine for each step, compiles its queries anew, and commits after each cell. Here all
the steps of a submission share a connection, and are written together or not at all.
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
    """The engine of a gradebook, which is made if it does not exist."""
    gradebook = Gradebook(db_url, course_id)
    gradebook.close()
    if gradebook.engine.dialect.name == "sqlite":

        @event.listens_for(gradebook.engine, "connect")
        def be_patient(connection: Any, _record: Any) -> None:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")

    return gradebook.engine


def select_rows(connection: Connection, table: Table, *where: ColumnElement[bool]) -> list[Row]:
    """What is in a table of ours, as far as `where` holds.

    Who only reads makes none: somebody else may be writing.
    """
    is_there = inspect(connection).has_table(table.name)
    return list(connection.execute(select(table).where(*where))) if is_there else []


def upsert_row(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Write a row into a table of ours, in the place of the one with the same primary key."""
    table.create(connection, checkfirst=True)
    connection.execute(delete(table).where(*(key == row[key.name] for key in table.primary_key)))
    connection.execute(insert(table), row)


@contextmanager
def patch_gradebook(**methods: Callable[..., Any]) -> Iterator[None]:
    """Let every gradebook that nbgrader opens in this process meanwhile have these methods."""
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
    """A gradebook; every other one that nbgrader opens in this process meanwhile is the same.

    What nbgrader commits inside is flushed; it is committed at the end, or forgotten after an error.
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
