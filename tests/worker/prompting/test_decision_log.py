"""Programs that decide count what they decided: a sample, later, and never a word of a query."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from habitus_classifier import decide
from habitus_schema.errors import UnavailableError
from habitus_schema.pairs import Pair
from habitus_tasks import profile
from habitus_tasks.decisions import totals
from habitus_tasks.store import Database, open_database
from habitus_worker import decision_log
from habitus_worker.cli import app
from habitus_worker.cli.profiles import rule_of, subject_of
from habitus_worker.databases import database_of
from habitus_worker.decision_log import DecisionLog
from habitus_worker.keys import create_keys
from habitus_worker.serve.services import Services
from habitus_worker.settings import Settings

PAIRS = [Pair(dimension="table_usage", value="avoid"), Pair(dimension="code_delivery", value="full_file")]
DECIDED = decide("as a table please: cats against dogs", PAIRS)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'habitus.db'}")
    yield opened
    opened.close()


def counted(database: Database) -> int:
    return sum(count.decisions for count in totals(database))


def test_decisions_are_counted_when_they_are_written_and_not_before(database: Database) -> None:
    log = DecisionLog(lambda: database, 1.0)
    log.note(DECIDED)
    log.note(DECIDED)
    assert counted(database) == 0
    assert log.flush()
    assert counted(database) == 4
    assert log.flush()
    assert counted(database) == 4


def test_a_sample_is_counted_and_none_of_a_share_of_nothing(database: Database) -> None:
    chances = iter([0.05, 0.5, 0.0999, 0.1])
    log = DecisionLog(lambda: database, 0.1, lambda: next(chances))
    for _ in range(4):
        log.note(DECIDED)
    log.flush()
    assert counted(database) == 4
    off = DecisionLog(lambda: database, 0.0)
    off.note(DECIDED)
    off.flush()
    assert counted(database) == 4


def test_what_was_counted_is_written_after_a_while_by_itself(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision_log, "FLUSH_SECONDS", 0.01)
    written = threading.Event()
    log = DecisionLog(lambda: database, 1.0)
    monkeypatch.setattr(log, "flush", lambda: (DecisionLog.flush(log), written.set()))
    log.note(DECIDED)
    assert written.wait(20)
    assert counted(database) == 2


def test_a_database_in_trouble_costs_the_counts_alone() -> None:
    def broken() -> Database:
        raise UnavailableError("no")

    log = DecisionLog(broken, 1.0)
    log.note(DECIDED)
    assert not log.flush()
    assert log.failures == 1


def test_classify_counts_what_it_decided_and_decisions_shows_the_shares(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    create_keys(settings.keys)
    database = database_of(settings)
    for pair in PAIRS:
        profile.pin(database, *subject_of(settings, "ada", None), pair, rule_of(settings))
    database.close()
    environment = {"HABITUS_HOME": str(tmp_path), "HABITUS_DECISION_SHARE": "1"}

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, list(words), env=environment)
        assert done.exit_code == 0, done.exception
        return done.stdout

    run("classify", "--user", "ada", "as a table please: quokkas against dogs")
    run("classify", "--user", "nobody", "as a table please: quokkas against dogs")
    stats = json.loads(run("decisions", "--stats", "--json"))
    by_dimension = {row["of"]: row for row in stats["by_dimension"]}
    assert by_dimension["table_usage"] == {
        "of": "table_usage", "decisions": 1, "ignore": 1.0, "support": 0.0, "drive": 0.0, "reason": "contradicted",
    }  # fmt: skip
    assert sum(row["decisions"] for row in stats["by_reason"]) == 2
    assert "table_usage" in run("decisions", "--stats")
    assert len(run("decisions", "--json").splitlines()) == 2
    assert run("decisions", "--json", "--since", "2999-01-01") == ""
    assert b"quokka" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_the_http_server_writes_what_it_counted_when_it_stops(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, decision_share=1.0)
    create_keys(settings.keys)
    services = Services(settings)
    services.decision_log.note(DECIDED)
    services.close()
    database = database_of(settings)
    assert counted(database) == 2
    database.close()
