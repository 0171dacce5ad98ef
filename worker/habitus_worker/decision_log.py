"""Writes the decision log for programs that decide: a sample, counted in memory, and never while a query waits.

The classifier itself only reads. What is counted is a dimension, a policy and a reason; a database that does not take
it costs the counts and nothing else.
"""

import logging
import random
import threading
from collections import Counter
from collections.abc import Callable

from habitus_classifier import Decisions
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.errors import HabitusError
from habitus_tasks.decisions import Kind, note
from habitus_tasks.store import Database
from habitus_worker.days import today

FLUSH_SECONDS = 30.0
"""How long counts wait in memory before they are written."""
_log = logging.getLogger("habitus.decisions")
_log.addHandler(logging.NullHandler())  # a program without logs says nothing of it


class DecisionLog:
    """Counts decisions. Safe to share between threads.

    Args:
        database: opens the database, or gives the one that is open; called from a thread of its own.
        share: of all queries, how many are counted, 0..1.

    Attributes:
        failures: writes that the database did not take.
    """

    def __init__(
        self, database: Callable[[], Database], share: float, chance: Callable[[], float] = random.random
    ) -> None:
        self._database, self._share, self._chance = database, share, chance
        self._counts: Counter[Kind] = Counter()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self.failures = 0

    def note(self, decisions: Decisions) -> None:
        """Counts the decisions of one query, if it is in the sample. Takes microseconds; writes later."""
        if not decisions.items or self._chance() >= self._share:
            return
        kinds = [
            (each.pair.dimension, PolicyWord(each.policy), DecisionReason(each.reason.value))
            for each in decisions.items
        ]
        with self._lock:
            self._counts.update(kinds)
            if self._timer is None:
                self._timer = threading.Timer(FLUSH_SECONDS, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> bool:
        """Writes what was counted; returns whether it was taken. What was not is dropped: it is a sample."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        if not counts:
            return True
        try:
            note(self._database(), counts, today())
        except HabitusError as error:
            self.failures += 1
            _log.warning("decisions were not counted: %s", type(error).__name__)
            return False
        return True
