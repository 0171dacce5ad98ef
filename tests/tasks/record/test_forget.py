"""Forgetting a person: everything goes, of them alone, and what is delivered or read again later stays away."""

import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_schema.ids import Kind
from habitus_schema.models import Outcome, Rejection
from habitus_schema.pairs import Pair
from habitus_schema.tables import Row
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.forget import forget
from habitus_tasks.record import record_dead_letter
from habitus_tasks.store import open_database

SHORT, BULLETS = "response_density=concise_direct", "list_style=bullets"
PAIR = Pair(dimension=Dimension.LIST_STYLE, value="prose")


def live(world: Any) -> None:
    """Leaves rows of the person in every table that can have any."""
    world.counts("a", world.says(SHORT, message="x"), messages="xy", day=1, sketch=tuple(range(64)), context="c")
    world.counts("b", SHORT, world.says(BULLETS, entity="northwind"), day=2)
    world.counts("c", rejections=(Rejection(code=Code.ONE_OFF),), day=3)
    world.counts("c", day=3)
    profile.block(world.database, *world.who, PAIR, world.rule, today=world.today)


def test_everything_of_the_person_goes_and_the_proof_says_so(world: Any) -> None:
    live(world)
    proof = forget(world.database, *world.who, world.today)
    assert proof.left == 0
    deleted = {name for name, _ in proof.tables}
    assert deleted == {
        "blocked_pair", "observation", "profile", "rejection", "session", "session_message",
    }  # fmt: skip
    assert proof.deleted == sum(count for _, count in proof.tables) > 10
    assert world.profile() == {}
    assert world.log() == []


def test_no_row_of_any_table_holds_an_id_of_the_person_but_the_tombstone(world: Any) -> None:
    live(world)
    ids = [world.who[1], world.id(Kind.SESSION, "a"), world.id(Kind.MESSAGE, "x"), world.id(Kind.CONTEXT, "c")]
    ids.append(world.id(Kind.ENTITY, "northwind"))
    forget(world.database, *world.who, world.today)

    def found(connection: Connection) -> list[str]:
        dump = {name: str(connection.execute(text(f"SELECT * FROM {name}")).all()) for name in Row.metadata.tables}
        return [name for name, rows in dump.items() for each in ids if each in rows]

    assert world.database.read(None, found) == ["tombstone"]


def test_the_proof_finds_a_row_that_was_left_behind(world: Any) -> None:
    """The scan is not the deletion's own count: here another person's line names one of the sessions."""
    live(world)
    session, tenant, day = world.id(Kind.SESSION, "a"), world.who[0], world.today
    other = type(world)(world.database, world.key, user="bob")
    record_dead_letter(world.database, "0" * 31 + "1", Code.ATTEMPTS_EXHAUSTED, tenant, other.who[1], session, day)
    proof = forget(world.database, *world.who, world.today)
    assert proof.left == 1


def test_others_keep_every_row(world: Any) -> None:
    live(world)
    others = [
        type(world)(world.database, world.key, user="bob"),
        type(world)(world.database, world.key, tenant="globex"),
    ]
    for other in others:
        live(other)
    before = [(other.profile(), other.log()) for other in others]
    theirs = others[0].log()
    forget(world.database, *world.who, world.today)
    assert [other.profile() for other in others] == [shown for shown, _ in before]
    assert others[1].log() == before[1][1]
    assert len(theirs) > len(others[0].log()) > 0, "the log is shared by the tenant; only the person's lines are gone"


def test_sessions_up_to_the_day_of_the_wish_are_refused_and_leave_nothing_of_the_person(world: Any) -> None:
    live(world)
    forget(world.database, *world.who, world.today)
    assert world.counts("late", SHORT, day=5) is Outcome.RECORDED
    assert world.counts("same-day", SHORT, day=(world.today - world.session("x").day).days) is Outcome.RECORDED
    assert world.log() == [("FORGOTTEN", None), ("FORGOTTEN", None)]
    assert forget(world.database, *world.who, world.today).deleted == 0


def test_sessions_that_end_after_the_wish_count_afresh(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    forget(world.database, *world.who, world.today)
    world.today += timedelta(days=10)
    offset = (world.today - world.session("x").day).days
    world.counts("b", SHORT, day=offset)
    assert world.profile() == {}
    world.counts("c", SHORT, day=offset)
    assert world.profile() == {SHORT: (2, "promoted")}


def test_forgetting_again_on_an_earlier_day_does_not_move_the_tombstone_back(world: Any) -> None:
    forget(world.database, *world.who, world.today)
    forget(world.database, *world.who, world.today - timedelta(days=30))
    world.counts("a", SHORT, day=(world.today - world.session("x").day).days - 1)
    assert world.log() == [("FORGOTTEN", None)]


def test_lines_of_sessions_that_named_no_person_go_with_the_session(world: Any) -> None:
    live(world)
    session = world.id(Kind.SESSION, "a")
    record_dead_letter(world.database, "0" * 32, Code.ATTEMPTS_EXHAUSTED, world.who[0], None, session, world.today)
    forget(world.database, *world.who, world.today)
    assert world.log() == []


def test_forgetting_nobody_in_particular_is_refused(world: Any) -> None:
    with pytest.raises(UsageError):
        forget(world.database, world.who[0], "", world.today)


def test_what_was_forgotten_is_gone_from_the_bytes_of_the_sqlite_file(world: Any, tmp_path: Path) -> None:
    path = tmp_path / "habitus.db"
    mine = type(world)(open_database(f"sqlite:///{path}"))
    live(mine)
    session = mine.id(Kind.SESSION, "a").encode()
    assert any(session in each.read_bytes() for each in tmp_path.iterdir())
    forget(mine.database, *mine.who, mine.today)
    assert not any(session in each.read_bytes() for each in tmp_path.iterdir())
    with sqlite3.connect(path) as check:
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()
    mine.database.close()
