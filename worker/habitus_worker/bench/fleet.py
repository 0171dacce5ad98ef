"""What two workers carry: sessions a second, beside a Celery pipeline of two tasks that do nothing; and how
long a live session takes, alone and while another tenant hands in a long history.

Everything runs on one embedded Redis with AOF. In each rate the queue is filled while the workers stand still, so that
handing in does not compete with them for the cores. The pipeline that does nothing and the fleet without the cost of
extraction take turns, and the share is the median of the turns': what else the machine does hits both.
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
from statistics import median, quantiles
from typing import NamedTuple

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
TURNS = 3
START_SECONDS = 120.0
LOOK_SECONDS = 0.01
_PIPELINES = "habitus_worker.bench.pipelines"
_ZONES = (Zone.CONTENT.value, Zone.RECORD.value)
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rate:
    """Sessions (or chains) a second, and the share of the pipeline that does nothing.

    `memory`: MiB a worker, shared pages divided by who shares them. `processor`: milliseconds of all workers together
    for one session, without Redis and the database. Both 0 where the system does not tell.
    """

    of: str
    a_second: float
    share: float
    memory: float
    processor: float
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


class _Turn(NamedTuple):
    a_second: float
    memory: float
    processor: float


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
    ) -> _Turn:  # fmt: skip
        """What warm workers do with so many."""
        fill(WARM_UP)
        self.drained(is_empty, START_SECONDS)
        for worker in workers:
            os.killpg(worker.pid, signal.SIGSTOP)
        fill(count)
        before = sum(map(_processor, workers))
        for worker in workers:
            os.killpg(worker.pid, signal.SIGCONT)
        seconds = self.drained(is_empty)
        spent = (sum(map(_processor, workers)) - before) * 1000 / count
        return _Turn(count / seconds, sum(map(_memory, workers)) / len(workers), spent)

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
    bench, app = _Bench(settings), noop_app(settings)
    nothing, bare = list[_Turn](), list[_Turn]()
    with bench.workers(_PIPELINES, *NOOP_QUEUES) as idle, bench.workers(_PIPELINES, *_ZONES) as zones:
        for at in range(TURNS):
            say(f"turn {at + 1} of {TURNS}: {count} chains of two tasks that do nothing, {count} sessions")
            nothing.append(bench.rate(idle, count, lambda many: _chains(app, many), bench.is_noop_quiet))
            bare.append(bench.rate(zones, count, lambda many: bench.hand_in(many, "rate"), bench.is_quiet))
            say(f"{bare[-1].a_second:.1f} sessions a second, {nothing[-1].a_second:.1f} chains")
    say(f"{count} sessions with the cost of extraction")
    with bench.workers("habitus_worker", *_ZONES) as zones:
        whole = bench.rate(zones, count, lambda many: bench.hand_in(many, "rate"), bench.is_quiet)
    floor = median(turn.a_second for turn in nothing)
    share = median(turn.a_second / floor.a_second for turn, floor in zip(bare, nothing, strict=True))
    return [
        _rate("two no-op tasks", nothing, 1.0),
        _rate("fleet without extraction", bare, share, RATE_LIMIT),
        _rate("fleet", [whole], whole.a_second / floor),
    ]


def _rate(of: str, turns: list[_Turn], share: float, limit: float | None = None) -> Rate:
    a_second, memory, processor = (median(figures) for figures in zip(*turns, strict=True))
    return Rate(of, a_second, share, memory, processor, limit)


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


def _processor(worker: "subprocess.Popen[bytes]") -> float:
    """Seconds of processor time that a worker and its children have had (Linux; 0 elsewhere)."""
    return sum(_ticks(stat) for stat in (Path(f"/proc/{pid}/stat") for pid in _family(worker))) / os.sysconf(
        "SC_CLK_TCK"
    )


def _ticks(stat: Path) -> int:
    user, system = stat.read_text().rpartition(")")[2].split()[11:13] if stat.exists() else (0, 0)
    return int(user) + int(system)


def _family(worker: "subprocess.Popen[bytes]") -> list[int]:
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    return [worker.pid, *map(int, children.read_text().split())] if children.exists() else []


def _memory(worker: "subprocess.Popen[bytes]") -> float:
    """MiB of a worker and its children, each shared page divided by who shares it (Linux; 0 elsewhere)."""
    pages = [Path(f"/proc/{pid}/smaps_rollup") for pid in _family(worker)]
    lines = [line.split() for page in pages if page.exists() for line in page.read_text().splitlines()]
    return sum(int(line[1]) for line in lines if line[0] == "Pss:") / 1024
