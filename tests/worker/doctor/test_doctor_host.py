"""What the doctor says of a host and of the database: each thing put out of order in turn."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from habitus_schema.errors import UsageError
from habitus_tasks.extract import classifier
from habitus_tasks.store import open_database
from habitus_worker import cli
from habitus_worker.doctor.clocks import clocks, skew
from habitus_worker.doctor.databases import database
from habitus_worker.doctor.extractors import extractor
from habitus_worker.doctor.finding import Verdict
from habitus_worker.doctor.hooks import hooks
from habitus_worker.doctor.hosts import disk, keys
from habitus_worker.doctor.run import checks_of, examine
from habitus_worker.doctor.spools import spool
from habitus_worker.fleet import Zone
from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.spool import spool_of

ROLES = (Path(__file__).parents[3] / "deploy" / "roles.sql").read_text("utf-8")


def _verdicts(found: Any) -> dict[str, str]:
    return {name: each.verdict.value for name, each in found.items()}


def test_a_host_in_order_is_ok_throughout(settings: Settings) -> None:
    assert {each.verdict for each in examine(settings, Zone.ALL)} == {Verdict.OK}


def test_each_zone_is_asked_for_what_it_has() -> None:
    assert "database" not in checks_of(Zone.CONTENT)
    assert "keys" not in checks_of(Zone.RECORD)
    assert set(checks_of(Zone.ALL)) == set(checks_of(Zone.CONTENT)) | set(checks_of(Zone.RECORD))


def test_what_cannot_be_looked_into_is_bad_and_the_others_go_on(settings: Settings) -> None:
    settings.keys.unlink()
    found = {each.check: each for each in examine(settings, Zone.ALL)}
    assert found["keys"].verdict is Verdict.BAD
    assert found["extractor"].verdict is Verdict.OK


def test_keys_open_to_others_are_refused_and_a_folder_open_to_others_is_bad(settings: Settings, look: Any) -> None:
    settings.home.chmod(0o777)
    assert _verdicts(look(keys, settings)) == {"keys": "bad"}
    settings.keys.chmod(0o644)
    with pytest.raises(UsageError):
        look(keys, settings)


def test_a_rotation_that_is_not_finished_is_a_warning(settings: Settings, look: Any) -> None:
    document = json.loads(settings.keys.read_text())
    document["settled"] = "k1"
    document["id"]["k2"] = "ab" * 32
    settings.keys.write_text(json.dumps(document))
    assert _verdicts(look(keys, settings)) == {"keys": "warn"}


@pytest.mark.parametrize(("free", "verdict"), [(50, "ok"), (10, "warn"), (2, "bad")])
def test_a_disk_that_fills_up(
    settings: Settings, look: Any, monkeypatch: pytest.MonkeyPatch, free: int, verdict: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=100, free=free))
    assert _verdicts(look(disk, settings)) == {"disk": verdict}


@pytest.mark.parametrize(("ahead", "verdict"), [(0.0, "ok"), (-10.0, "warn"), (100.0, "bad")])
def test_a_host_whose_clock_is_apart_from_that_of_redis(
    settings: Settings, look: Any, monkeypatch: pytest.MonkeyPatch, ahead: float, verdict: str
) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead)
    assert _verdicts(look(clocks, settings)) == {"clock_redis": verdict}


def test_the_way_there_and_back_is_no_skew() -> None:
    assert skew(time.time) == 0.0
    assert 49 < skew(lambda: time.time() + 50) <= 50


def test_a_spool_that_nobody_takes_up(settings: Settings, look: Any) -> None:
    folder = spool_of(settings.home)
    folder.mkdir(mode=0o700)
    entry = folder / f"{time.time_ns():020d}-1.json"
    body = {"version": 1, "agent": "claude-code", "event": "end", "session": "", "path": "/tmp/a.jsonl"}
    entry.write_text(json.dumps(body))
    for age, verdict in ((0, "ok"), (3600, "warn"), (2 * settings.spool_seconds, "bad")):
        os.utime(entry, (time.time() - age,) * 2)
        assert _verdicts(look(spool, settings)) == {"spool": verdict}
    entry.write_text("{}")
    assert _verdicts(look(spool, settings)) == {"spool": "warn"}
    folder.chmod(0o755)
    assert look(spool, settings)["spool_mode"].verdict is Verdict.BAD


@pytest.mark.parametrize("agent", list(Agent))
def test_a_hook_that_is_gone_or_leads_elsewhere(
    settings: Settings, look: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: Agent
) -> None:
    name, folder = f"hook_{agent.value}", tmp_path / "agent"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR" if agent is Agent.CLAUDE_CODE else "CODEX_HOME", str(folder))
    with pytest.raises(SystemExit) as ended:
        cli.app(["--home", str(settings.home), "install", agent.value])
    assert not ended.value.code
    assert _verdicts(look(hooks, settings)) == {name: "ok"}
    (file,) = [path for path in folder.iterdir() if "SessionEnd" in path.read_text()]
    good = file.read_text()
    file.write_text(good.replace("__main__.py", "gone/habitus_hook/__main__.py"))
    assert _verdicts(look(hooks, settings)) == {name: "bad"}
    file.write_text(good.replace(str(spool_of(settings.home)), "/elsewhere/spool"))
    assert _verdicts(look(hooks, settings)) == {name: "bad"}
    file.unlink()
    assert _verdicts(look(hooks, settings)) == {name: "bad"}


def test_weights_that_do_not_load(
    settings: Settings, look: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "weights.npz"
    broken.write_bytes(b"no weights")
    monkeypatch.setattr(classifier, "WEIGHTS", broken)
    monkeypatch.setattr(classifier, "model", classifier.model.__wrapped__)
    assert _verdicts(look(extractor, settings)) == {"extractor": "bad"}


def test_a_database_file_open_to_others_of_another_version_or_not_there(settings: Settings, look: Any) -> None:
    file = settings.home / "habitus.db"
    assert _verdicts(look(database, settings)) == {"database_version": "ok", "database_mode": "ok"}
    engine = create_engine(settings.database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = 1"))
    engine.dispose()
    file.chmod(0o644)
    assert _verdicts(look(database, settings)) == {"database_version": "bad", "database_mode": "bad"}
    file.unlink()
    assert _verdicts(look(database, settings)) == {"database": "warn"}
    assert not file.exists()


@pytest.fixture
def on_postgres(settings: Settings, empty_postgres: Callable[[], str]) -> Iterator[Any]:
    """The settings of a fresh database of a real server, and a way to say something to it as its owner."""
    url = empty_postgres()
    open_database(url).close()
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield (
            settings.model_copy(update={"database_url": type(settings.database_url)(url)}),
            lambda statement: connection.connection.cursor().execute(statement),
        )
    engine.dispose()


def test_roles_that_are_not_in_force(on_postgres: Any, look: Any) -> None:
    settings, run = on_postgres
    assert look(database, settings)["database_roles"].verdict is Verdict.BAD
    run(ROLES)
    found = look(database, settings)
    assert _verdicts(found) == {"database_version": "ok", "database_roles": "ok", "database_account": "warn"}
    assert "database_account" in found  # the tests are the owner, who sees every tenant
    run("GRANT USAGE ON SCHEMA public TO habitus_content; GRANT SELECT ON profile TO habitus_content")
    assert "content zone" in look(database, settings)["database_roles"].found
    run(ROLES)
    run("ALTER TABLE observation DISABLE ROW LEVEL SECURITY")
    assert "observation" in look(database, settings)["database_roles"].found


def test_the_clock_of_the_database_is_looked_at_too(on_postgres: Any, look: Any) -> None:
    settings, _ = on_postgres
    assert _verdicts(look(clocks, settings)) == {"clock_redis": "ok", "clock_database": "ok"}


def test_the_command_prints_a_finding_a_line_and_exits_1_on_bad(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--home", str(settings.home), "--redis-url", settings.redis, "doctor", "--json", "--zone", "record"]
    for status in (0, 1):
        with pytest.raises(SystemExit) as ended:
            cli.app(words)
        assert (ended.value.code or 0) == status
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert all(set(row) == {"check", "verdict", "found", "advice"} for row in rows)
        assert any(row["verdict"] == "bad" for row in rows) == bool(status)
        (settings.home / "habitus.db").chmod(0o644)
