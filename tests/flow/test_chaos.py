"""The chaos suite in a short form: each kind of trouble once. `make chaos` is the long one."""

import os
import random
from pathlib import Path

import pytest
from storm import Storm, verdict

from habitus_tasks.store import open_database
from habitus_worker.keys import create_keys
from habitus_worker.settings import read_settings

SEED = int(os.environ.get("HABITUS_TEST_SEED", random.randrange(10**6)))
SESSIONS = 30
TROUBLES = 9


@pytest.mark.timeout(300)  # half a minute on two free cores; a busy machine is no bug
def test_after_a_storm_every_session_is_counted_once_and_the_profiles_are_those_of_a_calm_day(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys.json")
    settings = read_settings(
        home=tmp_path, redis_url="", database_url="", visibility_timeout=2, task_seconds=20, sweep_seconds=1,
        resend_seconds=4, attempts=1000, max_backlog=20,
    )  # fmt: skip
    open_database(settings.database).close()
    result = Storm(settings, SESSIONS, SEED, TROUBLES).run(240)
    assert not result.faults, verdict(result)
    assert sum(result.troubles.values()) == TROUBLES
