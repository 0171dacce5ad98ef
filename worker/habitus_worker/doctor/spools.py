"""The spool: does anybody take up what the agents' hooks note down?"""

import time
from collections.abc import Iterator

from habitus_worker.doctor.finding import Finding, bad, ok, warn
from habitus_worker.settings import Settings
from habitus_worker.teardown.spool import Entry, entries, spool_of

ROUNDS = 10
"""Rounds of a worker that an entry may wait before it is worth a word."""


def spool(settings: Settings) -> Iterator[Finding]:
    """How many entries wait, and how long the oldest has. Raises OSError when the spool cannot be read."""
    folder = spool_of(settings.home)
    if folder.exists() and folder.stat().st_mode & 0o077:
        yield bad("spool_mode", "others can read or write the spool", f"chmod 700 {folder}")
    yield _judged(entries(folder), settings)


def _judged(waiting: list[Entry], settings: Settings) -> Finding:
    if not waiting:
        return ok("spool", "empty")
    age = max(0.0, time.time() - min(entry.written for entry in waiting))
    found = f"{len(waiting)} wait, the oldest for {age:.0f} s"
    if broken := sum(entry.body is None for entry in waiting):
        return warn("spool", f"{found}; {broken} are not of our form", "the next round takes them out")
    if age > settings.spool_seconds:
        return bad("spool", f"{found}: stuck", "no worker takes them: leave `habitus up` running, or `habitus drain`")
    if age > ROUNDS * settings.sweep_seconds:
        return warn("spool", found, "transcripts that are not there yet, or no worker: try `habitus drain`")
    return ok("spool", found)
