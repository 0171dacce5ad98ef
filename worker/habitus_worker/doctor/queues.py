"""The queue: are workers alive? Judged by how long sessions wait and whether any comes through, not by processes."""

import time
from collections.abc import Iterator

from habitus_worker.doctor.finding import Finding, bad, graded, ok, warn
from habitus_worker.ledger import Counts, Ledger
from habitus_worker.serve.queue import Queue
from habitus_worker.settings import Settings

OLD_SECONDS = 900.0
"""Age of the oldest session in flight from which on somebody is to look (so do deploy/alerts.yml)."""
WATCH_SECONDS = 3.0
"""How long it is watched whether anything moves, when the oldest is that old."""
FULL = (80.0, 95.0)
"""Per cent of the backlog at which new sessions are refused."""


def queue(settings: Settings) -> Iterator[Finding]:
    """Whether sessions come through. Raises UnavailableError when Redis does not answer."""
    ledger = Ledger(settings.redis, settings.payload_ttl)
    counts = ledger.counts()
    yield _identity(counts)
    yield _worker(ledger, counts, Queue(settings).waiting().oldest)
    share = 100 * counts.in_flight / settings.max_backlog
    found = f"{counts.in_flight} in flight, {share:.0f} % of what is let in"
    yield graded("backlog", found, share, FULL, "add workers, or raise HABITUS_MAX_BACKLOG if Redis has the memory")
    yield _dead(ledger, counts.dead)


def _identity(counts: Counts) -> Finding:
    if counts.holds:
        return ok("identity", f"{counts.submitted} submitted, all accounted for")
    return bad("identity", "sessions are unaccounted for", "stop the workers and run `habitus status`")


def _worker(ledger: Ledger, before: Counts, oldest: float) -> Finding:
    if not before.in_flight:
        return ok("worker", "nothing waits")
    found = f"the oldest session has waited for {oldest:.0f} s"
    if oldest <= OLD_SECONDS:
        return ok("worker", found)
    if _moves(ledger, before):
        return warn("worker", f"{found}, and others come through", "a backfill? else add workers")
    return bad("worker", f"{found}, and nothing comes through", "is a worker of each zone running? see their logs")


def _moves(ledger: Ledger, before: Counts) -> bool:
    deadline = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < deadline:
        now = ledger.counts()
        if (now.recorded, now.duplicate, now.dead) != (before.recorded, before.duplicate, before.dead):
            return True
        time.sleep(0.1)
    return False


def _dead(ledger: Ledger, ever: int) -> Finding:
    """`ever`: with those that were dropped. What can be sent again only for a time is worth a warning."""
    letters = ledger.dead_letters()
    retriable = ledger.retriable(letters)
    gone = f", {len(letters) - retriable} expired" if len(letters) > retriable else ""
    since = f"{gone}, {ever} since the start" if ever else ""
    if not retriable:
        return ok("dead_letters", f"none to send again{since}")
    found = f"{retriable} can be sent again{since}"
    return warn("dead_letters", found, "see `habitus deadletters list`, then retry or drop")
