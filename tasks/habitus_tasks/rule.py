"""The two numbers of the promotion rule."""

from dataclasses import dataclass
from datetime import date, timedelta

from habitus_schema.errors import UsageError

MIN_K = 2
"""Invariant 5: one context is never a habit."""
WINDOW_DAYS = 180


@dataclass(frozen=True, slots=True)
class PromotionRule:
    """K contexts inside a window of days. Evidence counts up to and including the day `window_days` after its own.

    Raises:
        UsageError: when K is not an integer of at least 2, or the window not one of at least 1.
    """

    k: int = MIN_K
    window_days: int = WINDOW_DAYS

    def __post_init__(self) -> None:
        if not isinstance(self.k, int) or self.k < MIN_K:
            raise UsageError("K, the number of distinct task contexts, must be an integer of at least 2")
        if isinstance(self.window_days, bool) or not isinstance(self.window_days, int) or self.window_days < 1:
            raise UsageError("the promotion window must be an integer of at least 1 day")

    def covers(self, day: date, today: date) -> bool:
        """Whether evidence of `day` counts on `today`."""
        return 0 <= (today - day).days <= self.window_days

    def expiry(self, day: date) -> date:
        """The first day on which evidence of `day` no longer counts; the end of the calendar when it is later."""
        room = (date.max - day).days
        return day + timedelta(days=min(self.window_days + 1, room))
