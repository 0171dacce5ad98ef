"""Schema changes, one file of `versions/` for each version, in Alembic's form; `habitus_tasks.migrate` runs them.

`upgrade()` of a migration may return the (tenant, subject) whose profiles it touched: they are settled anew by the rule
once all migrations ran. The version is kept in `schema_version`, which every program reads at its start, so Alembic's
own version table, `env.py` and `alembic.ini` are not needed. There is no way back but a backup.
"""

from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, delete, insert

from habitus_schema.tables import SchemaVersion, table

FOLDER = Path(__file__).parent
_one_at_a_time = Lock()
"""Alembic's `op` is one for the whole process."""


def latest(folder: Path = FOLDER) -> int:
    """The version that the migrations of `folder` lead to."""
    return int(ScriptDirectory(folder).get_current_head() or 0)


def run(connection: Connection, found: int, folder: Path = FOLDER) -> set[tuple[str, str]]:
    """Brings the open transaction's database from version `found` (0 when it is empty) to the latest.

    Returns the (tenant, subject) whose profiles a migration touched.
    """
    touched: set[tuple[str, str]] = set()
    with _one_at_a_time, Operations.context(MigrationContext.configure(connection)):
        for script in _after(found, folder):
            touched |= set(script.module.upgrade() or ())
            version = table(SchemaVersion)
            connection.execute(delete(version))
            connection.execute(insert(version).values(version=int(script.revision)))
    return touched


def _after(found: int, folder: Path) -> Iterable[Script]:
    scripts = reversed(list(ScriptDirectory(folder).walk_revisions()))
    return [script for script in scripts if int(script.revision) > found]
