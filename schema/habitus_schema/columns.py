"""The five kinds of column that a table of habitus may have, and the CHECK constraints that make each of them closed.

A closed word (an enum), a keyed id, a ticket, a day, a whole number, a yes or no: nothing else has a type here, so no
table can be given a column for text. SQLite does not enforce declared types (https://sqlite.org/datatype3.html), hence
the CHECK on the storage class of every column there; a text there is also held to its bytes, since ``length`` stops at
a NUL that could hide more behind it.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Date, Enum, Integer, String, Table
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field

from habitus_schema.ids import ID_PATTERN

TICKET_PATTERN = r"^[0-9a-f]{32}$"
_LONGEST_ID = 8 + 1 + 32


class KeyedText(TypeDecorator[str]):
    """A keyed id, as `habitus_schema.ids` makes them."""

    impl = String(_LONGEST_ID)
    cache_ok = True


class TicketText(TypeDecorator[str]):
    """The random name of one submission: 32 hexadecimal digits."""

    impl = String(32)
    cache_ok = True


class CatalogText(TypeDecorator[str]):
    """One half of a pair: closed by a foreign key to ``catalog_value``, and there by a CHECK of the vocabulary."""

    impl = String(32)
    cache_ok = True


class Whole(TypeDecorator[int]):
    """A whole number of 64 bits."""

    impl = BigInteger().with_variant(Integer, "sqlite")
    cache_ok = True


class Day(TypeDecorator[Any]):
    """A calendar day. There is no column for a time of day (invariant 3)."""

    impl = Date
    cache_ok = True


def keyed(*, key: bool = False, optional: bool = False) -> Any:
    """A column for a keyed id."""
    return Field(default=None if optional else ..., sa_type=KeyedText, primary_key=key, nullable=optional)


def ticket_name() -> Any:
    """A column for a ticket, as the primary key."""
    return Field(sa_type=TicketText, primary_key=True)


def catalog_word(*, key: bool = False) -> Any:
    """A column for a dimension or a value; the table adds the foreign key over both."""
    return Field(sa_type=CatalogText, primary_key=key, nullable=False)


def whole(*, key: bool = False, optional: bool = False) -> Any:
    """A column for a whole number."""
    return Field(default=None if optional or key else ..., sa_type=Whole, primary_key=key, nullable=optional)


def calendar_day(*, key: bool = False, optional: bool = False) -> Any:
    """A column for a day."""
    return Field(default=None if optional else ..., sa_type=Day, primary_key=key, nullable=optional)


def flag() -> Any:
    """A column for yes or no."""
    return Field(sa_type=Boolean, nullable=False)


def closed(enum: type[StrEnum], *, key: bool = False, optional: bool = False) -> Any:
    """A column that holds a member's value of `enum` and nothing else."""
    kind = Enum(enum, native_enum=False, values_callable=lambda each: [member.value for member in each], length=32)
    return Field(default=None if optional else ..., sa_type=kind, primary_key=key, nullable=optional)


def one_of(*words: str, key: bool = False) -> Any:
    """A column that holds one of these words, fixed in the program, and nothing else; for a word beside an enum's."""
    return Field(sa_type=Enum(*map(str, words), native_enum=False, length=32), primary_key=key, nullable=False)


def guard(table: Table) -> None:
    """Adds to `table` the CHECK constraints that close each of its columns, on both databases."""
    for column in table.columns:
        for dialect, rule in _rules(column.name, column.type):
            check = CheckConstraint(rule, name=f"{column.name}_closed")
            table.append_constraint(check.ddl_if(dialect=dialect) if dialect else check)


def _rules(name: str, kind: Any) -> Iterator[tuple[str | None, str]]:
    """(dialect, or None for both; condition) for a column of this kind. A NULL passes a CHECK in both."""
    if isinstance(kind, KeyedText):
        yield "postgresql", f"{name} ~ '{ID_PATTERN}'"
        yield "sqlite", _sqlite_id(name)
    elif isinstance(kind, TicketText):
        yield "postgresql", f"{name} ~ '{TICKET_PATTERN}'"
        yield "sqlite", f"{_sqlite_text(name)} AND length({name}) = 32 AND {name} NOT GLOB '*[^0-9a-f]*'"
    elif isinstance(kind, Whole):
        yield "sqlite", f"{name} IS NULL OR typeof({name}) = 'integer'"
    elif isinstance(kind, Day):
        shape = "-".join("[0-9]" * digits for digits in (4, 2, 2))
        yield "sqlite", f"{name} IS NULL OR ({name} GLOB '{shape}' AND {name} IS date({name}, '+0 days'))"
    elif isinstance(kind, Boolean):
        yield "sqlite", f"typeof({name}) = 'integer' AND {name} IN (0, 1)"
    elif isinstance(kind, Enum):
        yield None, f"{name} IN ({', '.join(repr(word) for word in kind.enums)})"


def _sqlite_text(name: str) -> str:
    return f"typeof({name}) = 'text' AND length({name}) = length(CAST({name} AS BLOB))"


def _sqlite_id(name: str) -> str:
    return (
        f"{name} IS NULL OR ({_sqlite_text(name)} AND length({name}) BETWEEN 34 AND {_LONGEST_ID}"
        f" AND substr({name}, -32) NOT GLOB '*[^0-9a-f]*' AND substr({name}, -33, 1) = '-'"
        f" AND substr({name}, 1, length({name}) - 33) NOT GLOB '*[^a-z0-9]*')"
    )
