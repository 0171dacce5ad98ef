"""The storm: sessions are handed in while one thing after another breaks; then everything is counted.

What breaks, when (by sessions ended, not by the clock) and which worker it hits follows from the seed. How processes
interleave does not, and need not: the outcome must be the same whatever they do.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from fleet import Fleet, Worker
from people import Few, Given, calm, counted, dump, sessions

from habitus_schema.errors import UnavailableError
from habitus_schema.models import Outcome
from habitus_tasks.jobs import CONTENT_TASK
from habitus_tasks.record import settled_counts
from habitus_tasks.store import open_database
from habitus_worker.app import CONTENT_QUEUE, CONTENT_QUEUES, RECORD_QUEUES, make_app
from habitus_worker.audit import audit
from habitus_worker.desks import call_record_zone, send
from habitus_worker.fleet import Zone
from habitus_worker.handover import Handover
from habitus_worker.keys import load_keys
from habitus_worker.lanes import BacklogFullError, Lane
from habitus_worker.ledger import IN_FLIGHT, Counts, Ledger, connect
from habitus_worker.settings import Settings
from habitus_worker.submitting import Submitter

TWICE = 0.1
"""Share of the sessions that are handed in a second time."""
SKEW_SECONDS = (-7200.0, 7200.0)


@dataclass
class Run:
    """What a run came to."""

    seed: int
    sessions: int
    troubles: Counter[str] = field(default_factory=Counter)
    counts: Counts | None = None
    looks: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


class Storm:
    """One run."""

    def __init__(self, settings: Settings, count: int, seed: int, troubles: int, workers: int = 1) -> None:
        self.settings, self.seed = settings, seed
        self.chance = random.Random(seed)
        self.canaries = Few(random.Random(seed))
        self.given = sessions(count, seed, self.canaries)
        self.keys = load_keys(settings.keys)
        self.result = Run(seed, count)
        self.database_dump = b""
        self.fleet = Fleet(settings, workers)
        self.ledger = Ledger(settings.redis, settings.payload_ttl)
        self.handover = Handover(self.ledger)
        kinds = list(self._kinds())
        # Each kind at least once where there is room, in an order of the seed's choice.
        plan = [kinds[at % len(kinds)] for at in range(troubles)]
        self.plan = list(zip(sorted(self.chance.choices(range(count), k=troubles)), self._shuffled(plan), strict=True))

    def _shuffled(self, plan: list[str]) -> list[str]:
        return self.chance.sample(plan, len(plan))

    def _kinds(self) -> dict[str, Callable[[], None]]:
        return {
            "content worker killed": lambda: self._one(Zone.CONTENT).kill(),
            "record worker killed": lambda: self._one(Zone.RECORD).kill(),
            "Redis killed and restarted": lambda: self.fleet.restart_redis(self.chance.uniform(0, 1)),
            "database outage": self._database_outage,
            "tasks delivered again": self._deliver_again,
            "tasks delayed": self._delay,
            "child killed": lambda: self._one(self.chance.choice([Zone.CONTENT, Zone.RECORD])).kill_child(),
            "worker paused past its visibility": self._pause,
            "worker with a wrong clock": lambda: self._any().kill(self.chance.choice(SKEW_SECONDS)),
        }

    def _one(self, zone: Zone) -> Worker:
        return self.chance.choice(self.fleet.of(zone))

    def _any(self) -> Worker:
        return self.chance.choice(self.fleet.workers)

    def _pause(self) -> None:
        self._any().pause(self.settings.visibility_timeout + 1.5)

    def _database_outage(self) -> None:
        with self.fleet.database_outage():
            time.sleep(self.chance.uniform(0.5, 2.5))

    def _deliver_again(self) -> None:
        app, client = make_app(self.settings), connect(self.settings.redis)
        tickets = [ticket.decode() for ticket in client.zrange(IN_FLIGHT, 0, -1)]
        for ticket in self.chance.sample(tickets, min(5, len(tickets))):
            send(app, CONTENT_TASK, CONTENT_QUEUE, ticket)
            if self.handover.list_kept(ticket):
                self.handover.give_back([ticket], spare=False)  # and another worker has it, too
            for _ in range(2):
                call_record_zone(app, self.chance.choice(list(Lane)))

    def _delay(self) -> None:
        """Takes what lies in the queues, keeps it for a while, and puts it back in another order."""
        client = connect(self.settings.redis)
        held = [(queue, m) for queue in (*CONTENT_QUEUES, *RECORD_QUEUES) for m in client.lpop(queue, 10) or []]
        time.sleep(self.chance.uniform(0.5, 2))
        for queue, message in self.chance.sample(held, len(held)):
            client.lpush(queue, message)

    def run(self, seconds: float) -> Run:
        """Hands everything in, lets everything break, waits until nothing is in flight, and looks at what is there."""
        started = time.monotonic()
        hands = [threading.Thread(target=self._hand_in, args=(share,), daemon=True) for share in self._shares()]
        try:
            for hand in hands:
                hand.start()
            self._until_ended(hands, started + seconds)
            self.result.seconds = time.monotonic() - started
            self._check()
        finally:
            self.fleet.end()
        self._sweep()
        return self.result

    def _shares(self) -> list[list[tuple[Lane, Given]]]:
        again = self.chance.sample(self.given, int(len(self.given) * TWICE))
        everything = [(self.chance.choice(list(Lane)), each) for each in [*self.given, *again]]
        return [everything[at::2] for at in range(2)]

    def _hand_in(self, share: list[tuple[Lane, Given]]) -> None:
        """A client: it tries again until its session is taken. The copy that a lost answer makes is a duplicate."""
        submitters: dict[Lane, Submitter] = {}
        for lane, each in share:
            while True:
                try:
                    if lane not in submitters:
                        submitters[lane] = Submitter(self.settings, lane)
                    submitters[lane].submit(each.transcript, each.caller)
                    break
                except (UnavailableError, BacklogFullError):
                    time.sleep(0.1)

    def _until_ended(self, hands: list[threading.Thread], deadline: float) -> None:
        kinds, plan = self._kinds(), list(self.plan)
        while True:
            handed_in = not any(hand.is_alive() for hand in hands)  # before the look: it must not be older than this
            counts = self._look()
            if counts is not None:
                if plan and plan[0][0] <= counts.recorded:
                    self._break(plan.pop(0)[1], kinds)
                elif handed_in and not counts.in_flight:
                    return
            if time.monotonic() > deadline:
                self.result.faults.append(f"not drained: {counts}")
                return
            for worker in self.fleet.workers:
                worker.revive()
            time.sleep(0.05)

    def _break(self, kind: str, kinds: dict[str, Callable[[], None]]) -> None:
        time.sleep(self.chance.uniform(0, 0.2))
        kinds[kind]()
        self.result.troubles[kind] += 1

    def _look(self) -> Counts | None:
        try:
            counts = self.ledger.counts()
        except UnavailableError:
            return None
        self.result.looks += 1
        if not counts.holds:
            self.result.faults.append(f"the identity does not hold: {counts}")
        return counts

    def _check(self) -> None:
        counts = self.result.counts = self.ledger.counts()
        database = open_database(self.settings.database)
        stored, found = settled_counts(database), counted(database)
        self.database_dump = dump(database)
        database.close()
        expected = {
            "recorded": (counts.recorded, len(self.given)),
            "dead": (counts.dead, 0),
            "recorded in the database": (stored[Outcome.RECORDED], counts.recorded),
            "duplicates in the database": (stored[Outcome.DUPLICATE], counts.duplicate),
        }
        self.result.faults += [
            f"{name}: {is_}, not {should}" for name, (is_, should) in expected.items() if is_ != should
        ]
        for name, rows in calm(self.given, self.keys.ids).items():
            self.result.faults += [f"{name} lacks {row}" for row in rows if row not in found[name]][:3]
            self.result.faults += [f"{name} has {row}" for row in found[name] if row not in rows][:3]

    def _sweep(self) -> None:
        """Redis has ended: all that it held is in its append-only file."""
        found = audit(self.canaries.planted, [self.settings.home], "", [("the database", self.database_dump)])
        self.result.faults += [f"private strings in {place}: {times}" for place, times in found.places]


def verdict(result: Run) -> str:
    """The run as a table."""
    rows = [("seed", result.seed), ("sessions", result.sessions), *sorted(result.troubles.items())]
    if result.counts:
        rows += [("submitted, with those handed in twice", result.counts.submitted)]
        rows += [("recorded", result.counts.recorded), ("duplicate", result.counts.duplicate)]
        rows += [("dead-lettered", result.counts.dead), ("in flight", result.counts.in_flight)]
    rows += [("looks at the identity", result.looks), ("seconds", round(result.seconds))]
    rows += [("faults", "; ".join(result.faults) or "none")]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])
