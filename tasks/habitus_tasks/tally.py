"""What the window holds for one dimension, kept up day by day: contexts of each value, and what was said last.

Everything here costs the same however much was said before, so that a habit of years is settled as fast as a new one.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date

from habitus_tasks.rule import PromotionRule


class Tally:
    """Hears votes in the order of their days, and drops those that leave the window.

    Attributes:
        contexts: for each value inside the window, its distinct contexts.
        said: for each value ever heard, the last day it was said on.
        standing: for each value, the last day of a standing statement of general scope.
    """

    def __init__(self, rule: PromotionRule) -> None:
        self._rule = rule
        self.contexts: dict[str, int] = {}
        self.said: dict[str, date] = {}
        self.standing: dict[str, date] = {}
        self._last: dict[tuple[str, str], date] = {}
        self._heard: dict[date, list[tuple[str, str]]] = defaultdict(list)
        self._words: dict[str, tuple[date, set[str]]] = {}
        self._speakers: dict[date, set[str]] = defaultdict(set)

    def hear(self, value: str, context: str, day: date, *, standing: bool = False) -> None:
        """Counts one vote. `day` is never before that of an earlier call, and inside the window."""
        if (value, context) not in self._last:
            self.contexts[value] = self.contexts.get(value, 0) + 1
        self._last[value, context] = self.said[value] = day
        self._heard[day].append((value, context))
        if standing:
            self.standing[value] = day
        spoken, values = self._words.get(context, (day, set[str]()))
        if spoken != day:
            self._silence(context, spoken)
            values = set()
        self._words[context] = day, values | {value}
        self._speakers[day].add(context)

    def move_to(self, today: date) -> None:
        """Drops what is outside the window on `today`."""
        for day in list(self._heard):
            if self._rule.covers(day, today):
                return
            for value, context in self._heard.pop(day):
                if self._last.get((value, context)) == day:
                    del self._last[value, context]
                    self._leave(value)
            for context in list(self._speakers.get(day, ())):
                del self._words[context]
                self._silence(context, day)

    def recent(self) -> str | None:
        """The value that the K most recent contexts all say, with every other context of the K-th one's day."""
        said: set[str] = set()
        speakers = 0
        for day in reversed(self._speakers):
            for context in self._speakers[day]:
                said |= self._words[context][1]
            speakers += len(self._speakers[day])
            if len(said) > 1:
                return None
            if speakers >= self._rule.k:
                return said.pop()
        return None

    def leader(self) -> str | None:
        """The value with at least K contexts and at least K more than every rival."""
        first = max(self.contexts, key=self.contexts.__getitem__, default=None)
        if first is None:
            return None
        second = max((count for value, count in self.contexts.items() if value != first), default=0)
        return first if self.contexts[first] - second >= self._rule.k else None

    def challenged(self, holder: str, today: date) -> date:
        """The last day inside the window of a standing statement for a rival of `holder`; `date.min` for none."""
        rivals: Mapping[str, date] = {value: day for value, day in self.standing.items() if value != holder}
        return max((day for day in rivals.values() if self._rule.covers(day, today)), default=date.min)

    def _leave(self, value: str) -> None:
        self.contexts[value] -= 1
        if not self.contexts[value]:
            del self.contexts[value]

    def _silence(self, context: str, day: date) -> None:
        self._speakers[day].discard(context)
        if not self._speakers[day]:
            del self._speakers[day]
