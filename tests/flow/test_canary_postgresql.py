"""Invariant 2 on PostgreSQL where things go wrong: poison, a killed worker, a database that ends its connections."""

from collections.abc import Callable, Iterator

import pytest
from leftovers import (
    Deployment,
    a_database_that_is_gone,
    a_killed_worker,
    messages_of_strangers,
    rewrite_what_redis_wrote,
    wait,
    worker_of,
)
from sqlalchemy import create_engine, text
from stored import stored, written
from test_canary import wire

from habitus_tasks.store import open_database
from habitus_worker.audit import audit
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.settings import read_settings


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, empty_postgres: Callable[[], str]) -> Iterator[Deployment]:
    """Redis, keys, and a PostgreSQL database of its own."""
    home = tmp_path_factory.mktemp("home")
    with embedded_redis(home) as url:
        create_keys(home / "keys.json")
        settings = read_settings(
            home=home, redis_url=url, database_url=empty_postgres(), visibility_timeout=4, task_seconds=60,
            sweep_seconds=1, attempts=9,
        )  # fmt: skip
        open_database(settings.database).close()
        yield Deployment(settings, tmp_path_factory.mktemp("work"))


@pytest.mark.timeout(300)
def test_nothing_private_outlives_a_failure_on_postgresql(deployment: Deployment) -> None:
    d = deployment
    since = written(d.settings)
    with pytest.MonkeyPatch.context() as patch, wire(d.settings.redis) as seen:
        patch.setenv("TMPDIR", d.environment()["TMPDIR"])
        with worker_of(d) as worker:
            messages_of_strangers(d)
            strange = len(d.canaries.planted)
            a_killed_worker(d, worker)
        with worker_of(d) as worker:
            a_database_that_is_gone(d, worker)
            wait(d.is_quiet)
    d.run("rejections", "--json")
    assert d.ledger.counts().holds
    rewrite_what_redis_wrote(d)
    kept = list(stored(d.settings, since))
    assert {"WAL", "database log", "rows of session", "file of session"} <= {place for place, held in kept if held}
    left, on_the_wire = [*d.printed, *kept], [("wire", line) for line in seen]
    # What a stranger puts on the wire was on the wire; it must not stay anywhere.
    for planted, more in ((d.canaries.planted[:strange], []), (d.canaries.planted[strange:], on_the_wire)):
        assert audit(planted, [d.settings.home], d.settings.redis, [*left, *more]).places == ()


def test_the_scan_would_see_a_word_in_postgresql(deployment: Deployment) -> None:
    """What a row held is found in the WAL even when the row is gone."""
    since = written(deployment.settings)
    leak = "renata.oliveira@leak.example"
    engine = create_engine(deployment.settings.database)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE leak (word text)"))
        connection.execute(text("INSERT INTO leak VALUES (:word)"), {"word": leak})
    assert [place for place, _ in audit([leak], texts=stored(deployment.settings, since)).places] == [
        "WAL",
        "file of leak",
        "rows of leak",
    ]
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE leak"))
    engine.dispose()
    assert [place for place, _ in audit([leak], texts=stored(deployment.settings, since)).places] == ["WAL"]
