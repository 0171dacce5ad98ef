"""Charts as SVG, drawn here: bars that the style sheet colours, each with its figure as text.

The chart libraries that draw SVG on a server were looked at: pygal puts a style sheet and a script into each chart,
which the content security policy forbids, and fixed colours, which a dark page cannot change; others need a script.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

WIDTH, HEIGHT, BOTTOM, LEFT = 720, 200, 20, 52
"""Units of the drawing; it scales with the page."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One piece of a stacked bar: a rectangle, the class that colours it, and its figure in words."""

    x: float
    y: float
    width: float
    height: float
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the scale, or a day of the axis, with its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Stacked:
    """Stacked bars, one for each day, ready to be put into a page."""

    bars: tuple[Bar, ...]
    scale: tuple[Mark, ...]
    days: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    floor: int = HEIGHT - BOTTOM


def stacked(days: Sequence[date], series: Mapping[str, Mapping[date, int]]) -> Stacked:
    """Bars of `series` (name, then count by day), stacked in the order of the series."""
    highest = max((sum(counts.get(day, 0) for counts in series.values()) for day in days), default=0)
    top = nice(highest)
    step = (WIDTH - LEFT) / max(len(days), 1)
    bars = [bar for place, day in enumerate(days) for bar in _column(LEFT + place * step, step, day, series, top)]
    shown = [place for place in range(len(days)) if place % max(1, len(days) // 6) == 0]
    return Stacked(
        tuple(bars),
        tuple(Mark(round(_y(value, top), 1), f"{value:,}") for value in (0, top // 2, top)),
        tuple(Mark(round(LEFT + (place + 0.5) * step, 1), f"{days[place]:%d %b}") for place in shown),
    )


def _column(x: float, step: float, day: date, series: Mapping[str, Mapping[date, int]], top: int) -> Iterator[Bar]:
    heights = [0]
    for counts in series.values():
        heights.append(heights[-1] + counts.get(day, 0))
    for name, (low, high) in zip(series, pairwise(heights), strict=True):
        if high > low:
            y, width = _y(high, top), max(step * 0.8, 0.5)
            label = f"{day.isoformat()}, {name}: {high - low:,}"
            yield Bar(round(x, 1), round(y, 1), round(width, 1), round(_y(low, top) - y, 1), name, label)


def _y(value: float, top: int) -> float:
    room = HEIGHT - BOTTOM - 8
    return 8 + room * (1 - value / top)


def nice(highest: int) -> int:
    """The end of a scale that holds `highest`: an even round number of at least 2."""
    size = 1
    while size * 10 < highest:
        size *= 10
    return max(2, next(size * step for step in (1, 2, 4, 6, 8, 10, 20) if size * step >= highest))


def shade(count: int, highest: int) -> int:
    """The shade of a cell of a heat map, 0 (none) to 5 (the most), by powers, since counts are skewed."""
    if not count:
        return 0
    return min(5, 1 + int(4 * (count / highest) ** 0.4 + 1e-9))
