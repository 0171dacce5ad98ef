"""Back-pressure and fairness with a real worker: a full backlog is one line, an import waits, live goes first."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_tasks.store import open_database
from habitus_worker.embedded import embedded_redis
from habitus_worker.fleet import Zone, environment, worker_process
from habitus_worker.keys import create_keys
from habitus_worker.lanes import Lane
from habitus_worker.ledger import IN_FLIGHT, Ledger, connect
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import PatientSubmitter, Submitter


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    create_keys(tmp_path / "keys.json")
    made = read_settings(home=tmp_path, redis_url="", database_url="", max_backlog=3, backfill_sessions=2)
    open_database(made.database).close()
    with embedded_redis(tmp_path):
        yield made


def _transcript(number: int) -> Transcript:
    said = f"Where is thing {number}?"
    return Transcript(Format.HABITUS, f"s{number}", (Turn(Speaker.PERSON, said, said),), messages=1)


def _caller(number: int, tenant: str = "t") -> Caller:
    return Caller("ada", tenant, f"context {number}", date(2026, 11, 20))


def _wait(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_full_backlog_is_one_clear_line_and_the_rest_is_not_submitted(settings: Settings, tmp_path: Path) -> None:
    files = []
    for number in range(5):
        files.append(tmp_path / f"s{number}.json")
        session = {"session_id": f"s{number}", "messages": [{"role": "user", "content": f"hello {number}"}]}
        files[-1].write_text(json.dumps(session))
    done = subprocess.run(
        [sys.executable, "-m", "habitus_worker", "submit", *map(str, files), "--user", "ada"],
        env=environment(settings), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("habitus: the backlog is full")
    assert line.endswith(f"3 submitted, from {files[3]} on not")
    counts = Ledger(settings.redis, settings.payload_ttl).counts()
    assert (counts.submitted, counts.in_flight, counts.holds) == (3, 3, True)


def test_an_import_waits_for_room_and_live_sessions_overtake_it(settings: Settings) -> None:
    roomy = settings.model_copy(update={"max_backlog": 100})
    backfill, live = Submitter(roomy, Lane.BACKFILL), Submitter(roomy)
    old = [backfill.submit(_transcript(number), _caller(number)) for number in range(12)]
    young = [live.submit(_transcript(number), _caller(number, "other")) for number in range(12, 14)]
    ended: list[str] = []
    patient = PatientSubmitter(settings)
    late = threading.Thread(target=patient.submit, args=(_transcript(14), _caller(14)))
    late.start()
    with worker_process(settings, Zone.ALL, settings.home / "worker.log"):
        client, ledger = connect(settings.redis), Ledger(settings.redis, settings.payload_ttl)
        waiting = {*old, *young}

        def step() -> bool:
            here = {ticket.decode() for ticket in client.zrange(IN_FLIGHT, 0, -1)}
            ended.extend(sorted(waiting - here, key=young.__contains__, reverse=True))
            waiting.intersection_update(here)
            return ledger.counts().recorded == 15

        _wait(step)
        late.join(10)
    assert not late.is_alive()
    assert max(map(ended.index, young)) < 3, "handed in last, ended first"
    assert ledger.counts().holds
