"""A worker of the record zone settles what time alone changed, when it starts and every day."""

import sqlite3
import time
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from habitus_schema import catalog
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Observed, SessionRecord, Signal
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.store import open_database
from habitus_worker.daily import UPKEEP_SECONDS, upkeep
from habitus_worker.keys import create_keys
from habitus_worker.settings import read_settings
from habitus_worker.stack import embedded_stack

KEY = IdKey.generate()
LONG_AGO = date(2020, 1, 1)


def record(name: str) -> SessionRecord:
    pair = Pair(dimension=Dimension.EMOJI_USAGE, value="none")
    return SessionRecord(
        ticket=f"{ord(name):032x}",
        tenant=KEY.keyed(Kind.TENANT, "t"),
        subject=KEY.keyed(Kind.SUBJECT, "t", "ada"),
        session=KEY.keyed(Kind.SESSION, "t", "ada", name),
        sketch=tuple(range(64)) if name == "a" else (),
        day=LONG_AGO,
        observations=(Observed(pair=pair, signal=Signal.EDIT),),
        catalog_version=catalog.version(),
    )


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a habit of long ago in it."""
    folder = tmp_path_factory.mktemp("daily")
    create_keys(folder / "keys.json")
    database = open_database(f"sqlite:///{folder / 'habitus.db'}")
    for name in "ab":
        record_session(database, record(name), PromotionRule(), today=LONG_AGO)
    database.close()
    assert left(folder) == (1, 1)
    return folder


def left(home: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(home / "habitus.db", timeout=30)) as database:
        profile = database.execute("SELECT count(*) FROM profile").fetchone()[0]
        sketches = database.execute("SELECT count(*) FROM session WHERE sketch_0 IS NOT NULL").fetchone()[0]
    return profile, sketches


def test_a_worker_that_starts_lets_expired_habits_and_old_sketches_go(home: Path) -> None:
    assert UPKEEP_SECONDS == 24 * 60 * 60
    with embedded_stack(read_settings(home=home, redis_url="", database_url="")):
        deadline = time.monotonic() + 60
        while left(home) != (0, 0) or "upkeep_done" not in (home / "worker.log").read_text():
            assert time.monotonic() < deadline, (home / "worker.log").read_text()
            time.sleep(0.1)


def test_a_failure_says_its_class_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = read_settings(home=tmp_path / "gone" / "Rex", redis_url="", database_url="")
    assert not upkeep(settings)
    said = capsys.readouterr()
    assert "Rex" not in said.out + said.err
    assert "UsageError" in said.out + said.err
    assert "Traceback" not in said.out + said.err
