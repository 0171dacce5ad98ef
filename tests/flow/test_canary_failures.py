"""Invariant 2 where things go wrong: after every kind of failure and a drain, no private string is anywhere."""

import resource
from collections.abc import Callable, Iterator

import pytest
from leftovers import (
    DEATHS,
    FAILURES,
    Deployment,
    Worker,
    a_database_that_does_not_answer,
    rewrite_what_redis_wrote,
    wait,
    worker_of,
)
from llm_endpoint import Endpoint, echoes, llm_endpoint, never_answers
from test_canary import wire

from habitus_tasks.store import open_database
from habitus_worker.audit import audit
from habitus_worker.embedded import embedded_redis
from habitus_worker.keys import create_keys
from habitus_worker.settings import read_settings


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """Sends back all it was sent, as an error."""
    with llm_endpoint() as endpoint:
        yield endpoint.then(echoes(500))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, endpoint: Endpoint) -> Iterator[Deployment]:
    """Redis, keys and a database; an extractor that asks the endpoint."""
    home = tmp_path_factory.mktemp("home")
    with embedded_redis(home) as url:
        create_keys(home / "keys.json")
        settings = read_settings(
            home=home, redis_url=url, database_url="", visibility_timeout=6, task_seconds=8, sweep_seconds=1,
            attempts=1, extractor="llm", llm_model="m", llm_endpoint=f"{endpoint.url}/v1", llm_attempts=1,
            llm_request_seconds=1, llm_session_seconds=1, llm_requests_per_minute=6000,
        )  # fmt: skip
        open_database(settings.database).close()
        yield Deployment(settings, tmp_path_factory.mktemp("work"))


@pytest.mark.timeout(600)
def test_nothing_private_outlives_a_failure(deployment: Deployment, endpoint: Endpoint) -> None:
    d, planted = deployment, {}

    def happens(failure: Callable[..., None], *more: Worker) -> None:
        before = len(d.canaries.planted)
        failure(d, *more)
        planted[failure.__name__] = d.canaries.planted[before:]

    with pytest.MonkeyPatch.context() as patch, wire(d.settings.redis) as seen:
        patch.setenv("TMPDIR", d.environment()["TMPDIR"])
        with worker_of(d) as worker:
            assert resource.prlimit(worker.pid, resource.RLIMIT_CORE)[0] == 0
            for failure in FAILURES:
                happens(failure)
            endpoint.then(never_answers)  # so that a session is still being read when its process dies
            for death in DEATHS:
                happens(death, worker)
        endpoint.then(echoes(500))
        with worker_of(d) as worker:
            happens(a_database_that_does_not_answer, worker)
            wait(d.is_quiet)
    for words in (["rejections", "--json"], ["deadletters", "list"], ["status"]):
        d.run(*words)
    log = d.log.read_bytes()
    assert all(mark in log for mark in (b"llm_fallback", b"not_a_ticket", b"celery.worker.request", b"step_failed"))
    assert d.ledger.counts().holds
    rewrite_what_redis_wrote(d)
    places = [*d.places(), *(("wire", line) for line in seen)]
    for name, strings in planted.items():
        found = audit(strings, [d.settings.home], d.settings.redis, places)
        # What a stranger puts on the wire was on the wire; it must not stay anywhere.
        allowed = {"wire"} if name == "messages_of_strangers" else set()
        assert {place for place, _ in found.places} <= allowed, name
    assert sum(map(len, planted.values())) >= 200
