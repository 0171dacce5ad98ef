"""A hostile writer with full access to the rows tries to leave words behind; the database itself refuses them."""

import secrets
from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from habitus_schema import catalog
from habitus_schema.codes import Code
from habitus_schema.columns import Day, KeyedText, TicketText, Whole
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Observed, Rejection, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.tables import Row
from habitus_schema.vocabulary import Dimension
from habitus_tasks.authority import block, pin
from habitus_tasks.decisions import note
from habitus_tasks.forget import forget
from habitus_tasks.log_counting import count_up
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import Database, open_database

KEY = IdKey.generate()
WORD = "Rex"
SENTENCE = "my dog is called Rex"
SHORT = Pair(dimension=Dimension.RESPONSE_DENSITY, value="concise_direct")
TABLES = Pair(dimension=Dimension.TABLE_USAGE, value="prefer")


def fill(database: Database) -> None:
    """Puts at least one row into every table, through the real code."""
    tenant, subject, other = (KEY.keyed(Kind.SUBJECT, name) for name in ("acme", "ada", "bob"))
    message = KEY.keyed(Kind.MESSAGE, "m")
    record = SessionRecord(
        ticket=secrets.token_hex(16),
        tenant=tenant,
        subject=subject,
        session=KEY.keyed(Kind.SESSION, "s"),
        messages=(message,),
        sketch=tuple(range(64)),
        day=date(2026, 3, 1),
        observations=(Observed(pair=SHORT, signal=Signal.STANDING, message=message),),
        rejections=(Rejection(code=Code.PRIVATE_EMAIL, dimension=Dimension.PREAMBLE, detector="email_address"),),
        catalog_version=catalog.version(),
    )
    record_session(database, record, PromotionRule())
    pin(database, tenant, subject, SHORT, PromotionRule())
    block(database, tenant, subject, TABLES, PromotionRule())
    forget(database, tenant, other, date(2026, 3, 1))
    kind = Dimension.TABLE_USAGE, PolicyWord.IGNORE, DecisionReason.VOTE
    note(database, {kind: 1}, date(2026, 3, 1))
    count_up(database)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'habitus.db'}"
    else:
        url = request.getfixturevalue("empty_postgres")()
    database = open_database(url)
    fill(database)
    yield database.engine
    database.close()


def attacks(dialect: str) -> Iterator[tuple[str, str, object]]:
    """(table, column, value): every column of every table, with words in the forms that might slip through."""
    lookalike = KEY.keyed(Kind.SESSION, "x")
    for each in Row.metadata.tables.values():
        for column in each.columns:
            values: list[object] = [WORD, SENTENCE, WORD.encode(), ""]
            if isinstance(column.type, KeyedText):
                values += [
                    f"k1-{WORD:x>32}",
                    lookalike.upper(),
                    lookalike + "\n",
                    f"{lookalike} {WORD}",
                    lookalike[:-1],
                ]
                values += [f"{WORD.lower()} {lookalike}", f"k 1-{'0' * 32}", "é1-" + "0" * 32, f"-{'0' * 32}"]
                values += [lookalike + "\0" + WORD, lookalike[:20] + "\0" + WORD] if dialect == "sqlite" else []
            if isinstance(column.type, TicketText):
                values += [WORD.lower() + "0" * 29, "0" * 32 + "\n", "A" * 32]
                values += ["0" * 32 + "\0" + WORD] if dialect == "sqlite" else []
            if isinstance(column.type, Day):
                values += [f"2026-03-01 {WORD}", "now", "2026-02-31", "20260301"] if dialect == "sqlite" else []
            if isinstance(column.type, Whole):
                values += [f"1 {WORD}", 1.5] if dialect == "sqlite" else [f"1 {WORD}"]
            yield from ((each.name, column.name, value) for value in values)


def test_no_word_can_be_stored_in_any_column_of_any_table(engine: Engine) -> None:
    slipped = []
    for table, column, value in attacks(engine.dialect.name):
        with engine.connect() as connection, connection.begin() as transaction:
            assert connection.scalar(text(f"SELECT count(*) FROM {table}")), f"{table} has no row to attack"
            try:
                changed = connection.execute(text(f"UPDATE {table} SET {column} = :value"), {"value": value})
                slipped.append((table, column, value, changed.rowcount))
            except (IntegrityError, DataError, ProgrammingError):
                pass
            transaction.rollback()
    assert slipped == []


@pytest.mark.parametrize(("dimension", "value"), [("pet", "dog"), ("list_style", "dog"), ("list_style", SENTENCE)])
def test_not_even_the_catalog_table_takes_a_word_that_is_not_in_the_catalog(
    engine: Engine, dimension: str, value: str
) -> None:
    with pytest.raises(DBAPIError), engine.begin() as connection:
        connection.execute(
            text("INSERT INTO catalog_value (dimension, value, catalog_version) VALUES (:dimension, :value, 1)"),
            {"dimension": dimension, "value": value},
        )


def test_a_pair_of_two_catalog_words_that_do_not_belong_together_is_refused(engine: Engine) -> None:
    for table in ("observation", "profile", "blocked_pair"):
        with pytest.raises(IntegrityError), engine.begin() as connection:
            connection.execute(text(f"UPDATE {table} SET dimension = 'emoji_usage', value = 'bullets'"))
