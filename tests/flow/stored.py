"""Every byte that a database keeps of a deployment: SQLite as a dump, PostgreSQL as rows, files, log and WAL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, create_engine, text

from habitus_worker.settings import Settings

Position = tuple[str, int]
"""A WAL file, and how far it was written."""
_TABLES = text("SELECT relname, pg_relation_filepath(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace")


def stored(settings: Settings, since: Position | None = None) -> Iterator[tuple[str, bytes]]:
    """(place, bytes); of a PostgreSQL's WAL, what was written `since`. The files of SQLite lie in the data folder."""
    if "sqlite" in settings.database:
        with closing(sqlite3.connect(settings.home / "habitus.db")) as database:
            yield "database dump", "\n".join(database.iterdump()).encode()
        return
    engine = create_engine(settings.database, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CHECKPOINT"))
        folder = Path(connection.execute(text("SHOW data_directory")).scalar_one())
        yield "database log", (folder / "log").read_bytes()
        yield from _files(connection, folder)
        yield from _wal(connection, folder, since or ("", 0))
    engine.dispose()


def written(settings: Settings) -> Position:
    """How far a PostgreSQL has written its WAL."""
    engine = create_engine(settings.database)
    with engine.connect() as connection:
        position = _written(connection)
    engine.dispose()
    return position


def _written(connection: Connection) -> Position:
    name, offset = connection.execute(text("SELECT * FROM pg_walfile_name_offset(pg_current_wal_insert_lsn())")).one()
    return str(name), int(offset)


def _files(connection: Connection, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The rows of every table as text, and the files of every table, index and the like."""
    for name, path in connection.execute(_TABLES).all():
        if path is not None:
            yield f"file of {name}", (folder / path).read_bytes()
    for (name,) in connection.execute(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all():
        rows = connection.execute(text(f'SELECT each::text FROM "{name}" AS each')).scalars().all()
        yield f"rows of {name}", "\n".join(rows).encode()


def _wal(connection: Connection, folder: Path, since: Position) -> Iterator[tuple[str, bytes]]:
    """Other tests write to the same WAL: it is searched from where this one began."""
    last, end = _written(connection)
    for path in sorted((folder / "pg_wal").glob("[0-9A-F]" * 24)):
        if since[0] <= path.name <= last:
            written = path.read_bytes()[: end if path.name == last else None]
            yield "WAL", written[since[1] if path.name == since[0] else 0 :]
