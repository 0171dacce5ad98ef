"""OpenTelemetry traces (extra `otel`): submit, content and record of one session are one trace, with nothing in it.

Off unless the standard ``OTEL_`` variables say where spans go. A span has no attribute but those of `Attributes`, each
of a closed set: no id of a person, a tenant or a session, no ticket, no text, no exception. The W3C trace context of a
session lies beside it on Redis until it is settled, not in a message: what calls the record zone speaks of no session,
and a session that waited its turn, was swept up or was retried has another message than its first.

No session fails for its trace, and none waits: spans leave in a thread of their own.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Required, TypedDict

import redis

from habitus_schema.codes import Code
from habitus_schema.errors import UsageError
from habitus_worker.lanes import Lane
from habitus_worker.redis_address import connect
from habitus_worker.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class Step(StrEnum):
    """The spans of a session, in their order."""

    SUBMIT = "habitus.submit"
    CONTENT = "habitus.content"
    RECORD = "habitus.record"


class End(StrEnum):
    """How a step ended."""

    SUBMITTED = "submitted"
    REFUSED = "refused"
    HANDED_ON = "handed_on"
    PUT_BACK = "put_back"
    RECORDED = "recorded"
    DUPLICATE = "duplicate"
    DEAD = "dead"


class Attributes(TypedDict, total=False):
    """All that a span may say, beside its zone."""

    outcome: Required[End]
    code: Code
    lane: Lane


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the standard variables ask for traces: an OTLP endpoint, or ``OTEL_TRACES_EXPORTER=otlp``."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "")
    return exporter == "otlp" or (not exporter and any(environment.get(name) for name in _ENDPOINTS))


def traces_of(settings: Settings) -> "Traces | None":
    """This process's traces; None when none are asked for. Call it after a fork.

    Raises:
        UsageError: when they are asked for and the extra `otel` is not installed.
    """
    if not is_wanted(os.environ):
        return None
    return Traces(_provider(os.getpid()), settings.redis, settings.payload_ttl)


@cache
def _provider(_process: int) -> "TracerProvider":
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise UsageError("OTEL_ variables ask for traces: install habitus[otel], or unset them") from None
    from celery.signals import worker_process_shutdown

    name = os.environ.get("OTEL_SERVICE_NAME") or "habitus"
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    # A worker's child ends without the interpreter's own farewell.
    worker_process_shutdown.connect(lambda **_: provider.shutdown(), weak=False)
    return provider


class Traces:
    """The traces of one process. Safe to share between threads."""

    def __init__(self, provider: "TracerProvider", url: str, ttl: int) -> None:
        """`ttl`: seconds that a session's context is kept if it never ends."""
        self._tracer = provider.get_tracer("habitus")
        self._redis, self._ttl = connect(url), ttl

    @contextmanager
    def submitting(self, ticket: str, lane: Lane) -> Iterator[None]:
        """A span around the submission of a session."""
        from opentelemetry.trace import SpanKind

        span = self._tracer.start_span(Step.SUBMIT.value, kind=SpanKind.PRODUCER)
        self._keep(ticket, span)
        try:
            yield
        except BaseException:
            self._end(span, {"outcome": End.REFUSED, "lane": lane})
            raise
        self._end(span, {"outcome": End.SUBMITTED, "lane": lane})

    @contextmanager
    def handing_on(self, ticket: str, since: int) -> Iterator[None]:
        """The content zone's span, which began at `since`, around the last step; what follows is its child."""
        (context,) = self._contexts([ticket])
        span = self._start(Step.CONTENT, context, since)
        self._keep(ticket, span)
        try:
            yield
        except BaseException:
            self._end(span, {"outcome": End.PUT_BACK})
            raise
        self._end(span, {"outcome": End.HANDED_ON})

    def ended(self, step: Step, since: int, tickets: Mapping[str, Attributes]) -> None:
        """A span for each of these sessions, from `since` (nanoseconds since the epoch) until now."""
        contexts = self._contexts(list(tickets))
        for attributes, context in zip(tickets.values(), contexts, strict=True):
            self._end(self._start(step, context, since), attributes)

    def forget(self, tickets: Sequence[str]) -> None:
        """Drops the contexts of sessions that have ended."""
        try:
            self._redis.delete(*map(trace_key, tickets))
        except redis.RedisError:
            return  # they expire

    def _start(self, step: Step, context: "Context | None", since: int) -> "Span":
        from opentelemetry.trace import SpanKind

        zone = {"habitus.zone": step.name.lower()}
        kind = SpanKind.CONSUMER
        return self._tracer.start_span(step.value, context=context, kind=kind, attributes=zone, start_time=since)

    @staticmethod
    def _end(span: "Span", attributes: Attributes) -> None:
        from opentelemetry.trace import StatusCode

        for name, value in attributes.items():
            span.set_attribute(f"habitus.{name}", value.name.lower() if isinstance(value, Lane) else str(value))
        if attributes["outcome"] in (End.DEAD, End.PUT_BACK, End.REFUSED):
            span.set_status(StatusCode.ERROR)
        span.end()

    def _keep(self, ticket: str, span: "Span") -> None:
        from opentelemetry.trace import set_span_in_context

        carrier: dict[str, str] = {}
        _propagator().inject(carrier, set_span_in_context(span))
        if parent := carrier.get("traceparent"):
            try:
                self._redis.set(trace_key(ticket), parent, ex=self._ttl)
            except redis.RedisError:
                return  # the spans that follow begin a trace of their own

    def _contexts(self, tickets: Sequence[str]) -> "list[Context | None]":
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                for ticket in tickets:
                    pipe.get(trace_key(ticket))
                found = pipe.execute()
        except redis.RedisError:
            return [None] * len(tickets)
        return [_propagator().extract({"traceparent": each.decode()}) if each else None for each in found]


@cache
def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()


def trace_key(ticket: str) -> str:
    """Where a session's trace context lies until it is settled."""
    return f"habitus:trace:{ticket}"
