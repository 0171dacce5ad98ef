"""Traces: one for a session, from submission to record; in closed words alone, and off unless asked for."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from canaries import Canaries
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import StatusCode
from web_site import Site, make_site

from habitus_schema.codes import Code
from habitus_schema.errors import UnavailableError
from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.jobs import RECORD_TASK
from habitus_tasks.pipeline import Caller
from habitus_tasks.zones import content_step, record_step
from habitus_worker.app import make_app
from habitus_worker.days import today
from habitus_worker.desks import ContentWork, RecordWork
from habitus_worker.fleet import environment
from habitus_worker.lanes import Lane
from habitus_worker.ledger import connect
from habitus_worker.measured import MeasuredContent, MeasuredRecord
from habitus_worker.observed import observed_content, observed_record
from habitus_worker.submitting import Submitter, ledger_of
from habitus_worker.traced import TracedContent, TracedRecord
from habitus_worker.traces import End, Step, Traces, is_wanted, trace_key

ALLOWED = {
    "habitus.zone": {"content", "record"},
    "habitus.outcome": set(End),
    "habitus.code": set(Code),
    "habitus.lane": {"live", "backfill"},
}


@pytest.fixture
def site(tmp_path: Path, redis_url: str) -> Iterator[Site]:
    with make_site(tmp_path, redis_url) as made:
        yield made


class Fleet:
    """A submitter and the desks of both zones, whose spans are kept here."""

    def __init__(self, site: Site, provider: TracerProvider | None = None) -> None:
        self.spans, settings = InMemorySpanExporter(), site.settings
        provider = provider or TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.spans))
        self.traces = Traces(provider, settings.redis, 60)
        self.submitter, self.ledger, app = Submitter(settings), ledger_of(settings), make_app(settings)
        self.submitter._traces = self.traces
        self.content_work = ContentWork(self.ledger, lambda: site.keys, app, 3, lambda _: Extraction())
        self.record_work = RecordWork(self.ledger, site.database, app, site.services.rule, 3, 0.0)
        self.content = TracedContent(self.content_work, self.traces)
        self.record = TracedRecord(self.record_work, self.traces)

    def submit(self, *said: str, lane: Lane = Lane.LIVE) -> str:
        self.submitter._lane = lane
        turns = tuple(Turn(Speaker.PERSON, each, each) for each in said or ("hello",))
        return self.submitter.submit(
            Transcript(Format.HABITUS, f"s {said}", turns), Caller(f"ada {said}", f"acme {said}", f"c {said}", today())
        )

    def finished(self) -> Sequence[ReadableSpan]:
        return self.spans.get_finished_spans()


def _told(span: ReadableSpan) -> dict[str, Any]:
    return {name.removeprefix("habitus."): value for name, value in (span.attributes or {}).items()}


def test_the_three_steps_of_a_session_are_one_trace_each_the_child_of_the_one_before(site: Site) -> None:
    fleet = Fleet(site)
    tickets = [fleet.submit("one"), fleet.submit("two", lane=Lane.BACKFILL)]
    for ticket in tickets:
        content_step(fleet.content, ticket)
    record_step(fleet.record, RECORD_TASK)
    traces: dict[int, list[ReadableSpan]] = {}
    for span in fleet.finished():
        assert span.context is not None
        traces.setdefault(span.context.trace_id, []).append(span)
    assert len(traces) == 2
    for (submit, content, record), lane in zip(traces.values(), ("live", "backfill"), strict=True):
        assert [submit.name, content.name, record.name] == list(Step)
        assert submit.parent is None
        assert content.parent is not None
        assert record.parent is not None
        assert (content.parent.span_id, record.parent.span_id) == (submit.context.span_id, content.context.span_id)
        assert _told(submit) == {"outcome": "submitted", "lane": lane}
        assert _told(content) == {"zone": "content", "outcome": "handed_on"}
        assert _told(record) == {"zone": "record", "outcome": "recorded"}
        assert submit.start_time <= content.start_time <= content.end_time <= record.end_time
        assert submit.status.status_code is not StatusCode.ERROR
    assert not connect(site.settings.redis).exists(*map(trace_key, tickets))  # nothing of it is left


def test_a_dead_letter_says_its_code_and_a_failure_only_that_it_was_put_back(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = Fleet(site)
    broken, fine, gone = fleet.submit("a"), fleet.submit("b"), fleet.submit("c")
    connect(site.settings.redis).delete(f"habitus:payload:{gone}")
    monkeypatch.setattr(fleet.content, "open", _breaks)
    with pytest.raises(RuntimeError):
        content_step(fleet.content, broken)
    monkeypatch.setattr(fleet.content, "open", fleet.content_work.open)
    content_step(fleet.content, gone)
    monkeypatch.setattr(fleet.content_work, "hand_on", _is_down)
    with pytest.raises(UnavailableError):
        content_step(fleet.content, fine)
    ends = [_told(span) for span in fleet.finished() if span.name == Step.CONTENT]
    assert ends == [
        {"zone": "content", "outcome": "put_back"},
        {"zone": "content", "outcome": "dead", "code": "PAYLOAD_EXPIRED"},
        {"zone": "content", "outcome": "put_back"},
    ]
    assert all(span.status.status_code is StatusCode.ERROR for span in fleet.finished() if span.name == Step.CONTENT)
    assert not any(span.events or span.status.description for span in fleet.finished())


def _breaks(_: bytes) -> Any:
    raise RuntimeError("canary of an exception")


def _is_down(_: object) -> None:
    raise UnavailableError("canary of an exception")


def test_no_word_of_a_session_and_no_id_is_in_a_span(site: Site) -> None:
    fleet, canaries = Fleet(site), Canaries()
    tickets = [fleet.submit(*(canaries.one() for _ in range(3))) for _ in range(4)]
    connect(site.settings.redis).delete(f"habitus:payload:{tickets[0]}")
    for ticket in tickets:
        content_step(fleet.content, ticket)
    record_step(fleet.record, RECORD_TASK)
    assert len(fleet.finished()) == 11
    for span in fleet.finished():
        for name, value in (span.attributes or {}).items():
            assert value in ALLOWED[name]
        written = json.dumps(json.loads(span.to_json()))
        assert not any(each in written for each in (*canaries.planted, *tickets, "acme", site.tenant("acme")))


def test_without_redis_or_a_context_a_session_goes_on_in_a_trace_of_its_own(site: Site) -> None:
    fleet = Fleet(site)
    ticket = fleet.submit("one")
    connect(site.settings.redis).delete(trace_key(ticket))
    fleet.traces._redis = connect("redis://127.0.0.1:1/0")
    content_step(fleet.content, ticket)
    record_step(fleet.record, RECORD_TASK)
    assert [span.parent for span in fleet.finished()] == [None, None, None]
    assert fleet.ledger.counts().recorded == 1


def test_what_the_sampler_leaves_out_stays_out_in_both_zones(site: Site) -> None:
    fleet = Fleet(site, TracerProvider(sampler=ALWAYS_OFF))
    ticket = fleet.submit("one")
    assert connect(site.settings.redis).get(trace_key(ticket))[-1:] in b"02468ace"  # not sampled
    others = Fleet(site)
    content_step(others.content, ticket)
    record_step(others.record, RECORD_TASK)
    assert others.ledger.counts().recorded == 1
    assert not fleet.finished()
    assert not others.finished()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, False),
    ],
)
def test_the_standard_variables_say_whether_there_are_traces(given: dict[str, str], wanted: bool) -> None:
    assert is_wanted(given) is wanted


class Collector(BaseHTTPRequestHandler):
    """Takes what is exported."""

    taken: list[tuple[str, bytes]] = []  # noqa: RUF012 - of the class, which HTTPServer makes instances of

    def do_POST(self) -> None:
        self.taken.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


def test_a_command_sends_its_span_to_the_collector_before_it_ends(site: Site) -> None:
    Collector.taken.clear()
    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asked = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "NO_PROXY": "*"}
        said = json.dumps({"session_id": "x", "messages": [{"role": "user", "content": "canary-of-a-session"}]})
        subprocess.run(
            [sys.executable, "-m", "habitus_worker", "submit", "-", "--user", "ada"], input=said, text=True, check=True,
            env=environment(site.settings) | asked, capture_output=True, timeout=60,
        )  # fmt: skip
        server.shutdown()
    ((path, body),) = Collector.taken
    assert path == "/v1/traces"
    assert b"habitus.submit" in body
    assert b"canary" not in body


def test_none_are_made_unless_they_are_asked_for(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_wanted(os.environ)
    assert Submitter(site.settings)._traces is None
    fleet = Fleet(site)
    assert isinstance(observed_content(fleet.content_work, site.settings), MeasuredContent)
    assert isinstance(observed_record(fleet.record_work, site.settings), MeasuredRecord)
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    assert isinstance(observed_content(fleet.content_work, site.settings), TracedContent)
    assert isinstance(observed_record(fleet.record_work, site.settings), TracedRecord)
