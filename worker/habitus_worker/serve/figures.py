"""The figures behind the overview: the log's counts, read once and kept a while, so that a page costs what is new.

Days before yesterday seldom change (a backfill, somebody forgotten): they are read anew every ten minutes, the two
latest days every few seconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import date, timedelta
from threading import Lock

from habitus_tasks.log_figures import Summary, summary
from habitus_tasks.store import Database

SETTLED_SECONDS, RECENT_SECONDS = 600.0, 5.0
KEPT = 64
"""Ranges kept at once; the one not asked for longest goes first."""
Range = tuple[str | None, date, date]


class Figures:
    """Summaries of the log. Safe to share between threads."""

    def __init__(self, database: Callable[[], Database], clock: Callable[[], float] = time.monotonic) -> None:
        self._database, self._clock = database, clock
        self._kept: OrderedDict[Range, tuple[float, Summary]] = OrderedDict()
        self._lock = Lock()

    def summary(self, tenant: str | None, since: date, until: date) -> Summary:
        """The summary of the range. Raises what `habitus_tasks.log_figures.summary` raises."""
        recent = max(since, until - timedelta(days=1))
        found = self._part((tenant, recent, until), RECENT_SECONDS)
        if since < recent:
            found = self._part((tenant, since, recent - timedelta(days=1)), SETTLED_SECONDS) + found
        return found

    def _part(self, wanted: Range, seconds: float) -> Summary:
        now = self._clock()
        with self._lock:
            if (kept := self._kept.get(wanted)) and now < kept[0]:
                self._kept.move_to_end(wanted)
                return kept[1]
        tenant, since, last = wanted
        found = summary(self._database(), tenant, since=since, until=last)
        with self._lock:
            self._kept[wanted] = now + seconds, found
            self._kept.move_to_end(wanted)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
