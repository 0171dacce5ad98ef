"""Figures of worker processes: through both zones' real desks to /metrics, in closed sets of names."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from web_site import Site, make_site

from habitus_schema.errors import UnavailableError
from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.jobs import RECORD_TASK
from habitus_tasks.pipeline import Caller
from habitus_tasks.zones import content_step, record_step
from habitus_worker.app import make_app
from habitus_worker.days import today
from habitus_worker.desks import ContentWork, RecordWork
from habitus_worker.ledger import connect
from habitus_worker.measured import MeasuredContent, MeasuredRecord
from habitus_worker.measures import MEASURES, Kept, Measures, Timed, Tried, TriedIn, bounds, buckets
from habitus_worker.submitting import Submitter, ledger_of

WISH = "zero_external_deps=True, please, always."


@pytest.fixture
def site(tmp_path: Path, redis_url: str) -> Iterator[Site]:
    with make_site(tmp_path, redis_url) as made:
        yield made


def _samples(site: Site) -> dict[tuple[str, ...], float]:
    text = site.client(site.operator).get("/metrics").text
    return {
        (sample.name, *(sample.labels[label] for label in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _session(number: int) -> Transcript:
    return Transcript(Format.HABITUS, f"s{number}", (Turn(Speaker.PERSON, WISH, WISH),), messages=1)


class Zones:
    """Both zones' desks of one deployment, worked at by hand."""

    def __init__(self, site: Site) -> None:
        settings, self.measures = site.settings, Measures(site.settings.redis)
        app, self.ledger = make_app(settings), ledger_of(settings)
        self.content_work = ContentWork(self.ledger, lambda: site.keys, app, settings.attempts, lambda _: Extraction())
        self.record_work = RecordWork(self.ledger, site.database, app, site.services.rule, settings.attempts, 0.0)
        self.content = MeasuredContent(self.content_work, self.measures)
        self.record = MeasuredRecord(self.record_work, self.measures)


def test_what_two_sessions_took_is_on_the_page_of_metrics(site: Site) -> None:
    zones, submitter = Zones(site), Submitter(site.settings)
    tickets = [submitter.submit(_session(number), Caller("ada", "acme", "", today())) for number in range(2)]
    sealed = sum(len(zones.ledger.payload(ticket) or b"") for ticket in tickets)
    for ticket in tickets:
        content_step(zones.content, ticket)
    record_step(zones.record, RECORD_TASK)
    zones.measures.close()

    found = _samples(site)
    assert found["habitus_sealed_bytes_total",] == sealed > 0
    for stage, times in (("open", 2), ("extract", 2), ("hand_on", 2), ("record", 1)):
        assert found["habitus_stage_seconds_count", stage] == times, stage
        assert found["habitus_stage_seconds_sum", stage] > 0, stage
        assert found["habitus_stage_seconds_bucket", "+Inf", stage] == times
    assert found["habitus_session_seconds_count",] == 2
    assert found["habitus_attempts_total", "first", "content"] == 2
    assert found["habitus_attempts_total", "first", "record"] == 2
    assert found["habitus_attempts_total", "again", "content"] == 0
    assert found["habitus_attempts_total", "again", "record"] == 0


def test_a_try_that_failed_is_followed_by_one_that_counts_as_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    zones, submitter = Zones(site), Submitter(site.settings)
    tickets = [submitter.submit(_session(number), Caller("ada", "acme", "", today())) for number in range(2)]
    with monkeypatch.context() as patch:
        patch.setattr(zones.content_work, "open", _breaks)
        with pytest.raises(RuntimeError):
            content_step(zones.content, tickets[0])
    for ticket in tickets:
        content_step(zones.content, ticket)
    with monkeypatch.context() as patch:
        patch.setattr(zones.record_work, "record", _refuses_groups(zones.record_work.record))
        record_step(zones.record, RECORD_TASK)
    zones.measures.close()

    found = _samples(site)
    assert found["habitus_attempts_total", "first", "content"] == 2
    assert found["habitus_attempts_total", "again", "content"] == 1
    assert found["habitus_attempts_total", "first", "record"] == 2
    assert found["habitus_attempts_total", "again", "record"] == 2
    assert found["habitus_stage_seconds_count", "record"] == 3  # the group that was refused took its time, too
    assert found["habitus_session_seconds_count",] == 2


def _breaks(_: bytes) -> Any:
    raise RuntimeError


def _refuses_groups(record: Any) -> Any:
    def refuse(records: Any) -> Any:
        if len(records) > 1:
            raise RuntimeError
        return record(records)

    return refuse


@given(st.lists(st.floats(0, 1e5), max_size=30))
def test_each_duration_is_in_all_buckets_from_its_own_on(taken: list[float]) -> None:
    measures = Measures("redis://127.0.0.1:1/0")
    with _no_timer():
        for seconds in taken:
            measures.took(Timed.OPEN, seconds)
        cumulated, total = buckets(measures.noted(), Timed.OPEN)
    assert total == pytest.approx(sum(taken), abs=1e-6 * (len(taken) + 1))
    assert [name for name, _ in cumulated] == [*map(str, bounds(Timed.OPEN)), "+Inf"]
    for name, count in cumulated:
        assert count == sum(seconds <= float(name.replace("+Inf", "inf")) for seconds in taken)


@contextmanager
def _no_timer() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", lambda _: None)
        yield


def test_it_writes_by_itself_and_adds_to_what_others_wrote(redis_url: str) -> None:
    both = Measures(redis_url), Measures(redis_url)
    for each in both:
        each.tried(TriedIn.CONTENT, Tried.FIRST)
    wrote = threading.Event()
    for _ in range(1000):
        if Kept(redis_url).read().get("tries:content:first") == 2:
            wrote.set()
            break
        wrote.wait(0.01)
    assert wrote.is_set()
    assert connect(redis_url).hlen(MEASURES) == 1


def test_without_redis_nothing_fails_and_nothing_is_lost(redis_url: str) -> None:
    measures = Measures("redis://127.0.0.1:1/0")
    measures.took(Timed.RECORD, 0.3)
    assert measures.ages(["ab" * 16]) == []
    measures.close()
    assert measures.noted() == {"record:0.5": 1, "record:micros": 300_000}
    with pytest.raises(UnavailableError):
        Kept("redis://127.0.0.1:1/0").read()


def test_a_session_that_ended_before_has_no_age(site: Site) -> None:
    zones = Zones(site)
    ticket = Submitter(site.settings).submit(_session(1), Caller("ada", "acme", "", today()))
    assert len(zones.measures.ages([ticket, "ab" * 16])) == 1
    assert zones.measures.ages([ticket])[0] >= 0
    assert zones.measures.ages([]) == []
