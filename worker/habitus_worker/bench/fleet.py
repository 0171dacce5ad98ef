"""What two workers carry: sessions a second, beside a Celery pipeline of two tasks that do nothing; and how
long a live session takes, alone and while another tenant hands in a long history.

Everything runs on one embedded Redis with AOF. In each rate the queue is filled while the workers stand still, so that
handing in does not compete with them for the cores.
"""

import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import quantiles

from celery import Celery, chain

from habitus_schema.errors import HabitusError
from habitus_schema.transcript import Transcript
from habitus_tasks.parse import read_session
from habitus_tasks.pipeline import Caller
from habitus_worker.bench.pipelines import NOOP, NOOP_QUEUES, noop_app
from habitus_worker.bench.sessions import sessions
from habitus_worker.embedded import stop
from habitus_worker.fleet import Zone, environment
from habitus_worker.lanes import Lane
from habitus_worker.ledger import IN_FLIGHT, Ledger, connect
from habitus_worker.settings import Settings
from habitus_worker.submitting import Submitter

RATE_LIMIT = 0.5
"""Of the pipeline that does nothing, what the fleet must reach without the cost of extraction."""
LATENCY_LIMIT = 2.0
"""How much longer 95 of 100 live sessions may take while another tenant hands a history in."""
DIFFERENT = 60
"""Sessions with different words; each is handed in under many names."""
WARM_UP = 10
START_SECONDS = 120.0
LOOK_SECONDS = 0.002
_ZONES = (Zone.CONTENT.value, Zone.RECORD.value)
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rate:
    """Sessions (or chains) a second, and the share of the pipeline that does nothing. Memory: MiB a worker, shared
    pages divided by who shares them; 0 where the system does not tell.
    """

    of: str
    a_second: float
    share: float
    memory: float
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it is fast enough."""
        return self.limit is None or self.share >= self.limit


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds from handing in to recorded; `times_idle`: of 95 of 100, over those of an idle fleet."""

    of: str
    median: float
    p95: float
    times_idle: float
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """Whether a history in the way costs no more than it may."""
        return self.limit is None or self.times_idle <= self.limit


class _Bench:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ledger = Ledger(settings.redis, settings.payload_ttl)
        self.client = connect(settings.redis)
        self.chance = random.Random(1)  # noqa: S311 - which session comes next is no secret
        self.read: list[Transcript] = [read_session(each, None) for each in sessions(DIFFERENT, 1)]

    def hand_in(self, count: int, tenant: str, lane: Lane = Lane.LIVE) -> list[str]:
        """So many sessions of as many people, each with words of its own kind and a name of its own."""
        submitter = Submitter(self.settings, lane)
        tickets = []
        for _ in range(count):
            who = secrets.token_hex(8)
            tickets.append(submitter.submit(self.chance.choice(self.read), Caller(who, tenant, who, date(2026, 11, 1))))
        return tickets

    @contextmanager
    def workers(self, module: str, *kinds: str) -> Iterator[list["subprocess.Popen[bytes]"]]:
        """One worker process for each kind."""
        with ExitStack() as stack, (self.settings.home / "worker.log").open("ab") as log:
            started = []
            for kind in kinds:
                words = ["-m", module, *(["worker", "--zone"] if module == "habitus_worker" else []), kind]
                started.append(
                    subprocess.Popen(
                        [sys.executable, *words], env=environment(self.settings), stdin=subprocess.DEVNULL,
                        stdout=log, stderr=log, start_new_session=True,
                    )
                )  # fmt: skip
                stack.callback(stop, started[-1])
            yield started

    def drained(self, is_empty: Callable[[], bool], seconds: float = 3600.0) -> float:
        """Waits until it is; returns the seconds that took."""
        begin = time.perf_counter()
        while not is_empty():
            if time.perf_counter() - begin > seconds:
                raise HabitusError("the workers do not work: see worker.log in the scratch folder")
            time.sleep(LOOK_SECONDS)
        return time.perf_counter() - begin

    def rate(
        self, workers: list["subprocess.Popen[bytes]"], count: int, fill: Callable[[int], object],
        is_empty: Callable[[], bool],
    ) -> tuple[float, float]:  # fmt: skip
        """Sessions a second of warm workers, and the memory of one in MiB."""
        fill(WARM_UP)
        self.drained(is_empty, START_SECONDS)
        for worker in workers:
            os.killpg(worker.pid, signal.SIGSTOP)
        fill(count)
        for worker in workers:
            os.killpg(worker.pid, signal.SIGCONT)
        seconds = self.drained(is_empty)
        return count / seconds, sum(map(_memory, workers)) / len(workers)

    def is_quiet(self) -> bool:
        """Whether every session is settled."""
        return not self.ledger.counts().in_flight

    def is_noop_quiet(self) -> bool:
        """Whether no task waits and none is held."""
        with self.client.pipeline(transaction=True) as pipe:
            for queue in NOOP_QUEUES:
                pipe.llen(queue)
            pipe.hlen("unacked")
            return not any(pipe.execute())

    def live(self, count: int, pause: float) -> list[float]:
        """Seconds that each of so many live sessions of one tenant took, handed in one by one."""
        taken = []
        for _ in range(count):
            time.sleep(self.chance.uniform(0, 2 * pause))
            begin = time.perf_counter()
            (ticket,) = self.hand_in(1, "live")
            self.drained(lambda ticket=ticket: self.client.zscore(IN_FLIGHT, ticket) is None, START_SECONDS)  # type: ignore[misc]
            taken.append(time.perf_counter() - begin)
        return taken


