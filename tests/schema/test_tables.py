"""No column of any table has a type that can hold a sentence, and each has the constraint that closes it."""

import pytest
from sqlalchemy import Boolean, CheckConstraint, Column, Enum, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateTable

from habitus_schema import catalog
from habitus_schema.columns import CatalogText, Day, KeyedText, TicketText, Whole
from habitus_schema.tables import Row, SchemaVersion, table

TABLES = list(Row.metadata.tables.values())
COLUMNS = [pytest.param(column, id=str(column)) for each in TABLES for column in each.columns]
PERSONAL = [each for each in TABLES if "subject" in each.columns and each.name != "rejection"]


def ddl(each: Table, dialect: object) -> str:
    return str(CreateTable(each).compile(dialect=dialect))  # type: ignore[arg-type]


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_is_of_a_closed_kind(column: Column[object]) -> None:
    assert isinstance(column.type, KeyedText | TicketText | CatalogText | Whole | Day | Boolean | Enum)


@pytest.mark.parametrize("column", COLUMNS)
def test_every_text_column_is_closed_by_a_check_or_a_foreign_key(column: Column[object]) -> None:
    if isinstance(column.type, Whole | Day | Boolean):
        return  # not text on PostgreSQL; SQLite's CHECK is the next test
    if isinstance(column.type, CatalogText):
        pairs = [list(key.column_keys) for key in column.table.foreign_key_constraints]
        assert ["dimension", "value"] in pairs or column.table.name == "catalog_value"
        return
    checks = {str(each.name) for each in column.table.constraints if isinstance(each, CheckConstraint)}
    assert f"ck_{column.table.name}_{column.name}_closed" in checks


@pytest.mark.parametrize("each", TABLES, ids=lambda each: each.name)
def test_sqlite_checks_every_column_since_it_enforces_no_type(each: Table) -> None:
    text = ddl(each, sqlite.dialect())
    for column in each.columns:
        if not isinstance(column.type, CatalogText):
            assert f"ck_{each.name}_{column.name}_closed" in text


@pytest.mark.parametrize("each", TABLES, ids=lambda each: each.name)
def test_postgresql_checks_every_id(each: Table) -> None:
    text = ddl(each, postgresql.dialect())  # type: ignore[no-untyped-call]
    for column in each.columns:
        if isinstance(column.type, KeyedText | TicketText | Enum):
            assert f"ck_{each.name}_{column.name}_closed" in text


@pytest.mark.parametrize("each", PERSONAL, ids=lambda each: each.name)
def test_every_table_about_a_person_begins_its_key_with_tenant_and_subject(each: Table) -> None:
    assert [column.name for column in each.primary_key][:2] == ["tenant", "subject"]


def test_the_vocabulary_is_a_check_of_the_catalog_table_itself() -> None:
    text = ddl(Row.metadata.tables["catalog_value"], sqlite.dialect())
    assert all(f"'{pair}'" in text for pair in catalog.all_pairs())


def test_no_table_can_tell_a_time_of_day() -> None:
    assert not any("time" in str(column.type).lower() for each in TABLES for column in each.columns)


def test_a_class_is_found_by_its_table() -> None:
    assert table(SchemaVersion).name == "schema_version"
