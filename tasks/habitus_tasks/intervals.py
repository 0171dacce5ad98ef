"""The interval of a ratio of two rates of events, from their counts.

Given the sum of two Poisson counts, the second is binomial (Przyborowski and Wilenski, Biometrika 31, 1940), so that
the exact interval of a share (Clopper and Pearson, Biometrika 26, 1934) gives one of the ratio. Where the counts belong
to people, whose habits differ, it is widened to that of a bootstrap over people (Efron, Annals of Statistics 7, 1979).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
RESAMPLES = 2000
_EXACT_MOST = 5000
"""Events above which the normal approximation of the same share is as good: its error is below a thousandth."""
_STEPS = 60
_NEGLIGIBLE = 1e-17


@dataclass(frozen=True, slots=True)
class Rate:
    """So many events in so many sessions."""

    events: int
    sessions: int

    @property
    def per_session(self) -> float | None:
        """Events a session; None without a session."""
        return self.events / self.sessions if self.sessions else None

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.events + other.events, self.sessions + other.sessions)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The second rate over the first, with the ends of its 95 % interval; `high` may be infinite."""

    value: float
    low: float
    high: float


def ratio(before: Rate, after: Rate) -> Ratio | None:
    """`after` over `before`; None when there is no session in one of them, or no event at all."""
    events = before.events + after.events
    if not before.sessions or not after.sessions or not events:
        return None
    low, high = _share(after.events, events)
    exposure = before.sessions / after.sessions
    value = math.inf if not before.events else after.events / before.events * exposure
    return Ratio(value, _odds(low) * exposure, _odds(high) * exposure)


def ratio_over_people(people: Sequence[tuple[Rate, Rate]]) -> Ratio | None:
    """The ratio of the pooled rates; its interval holds both the exact one and the bootstrap's over the people."""
    pooled = ratio(sum((before for before, _ in people), Rate(0, 0)), sum((after for _, after in people), Rate(0, 0)))
    if pooled is None or len(people) < 2:
        return pooled
    low, high = _bootstrap(people)
    return Ratio(pooled.value, min(pooled.low, low), max(pooled.high, high))


def _bootstrap(people: Sequence[tuple[Rate, Rate]]) -> tuple[float, float]:
    import numpy as np  # only here, and heavy

    counts = np.array(
        [(before.events, before.sessions, after.events, after.sessions) for before, after in people], dtype=float
    )
    chance = np.random.default_rng(1)  # the same people give the same interval
    weights = chance.multinomial(len(people), np.full(len(people), 1 / len(people)), size=RESAMPLES)
    first, first_sessions, second, second_sessions = (weights @ counts).T
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (second / second_sessions) / (first / first_sessions)
    ratios = np.nan_to_num(ratios, nan=1.0, posinf=np.inf)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)


def _share(events: int, total: int) -> tuple[float, float]:
    """The Clopper-Pearson interval of the share `events` of `total`."""
    tail = (1 - CONFIDENCE) / 2
    if total > _EXACT_MOST:
        share, spread = events / total, 1.959964 * math.sqrt(events * (total - events) / total**3)
        return max(0.0, share - spread), min(1.0, share + spread)
    low = 0.0 if not events else _root(lambda p: 1 - _at_most(events - 1, total, p), tail)
    high = 1.0 if events == total else 1 - _root(lambda q: _at_most(events, total, 1 - q), tail)
    return low, high


def _root(rising: Callable[[float], float], target: float) -> float:
    """Where a function that rises from 0 to 1 on the unit interval reaches `target`."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < target else (low, middle)
    return (low + high) / 2


def _at_most(events: int, total: int, share: float) -> float:
    """The probability of at most `events` in `total` trials.

    The tail away from the middle is summed, whose terms fall, each by its ratio to the one before.
    """
    if share in (0.0, 1.0):
        return 1.0 if share == 0.0 or events >= total else 0.0
    if events >= total * share:
        return 1 - _tail(total - events - 1, total, 1 - share)
    return _tail(events, total, share)


def _tail(events: int, total: int, share: float) -> float:
    """The same for `events` under the middle."""
    if events < 0:
        return 0.0
    ways = math.lgamma(total + 1) - math.lgamma(events + 1) - math.lgamma(total - events + 1)
    term = math.exp(ways + events * math.log(share) + (total - events) * math.log1p(-share))
    whole, odds = 0.0, (1 - share) / share
    for k in range(events, -1, -1):
        whole += term
        term *= k / (total - k + 1) * odds
        if term < whole * _NEGLIGIBLE:
            break
    return whole


def _odds(share: float) -> float:
    return math.inf if share >= 1 else share / (1 - share)
