"""GET /metrics: the fleet's figures for Prometheus. Every label is one of a closed set."""

from collections.abc import Iterable, Iterator
from threading import Lock

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, func, select

from habitus_schema.codes import Code, stage_of
from habitus_schema.tables import RejectionLine, table
from habitus_worker.measures import Kept
from habitus_worker.serve.access import HasOperator, HasServices
from habitus_worker.serve.services import Services
from habitus_worker.serve.timings import timings

router = APIRouter()
_C = table(RejectionLine).c


class LineCounter:
    """Counts the lines of the log as they come, by code, from the moment it is made.

    PostgreSQL gives ids before a transaction commits, so a line can appear after one with a higher id: each reading
    stops at the highest id of the reading before, by when every earlier one has come.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = Lock()
        self._counts = dict.fromkeys(Code, 0)
        self._done = self._seen = self._highest()

    def counts(self) -> dict[Code, int]:
        """How many of each code were written between the start and the reading before this one."""
        with self._lock:
            highest = self._highest()
            new = select(_C.code, func.count()).where(_C.id > self._done, _C.id <= self._seen).group_by(_C.code)
            for code, count in self._services.database.read(None, lambda c: c.execute(new).all()):
                self._counts[code] += int(count)
            self._done, self._seen = self._seen, highest
            return dict(self._counts)

    def _highest(self) -> int:
        def work(connection: Connection) -> int:
            return connection.scalar(select(func.max(_C.id))) or 0

        return self._services.database.read(None, work)


class FleetCollector(Collector):
    """Reads the figures when Prometheus asks."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lines = LineCounter(services)
        self._kept = Kept(services.settings.redis)

    def describe(self) -> Iterable[Metric]:
        """Nothing is read when the collector is registered."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """The figures of the moment."""
        counts, waiting = self._services.ledger.counts(), self._services.queue.waiting()
        sessions = CounterMetricFamily(
            "habitus_sessions", "Sessions submitted, and how they ended.", labels=["outcome"]
        )
        for outcome in ("submitted", "recorded", "duplicate", "dead"):
            sessions.add_metric([outcome], getattr(counts, outcome))
        yield sessions
        yield _gauge("habitus_sessions_in_flight", "Sessions on their way.", counts.in_flight)
        yield _gauge("habitus_identity_holds", "1 while every session is accounted for.", float(counts.holds))
        yield _gauge("habitus_oldest_session_seconds", "Age of the oldest session in flight.", waiting.oldest)
        yield _gauge("habitus_backlog_limit", "Sessions in flight at which new ones are refused.", self._limit)
        depth = GaugeMetricFamily("habitus_queue_depth", "Tasks that wait.", labels=["queue"])
        for queue, tasks in waiting.depth.items():
            depth.add_metric([queue], tasks)
        yield depth
        sealed = self._services.queue.sealed_bytes()
        yield CounterMetricFamily("habitus_sealed_bytes", "Bytes of sealed sessions that were submitted.", value=sealed)
        yield from timings(self._kept)
        lines = CounterMetricFamily("habitus_rejections", "Lines of the rejection log.", labels=["stage", "code"])
        for code, count in self._lines.counts().items():
            lines.add_metric([stage_of(code).value, code.value], count)
        yield lines

    @property
    def _limit(self) -> float:
        return self._services.settings.max_backlog


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=value)


def make_registry(services: Services) -> CollectorRegistry:
    """A registry with the fleet's figures and nothing of the process."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FleetCollector(services))
    return registry


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(services: HasServices, _: HasOperator) -> Response:
    """The figures in Prometheus's text format. Needs an operator's token."""
    return Response(generate_latest(services.registry), media_type=CONTENT_TYPE_LATEST)
