"""A made-up change of the catalog: values retired, renamed and merged, with what people said and want carried over."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table, select, text

from habitus_schema import catalog
from habitus_schema.errors import HabitusError
from habitus_schema.tables import Row
from habitus_tasks.catalog_change import remap, set_vocabulary
from habitus_tasks.migrate import alone, migrate
from habitus_tasks.promote import PromotionRule
from habitus_tasks.store import Database, prepare

RULE, TODAY = PromotionRule(), date(2026, 3, 20)
OLD = [(pair.dimension.value, pair.value) for pair in catalog.all_pairs()]
Fresh = Callable[[], Database]
MAPPING = {
    ("quote_style", "single"): None,
    ("quote_style", "double"): None,
    ("indent_style", "spaces_2"): ("indent_style", "spaces_4"),
    ("list_style", "numbered"): ("table_usage", "prefer"),
    ("preamble", "none"): ("opening", "none"),
    ("preamble", "allowed"): ("opening", "allowed"),
}
NEW = [pair for pair in OLD if pair not in MAPPING] + [("opening", "none"), ("opening", "allowed")]


def k(number: int) -> str:
    return f"k1-{number:032x}"


ADA = {"tenant": k(1), "subject": k(2)}
BOB = {"tenant": k(1), "subject": k(3)}


def table_of(name: str) -> Table:
    return Row.metadata.tables[name]


def vote(session: int, pair: str, day: int = 1, who: dict[str, str] = ADA, **more: Any) -> dict[str, Any]:
    dimension, value = pair.split("=")
    return {
        **who, "dimension": dimension, "value": value, "session": k(session), "context": k(session),
        "signal": "correction", "scope": "general", "message": None, "day": date(2026, 3, day), "catalog_version": 1,
    } | more  # fmt: skip


def shown(pair: str, who: dict[str, str] = ADA, **more: Any) -> dict[str, Any]:
    dimension, value = pair.split("=")
    days = {"first_day": date(2026, 3, 1), "last_day": date(2026, 3, 2), "expires": date(2026, 9, 1)}
    figures = {"status": "promoted", "pinned": False, "contexts": 2, "catalog_version": 1}
    return {**who, "dimension": dimension, "value": value, **figures, **days, **more}


def blocked(pair: str, day: int, who: dict[str, str] = ADA) -> dict[str, Any]:
    dimension, value = pair.split("=")
    return {**who, "dimension": dimension, "value": value, "day": date(2026, 3, day), "catalog_version": 1}


def line(dimension: str | None) -> dict[str, Any]:
    return {
        **ADA, "day": date(2026, 3, 1), "stage": "record", "code": "BELOW_RECURRENCE", "dimension": dimension,
        "detector": None, "session": k(9), "catalog_version": 1,
    }  # fmt: skip


def populated(database: Database, **rows: list[dict[str, Any]]) -> Database:
    """The rows as raw values, past the enums of the program that writes them, as another version would have."""
    prepare(database)
    sessions = {(each["tenant"], each["subject"], each["session"]): each["day"] for each in rows.get("observation", [])}
    made = [
        {"tenant": t, "subject": p, "session": s, "context": s, "named": False, "day": day, "catalog_version": 1}
        for (t, p, s), day in sessions.items()
    ]

    def write(connection: Connection) -> None:
        for name, values in {"session": made, **rows}.items():
            for each in values:
                names = ", ".join(each)
                connection.execute(
                    text(f"INSERT INTO {name} ({names}) VALUES ({', '.join(f':{n}' for n in each)})"),
                    {n: str(v) if isinstance(v, date) and connection.dialect.name == "sqlite" else v
                     for n, v in each.items()},
                )  # fmt: skip

    database.write(None, write)
    return database


def changed(database: Database) -> set[tuple[str, str]]:
    def work(connection: Connection) -> set[tuple[str, str]]:
        set_vocabulary(connection, list(dict.fromkeys([*OLD, *NEW])), 2)
        touched = remap(connection, MAPPING, today=TODAY)
        set_vocabulary(connection, NEW, 2)
        return touched

    with alone(database) as connection:
        return work(connection)


def rows(database: Database, name: str, *columns: str) -> list[tuple[Any, ...]]:
    query = text(f"SELECT {', '.join(columns)} FROM {name} ORDER BY {', '.join(columns)}")
    return [tuple(row) for row in database.read(None, lambda connection: connection.execute(query).all())]


def test_votes_follow_their_pair_and_those_of_a_retired_one_drop_with_a_line(fresh: Fresh) -> None:
    database = populated(
        fresh(),
        observation=[
            vote(4, "quote_style=single"), vote(5, "indent_style=spaces_2"), vote(5, "preamble=none"),
            vote(6, "list_style=numbered", who=BOB), vote(6, "emoji_usage=none", who=BOB),
        ],
    )  # fmt: skip
    assert changed(database) == {(k(1), k(2)), (k(1), k(3))}
    assert rows(database, "observation", "subject", "session", "dimension", "value") == [
        (k(2), k(5), "indent_style", "spaces_4"),
        (k(2), k(5), "opening", "none"),
        (k(3), k(6), "emoji_usage", "none"),
        (k(3), k(6), "table_usage", "prefer"),
    ]
    assert rows(database, "rejection", "subject", "session", "stage", "code", "dimension") == [
        (k(2), k(4), "record", "SUPERSEDED", None)  # the dimension is no more
    ]


@pytest.mark.parametrize(
    ("there", "moved", "kept"),
    [
        ({"day": 5}, {"day": 3}, ("correction", "general", 3)),
        ({"day": 3, "signal": "edit"}, {"day": 5, "signal": "standing"}, ("standing", "general", 3)),
        ({"scope": "general"}, {"scope": "entity", "signal": "standing"}, ("correction", "general", 1)),
        ({"scope": "entity"}, {"scope": "general"}, ("correction", "general", 1)),
    ],
)
def test_two_votes_of_a_session_that_fall_together_are_one(
    fresh: Fresh, there: dict[str, Any], moved: dict[str, Any], kept: tuple[str, str, int]
) -> None:
    database = populated(
        fresh(), observation=[vote(4, "indent_style=spaces_4", **there),
                              vote(4, "indent_style=spaces_2", **moved)]
    )  # fmt: skip
    changed(database)
    found = rows(database, "observation", "value", "signal", "scope", "day")
    assert [(value, signal, scope, str(day)) for value, signal, scope, day in found] == [
        ("spaces_4", kept[0], kept[1], f"2026-03-{kept[2]:02}")
    ]
    assert rows(database, "rejection", "code") == [], "nothing was lost"


def test_pins_and_blocks_follow_and_a_pin_outranks_a_row_of_the_rule(fresh: Fresh) -> None:
    database = populated(
        fresh(),
        profile=[
            shown("table_usage=avoid"), shown("list_style=numbered", pinned=True), shown("quote_style=single"),
            shown("quote_style=single", BOB, pinned=True), shown("table_usage=avoid", BOB, pinned=True),
            shown("list_style=numbered", BOB),
        ],
        blocked_pair=[blocked("indent_style=spaces_2", 2), blocked("indent_style=spaces_4", 4),
                      blocked("quote_style=double", 5)],
    )  # fmt: skip
    changed(database)
    assert rows(database, "profile", "subject", "dimension", "value") == [
        (k(2), "table_usage", "prefer"),
        (k(3), "table_usage", "avoid"),
    ]
    assert [(value, str(day)) for value, day in rows(database, "blocked_pair", "value", "day")] == [
        ("spaces_4", "2026-03-02")
    ]
    lines = rows(database, "rejection", "subject", "code", "session")
    assert lines == [(k(2), "SUPERSEDED", None), (k(3), "SUPERSEDED", None)], (
        "the block and the pin, not the rule's row"
    )


def test_lines_follow_a_renamed_dimension_and_lose_a_retired_one(fresh: Fresh) -> None:
    dimensions = ["preamble", "quote_style", "list_style", "emoji_usage", None]
    database = populated(fresh(), rejection=[line(dimension) for dimension in dimensions])
    changed(database)
    found = database.read(
        None, lambda c: c.execute(text("SELECT dimension FROM rejection ORDER BY id")).scalars().all()
    )
    assert found == ["opening", None, "list_style", "emoji_usage", None]


def test_the_new_vocabulary_is_closed_again(fresh: Fresh) -> None:
    database = populated(fresh())
    changed(database)
    assert {(d, v) for d, v in rows(database, "catalog_value", "dimension", "value")} == set(NEW)
    assert ("opening", "none", 2) in rows(database, "catalog_value", "dimension", "value", "catalog_version")
    for statement in (
        "INSERT INTO catalog_value VALUES ('quote_style', 'single', 2)",
        "INSERT INTO catalog_value VALUES ('pet', 'dog', 2)",
        f"INSERT INTO rejection (day, stage, code, dimension, tenant, catalog_version) "
        f"VALUES ('2026-01-01', 'gate', 'FREE_TEXT', 'preamble', '{k(1)}', 1)",
    ):
        with pytest.raises(HabitusError):
            database.write(None, lambda connection, sql=statement: connection.execute(text(sql)))
    plan = "ix_rejection_tenant_code_day_id"
    where = "sqlite_master" if database.engine.dialect.name == "sqlite" else "pg_indexes"
    column = "name" if where == "sqlite_master" else "indexname"
    found = database.read(None, lambda c: c.execute(text(f"SELECT {column} FROM {where}")).scalars().all())
    assert plan in found, "indexes are still there"


MERGE = """
from alembic import op
from habitus_schema import catalog
from habitus_tasks.catalog_change import remap, set_vocabulary

