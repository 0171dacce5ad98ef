"""A rotation of the id key in the middle of a run: nothing lost, nothing twice, nothing left under the old key."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from ctypes import c_int
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.models import SessionRecord
from habitus_tasks.promote import PromotionRule
from habitus_tasks.record import record_session
from habitus_tasks.rekey import left, rekey
from habitus_tasks.store import Database, open_database
from habitus_worker.keys import Watched, load_id_keys
from habitus_worker.rotation import add_id_key, settle

RULE, TODAY = PromotionRule(), date(2026, 4, 1)
WORKERS, PEOPLE, EACH, QUIET = 3, 18, 12, 10
SPAWN = multiprocessing.get_context("fork")


def opened(url: str, key_file: Path) -> Database:
    return open_database(url, Watched(key_file, load_id_keys))


def work(url: str, key_file: Path, records: list[SessionRecord], done: Any) -> None:
    """A record worker: counts its people's sessions in order, each delivered twice now and then."""
    database = opened(url, key_file)
    for number, record in enumerate(records):
        outcome = record_session(database, record, RULE, today=TODAY)
        if number % 5 == 0:
            assert record_session(database, record, RULE, today=TODAY) is outcome
        with done.get_lock():
            done.value += 1
    database.close()


def job(url: str, key_file: Path, die_after: int) -> None:
    """The re-keying, killed as by the kernel once it has done so many people."""

    def progress(at: int, _total: int) -> None:
        if at == die_after:
            os.kill(os.getpid(), signal.SIGKILL)

    rekey(opened(url, key_file), RULE, progress, today=TODAY)


def run(url: str, key_file: Path, shares: list[list[SessionRecord]], rotate: Callable[[], None] | None) -> None:
    done = SPAWN.Value(c_int, 0)
    workers = [SPAWN.Process(target=work, args=(url, key_file, share, done)) for share in shares]
    for each in workers:
        each.start()
    if rotate:
        while done.value < PEOPLE * EACH // 4:
            time.sleep(0.01)
        rotate()
    for each in workers:
        each.join()
    assert [each.exitcode for each in workers] == [0] * len(workers)


@pytest.mark.timeout(300)
def test_a_rotation_while_workers_record_leaves_what_a_run_without_one_leaves(
    fresh_url: Callable[[], str], key_file: Path, sessions_of: Any, contents: Any
) -> None:
    first = load_id_keys(key_file).first
    shares: list[list[SessionRecord]] = [[] for _ in range(WORKERS)]
    for number in range(PEOPLE):
        shares[number % WORKERS] += sessions_of(first, f"user{number}", EACH)
    calm, rotated = fresh_url(), fresh_url()
    for url in (calm, rotated):  # people of whom nothing new comes: the job alone reaches them
        database = opened(url, key_file)
        for number in range(QUIET):
            for record in sessions_of(first, f"quiet{number}", 6):
                record_session(database, record, RULE, today=TODAY)
        database.close()
    run(calm, key_file, shares, None)

    def rotate() -> None:
        name = add_id_key(key_file)
        for attempt in (3, 2):
            killed = SPAWN.Process(target=job, args=(rotated, key_file, attempt))
            killed.start()
            killed.join()
            assert killed.exitcode == -signal.SIGKILL, "killed before it was done"
        killed = SPAWN.Process(target=job, args=(rotated, key_file, -1))
        killed.start()
        time.sleep(0.3)
        killed.kill()  # wherever it is, most likely inside a transaction
        killed.join()
        finished = SPAWN.Process(target=job, args=(rotated, key_file, -1))
        finished.start()
        finished.join()
        assert finished.exitcode == 0
        settle(key_file, name)

    run(rotated, key_file, shares, rotate)
    chain = load_id_keys(key_file)
    assert chain.names == ("k1", "k2")
    before, after = opened(calm, key_file), opened(rotated, key_file)
    assert after.read(None, lambda connection: left(connection, chain)) == 0
    wanted, found = contents(before, chain), contents(after)
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert found[name] == wanted[name], name
    assert len(wanted["profile"]) > PEOPLE // 2, "there was something to lose"
    for each in (before, after):
        each.close()
