"""docs/teardown.md says what the code does."""

import re
from pathlib import Path

from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import LAYOUTS
from habitus_worker.teardown.backfill import MOST_IN_FLIGHT
from habitus_worker.teardown.drain import SETTLE_SECONDS
from habitus_worker.teardown.install import SESSION_END_SINCE, TIMEOUTS
from habitus_worker.teardown.intake import REASONS, Reason
from habitus_worker.teardown.rounds import SWEEP_SECONDS

TEXT = (Path(__file__).parents[3] / "docs" / "teardown.md").read_text()


def test_every_reason_for_which_something_is_given_up_is_listed_and_has_a_meaning() -> None:
    listed = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", TEXT))
    given_up = {reason.value for reason in Reason if reason is not Reason.CHANGING}
    assert given_up == {each for each in listed if not each.startswith("HABITUS_")} - {
        "CODEX_HOME",
        "CLAUDE_CONFIG_DIR",
    }
    assert set(REASONS) == set(Reason)


def test_every_setting_that_is_named_is_one() -> None:
    fields = {f"HABITUS_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"HABITUS_[A-Z_]+", TEXT)) <= fields


def test_the_figures_are_those_of_the_code() -> None:
    plain = Settings.model_fields
    assert f"`HABITUS_SWEEP_SECONDS` ({plain['sweep_seconds'].default})" in TEXT
    assert f"`HABITUS_QUIET_SECONDS` ({plain['quiet_seconds'].default})" in TEXT
    assert plain["spool_seconds"].default == 24 * 3600
    assert (SETTLE_SECONDS, SWEEP_SECONDS, MOST_IN_FLIGHT) == (3.0, 300.0, 200)
    assert sorted(TIMEOUTS.values()) == [3, 10]
    assert f"Before {SESSION_END_SINCE[0]}.{SESSION_END_SINCE[1]} it has no" in TEXT


def test_every_agents_files_are_named() -> None:
    for layout in LAYOUTS.values():
        assert f"~/{layout.folder}/{layout.hooks}" in TEXT
        assert layout.variable in TEXT