def upgrade():
    pairs = [(pair.dimension.value, pair.value) for pair in catalog.all_pairs()]
    set_vocabulary(op.get_bind(), pairs, 2)
    return remap(op.get_bind(), {("indent_style", "spaces_2"): ("indent_style", "spaces_4")})
"""


def test_the_rule_settles_what_a_migration_touched(fresh: Fresh, more: Callable[[str], Path]) -> None:
    """Two values held one another back; made one by the migration, they are a habit."""
    votes = [vote(4, "indent_style=spaces_2", 1), vote(5, "indent_style=spaces_4", 2)]
    database = populated(fresh(), observation=votes)
    assert migrate(database, RULE, today=TODAY, folder=more(MERGE)).settled == 1
    profile = table_of("profile").c
    found = database.read(None, lambda c: c.execute(select(profile.value, profile.contexts, profile.status)).all())
    assert [tuple(map(str, row)) for row in found] == [("spaces_4", "2", "promoted")]


def test_counts_of_decisions_on_a_dimension_that_is_no_more_go_and_the_others_stay(fresh: Fresh) -> None:
    count = {"day": date(2026, 3, 1), "policy": "ignore", "reason": "vote", "decisions": 2}
    database = populated(
        fresh(), decision=[count | {"dimension": name} for name in ("quote_style", "preamble", "table_usage")]
    )
    changed(database)
    assert rows(database, "decision", "dimension", "decisions") == [("table_usage", 2)]
    database.write(None, lambda connection: connection.execute(
        text("INSERT INTO decision (day, dimension, policy, reason, decisions)"
             " VALUES ('2026-03-01', 'opening', 'drive', 'vote', 1)")
    ))  # fmt: skip
    assert len(rows(database, "decision", "dimension")) == 2
