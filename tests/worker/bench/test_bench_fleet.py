"""The parts of `habitus bench fleet` that decide what its figures mean."""

from datetime import date

import pytest

from habitus_schema.ids import IdKey
from habitus_tasks.parse import read_session
from habitus_tasks.pipeline import Caller, record_of
from habitus_worker.bench.fleet import Latency, Rate
from habitus_worker.bench.pipelines import WISH, found_at_once
from habitus_worker.bench.sessions import sessions


def test_a_fleet_without_extraction_still_has_a_vote_to_record_for_every_session() -> None:
    keys = IdKey("k1", b"k" * 32)
    for number, session in enumerate(sessions(5, 1)):
        caller = Caller("u", "t", "c", date(2026, 11, 1))
        record = record_of(read_session(session, None), caller, f"{number:032x}", keys, found_at_once)
        assert [each.pair for each in record.observations] == [WISH]


@pytest.mark.parametrize(("share", "holds"), [(0.5, True), (0.49, False)])
def test_half_of_the_pipeline_that_does_nothing_is_the_least(share: float, holds: bool) -> None:
    assert Rate("fleet", 10.0, share, 1.0, 1.0, 0.5).holds is holds


@pytest.mark.parametrize(("times", "holds"), [(2.0, True), (2.01, False)])
def test_twice_the_latency_of_an_idle_fleet_is_the_most(times: float, holds: bool) -> None:
    assert Latency("busy", 1.0, 2.0, times, 2.0).holds is holds