def measure_rates(settings: Settings, count: int, say: Say) -> list[Rate]:
    """Sessions a second: of the pipeline that does nothing, of the fleet without and with the cost of extraction."""
    bench = _Bench(settings)
    say(f"{count} chains of two tasks that do nothing")
    app = noop_app(settings)
    with bench.workers("habitus_worker.bench.pipelines", *NOOP_QUEUES) as workers:
        noop, memory = bench.rate(workers, count, lambda many: _chains(app, many), bench.is_noop_quiet)
    rates = [Rate("two no-op tasks", noop, 1.0, memory)]
    for of, module, limit in (
        ("fleet without extraction", "habitus_worker.bench.pipelines", RATE_LIMIT),
        ("fleet", "habitus_worker", None),
    ):
        say(f"{count} sessions: {of}")
        with bench.workers(module, *_ZONES) as workers:
            found, memory = bench.rate(workers, count, lambda many: bench.hand_in(many, "rate"), bench.is_quiet)
        rates.append(Rate(of, found, found / noop, memory, limit))
        say(f"{found:.1f} a second, {found / noop:.2f} of {noop:.1f} no-op chains")
    return rates


def measure_latency(settings: Settings, samples: int, backfill: int, say: Say) -> list[Latency]:
    """How long live sessions take on an idle fleet, and while another tenant's history of `backfill` sessions waits.

    Raises:
        HabitusError: when the history was through before the samples were.
    """
    bench = _Bench(settings)
    with bench.workers("habitus_worker", *_ZONES):
        bench.hand_in(WARM_UP, "live")
        bench.drained(bench.is_quiet, START_SECONDS)
        say(f"{samples} live sessions, one by one, on an idle fleet")
        idle = bench.live(samples, 0.05)
        say(f"{backfill} sessions of another tenant handed in")
        bench.hand_in(backfill, "history", Lane.BACKFILL)
        say(f"{samples} live sessions meanwhile")
        busy = bench.live(samples, 0.05)
        left = bench.ledger.counts().in_flight
        say(f"{left} sessions of the history left")
        if not left:
            raise HabitusError("the history was too short for so many samples: raise --backfill")
    alone, beside = _latency("idle fleet", idle), _latency(f"beside a history of {backfill}", busy)
    return [
        Latency(*alone, 1.0),
        Latency(*beside, beside[2] / alone[2], LATENCY_LIMIT),
    ]


def _latency(of: str, seconds: list[float]) -> tuple[str, float, float]:
    cuts = quantiles(seconds, n=20, method="inclusive")
    return of, cuts[9] * 1000, cuts[18] * 1000


def _chains(app: Celery, count: int) -> None:
    with app.connection_for_write() as connection:
        for _ in range(count):
            steps = [app.signature(NOOP, queue=queue, ignore_result=True) for queue in NOOP_QUEUES]
            chain(*steps, app=app).apply_async(connection=connection, argsrepr="-", ignore_result=True)


def _memory(worker: "subprocess.Popen[bytes]") -> float:
    """MiB of a worker and its children, each shared page divided by who shares it (Linux; 0 elsewhere)."""
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    if not children.exists():
        return 0.0
    pages = [Path(f"/proc/{pid}/smaps_rollup") for pid in (worker.pid, *children.read_text().split())]
    lines = [line.split() for page in pages if page.exists() for line in page.read_text().splitlines()]
    return sum(int(line[1]) for line in lines if line[0] == "Pss:") / 1024
