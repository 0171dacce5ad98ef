"""The migrations make exactly the tables of `habitus_schema`, and run forward over what is there."""

import multiprocessing
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, select, text

from habitus_schema import catalog
from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.tables import SCHEMA_VERSION, CatalogValue, Row, SchemaVersion, table
from habitus_tasks import migrations
from habitus_tasks.migrate import Migrated, migrate
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database, open_database, prepare, version_of

RULE = PromotionRule()
Fresh = Callable[[], Database]


def shape(connection: Connection) -> set[str]:
    """Every table, column, constraint, index and trigger, as the database itself spells them."""
    if connection.dialect.name == "sqlite":
        made = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")).all()
        return {
            f"{name}: {' '.join(part.split())}" for name, sql in made for part in re.split(r",\s*\n|\(\s*\n|\n\)", sql)
        }
    columns = connection.execute(
        text(
            "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default "
            "FROM information_schema.columns WHERE table_schema = 'public'"
        )
    )
    constraints = connection.execute(
        text(
            "SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE connamespace = 'public'::regnamespace"
        )
    )
    indexes = connection.execute(text("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"))
    triggers = connection.execute(
        text(
            "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
            "UNION SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        )
    )
    return {str(tuple(row)) for each in (columns, constraints, indexes, triggers) for row in each}


def by_metadata(database: Database, metadata: MetaData) -> set[str]:
    def work(connection: Connection) -> set[str]:
        metadata.create_all(connection)
        return shape(connection)

    return database.write(None, work)


def by_migrations(database: Database) -> set[str]:
    migrate(database, RULE)
    return database.read(None, shape)


def test_the_migrations_make_exactly_the_tables_of_today(fresh: Fresh) -> None:
    migrated, wanted = by_migrations(fresh()), by_metadata(fresh(), Row.metadata)
    assert migrated == wanted, "a table changed without a new migration (docs/operations.md says how to write one)"


def test_alembic_finds_no_difference_either(fresh: Fresh) -> None:
    database = fresh()
    migrate(database, RULE)

    def compared(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        return list(compare_metadata(context, Row.metadata))

    assert database.read(None, compared) == []


NARROWER = """
from alembic import op
from habitus_schema import catalog
from habitus_tasks.catalog_change import set_vocabulary

def upgrade():
    pairs = [(pair.dimension.value, pair.value) for pair in catalog.all_pairs()]
    set_vocabulary(op.get_bind(), pairs[1:], 2)
"""
NO_INDEX = """
from alembic import op

def upgrade():
    op.drop_index("ix_profile_expires", "profile")
"""
NO_TRIGGER = """
from alembic import op

def upgrade():
    on = " ON rejection" if op.get_bind().dialect.name == "postgresql" else ""
    op.execute(f"DROP TRIGGER rejection_count_delete{on}")
"""


@pytest.mark.parametrize("difference", ["ADD_A_COLUMN", "NARROWER", "NO_INDEX", "NO_TRIGGER"])
def test_a_table_that_changes_without_a_migration_is_noticed(
    fresh: Fresh, more: Callable[[str], Path], difference: str
) -> None:
    """A column, a CHECK, an index or a trigger that only one side has: the comparison above fails on each."""
    database = fresh()
    migrate(database, RULE, folder=more(globals()[difference]))
    assert database.read(None, shape) != by_metadata(fresh(), Row.metadata)


def test_the_version_is_that_of_the_last_migration_and_their_numbers_run_without_a_gap() -> None:
    names = sorted(path.name[:4] for path in (migrations.FOLDER / "versions").glob("*.py"))
    assert names == [f"{number:04}" for number in range(1, SCHEMA_VERSION + 1)]
    assert migrations.latest() == SCHEMA_VERSION


def test_an_empty_database_is_prepared_with_its_catalog(fresh: Fresh) -> None:
    database = fresh()
    assert database.read(None, version_of) is None
    prepare(database)
    prepare(database)
    assert database.read(None, version_of) == SCHEMA_VERSION
    rows = database.read(None, lambda connection: connection.execute(select(table(CatalogValue))).all())
    seeded = {(row.dimension, row.value): row.catalog_version for row in rows}
    assert seeded == {(pair.dimension.value, pair.value): catalog.version() for pair in catalog.all_pairs()}


def test_migrating_what_is_up_to_date_changes_nothing(fresh: Fresh) -> None:
    database = fresh()
    assert migrate(database, RULE) == Migrated(0, SCHEMA_VERSION, 0)
    assert migrate(database, RULE) == Migrated(SCHEMA_VERSION, SCHEMA_VERSION, 0)


ADD_A_COLUMN = """
import sqlalchemy as sa
from alembic import op

def upgrade():
    op.add_column("tombstone", sa.Column("catalog_version", sa.BigInteger(), server_default="1"))
"""


def test_a_populated_database_runs_forward_and_is_refused_by_a_program_of_another_version(
    fresh: Fresh, more: Callable[[str], Path]
) -> None:
    database = fresh()
    prepare(database)
    ids = {"tenant": f"k1-{1:032x}", "subject": f"k1-{2:032x}"}
    database.write(
        None,
        lambda connection: connection.execute(table_of("tombstone").insert(), {**ids, "day": date(2026, 1, 1)}),
    )
    folder = more(ADD_A_COLUMN)
    assert migrate(database, RULE, folder=folder) == Migrated(SCHEMA_VERSION, SCHEMA_VERSION + 1, 0)
    rows = database.read(None, lambda connection: connection.execute(text("SELECT * FROM tombstone")).all())
    assert [tuple(map(str, row)) for row in rows] == [(*ids.values(), "2026-01-01", "1")]
    assert migrate(database, RULE, folder=folder).before == SCHEMA_VERSION + 1
    for refused in (prepare, lambda later: migrate(later, RULE)):
        with pytest.raises(UsageError, match=rf"version {SCHEMA_VERSION + 1}, .* needs {SCHEMA_VERSION}: install"):
            refused(database)


def table_of(name: str) -> Table:
    return Row.metadata.tables[name]


def test_an_older_database_is_refused_with_the_command_to_run(fresh: Fresh) -> None:
    database = fresh()
    prepare(database)
    database.write(None, lambda connection: connection.execute(table(SchemaVersion).update().values(version=0)))
    with pytest.raises(UsageError, match=rf"version 0, .* needs {SCHEMA_VERSION}: run `habitus migrate`"):
        prepare(database)


BREAKS_HALFWAY = """
from alembic import op

def upgrade():
    op.drop_table("settled")
    op.drop_table("diary")
"""


def test_a_migration_that_breaks_leaves_the_database_as_it_was(fresh: Fresh, more: Callable[[str], Path]) -> None:
    database = fresh()
    prepare(database)
    before = database.read(None, shape)
    with pytest.raises(HabitusError) as refusal:
        migrate(database, RULE, folder=more(BREAKS_HALFWAY))
    assert "diary" not in str(refusal.value)
    assert database.read(None, shape) == before
    prepare(database)


DANGLES = """
from alembic import op

def upgrade():
    op.execute("DELETE FROM catalog_value")
"""


def test_a_migration_cannot_leave_a_row_that_points_at_nothing(fresh: Fresh, more: Callable[[str], Path]) -> None:
    database = fresh()
    prepare(database)
    row = {
        "tenant": f"k1-{1:032x}", "subject": f"k1-{2:032x}", "dimension": "list_style", "value": "prose",
        "day": date(2026, 1, 1), "catalog_version": 1,
    }  # fmt: skip
    database.write(None, lambda connection: connection.execute(table_of("blocked_pair").insert(), row))
    with pytest.raises(HabitusError):
        migrate(database, RULE, folder=more(DANGLES))
    prepare(database)
    with pytest.raises(HabitusError):  # the enforcement of foreign keys is on again
        database.write(None, lambda connection: connection.execute(text("DELETE FROM catalog_value")))


def test_programs_that_start_at_once_on_an_empty_database_all_find_it_made(fresh: Fresh) -> None:
    database = fresh()
    url = database.engine.url.render_as_string(hide_password=False)
    spawn = multiprocessing.get_context("fork")
    start = spawn.Barrier(4)
    children = [spawn.Process(target=_start, args=(url, start)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0] * 4
    assert database.read(None, version_of) == SCHEMA_VERSION


def _start(url: str, start: Any) -> None:
    start.wait()
    open_database(url).close()


def test_a_prepared_database_is_opened_without_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'habitus.db'}"
    open_database(url).close()
    code = f"""
import sys
from habitus_tasks.store import open_database
open_database({url!r}); open_database("sqlite://")
print("alembic" in sys.modules)
"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
