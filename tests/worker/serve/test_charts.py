"""The charts: every figure is drawn at its size, and the colours can be told from their ground."""

import re
from datetime import date, timedelta
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.codes import Stage
from habitus_worker.serve import pages
from habitus_worker.serve.pages.charts import HEIGHT, LEFT, WIDTH, nice, shade, stacked

DAYS = [date(2026, 1, 1) + timedelta(days=number) for number in range(12)]
SERIES = st.fixed_dictionaries(
    {stage.value: st.dictionaries(st.sampled_from(DAYS), st.integers(0, 10**7)) for stage in Stage}
)


@given(series=SERIES)
def test_bars_are_as_high_as_their_counts_and_stand_upon_one_another(series: dict[str, dict[date, int]]) -> None:
    chart = stacked(DAYS, series)
    counts = {(day, name): n for name, days in series.items() for day, n in days.items() if n}
    assert len(chart.bars) == len(counts)
    top = nice(max((sum(days.get(day, 0) for days in series.values()) for day in DAYS), default=0))
    room = chart.floor - 8
    for bar in chart.bars:
        day, name, figure = re.fullmatch(r"(\S+), (\w+): ([\d,]+)", bar.label).groups()  # type: ignore[union-attr]
        assert counts[date.fromisoformat(day), name] == int(figure.replace(",", ""))
        assert bar.height == pytest.approx(room * int(figure.replace(",", "")) / top, abs=0.11)
        assert bar.x >= LEFT
        assert bar.x + bar.width <= WIDTH
        assert bar.y >= 0
        assert bar.y + bar.height <= HEIGHT
    for day in DAYS:
        column = [bar for bar in chart.bars if bar.label.startswith(day.isoformat())]
        for lower, upper in pairwise(column):
            assert upper.y + upper.height == pytest.approx(lower.y, abs=0.21)


def test_no_days_and_no_lines_draw_an_empty_chart() -> None:
    assert stacked([], {}).bars == ()
    assert stacked(DAYS, {"gate": {}}).bars == ()


@given(highest=st.integers(0, 10**12))
def test_the_scale_ends_at_a_round_number_that_holds_everything(highest: int) -> None:
    top = nice(highest)
    assert top >= highest
    assert top % 2 == 0
    assert top <= max(2, 2.5 * highest)


@given(count=st.integers(0, 10**9), more=st.integers(0, 10**9))
def test_more_is_never_a_lighter_shade(count: int, more: int) -> None:
    highest = count + more or 1
    assert 0 <= shade(count, highest) <= shade(highest, highest) == 5
    assert (shade(count, highest) == 0) == (count == 0)


STYLE = (Path(pages.__file__).parent.parent / "static" / "style.css").read_text()


def _colours(scheme: str) -> dict[str, str]:
    light, _, dark = STYLE.partition("@media (prefers-color-scheme: dark)")
    block = light if scheme == "light" else dark.partition("}\n}")[0]
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", block))


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_can_be_told_from_their_ground(scheme: str) -> None:
    colour = _colours(scheme)
    text = [
        *product(("ink", "soft", "link", "bad"), ("ground", "panel")),
        ("bad", "bad-ground"),
        ("soft", "bad-ground"),
    ]
    text += [("link", "bad-ground"), ("button-ink", "button")]
    text += [("q-low", shade) for shade in ("q1", "q2", "q3")] + [("q-high", shade) for shade in ("q4", "q5")]
    marks = [(stage.value, "ground") for stage in Stage] + [("line", "ground"), ("ignore", "ground")]
    marks += [("support", "ground"), ("drive", "ground")]
    for pairs, least in ((text, 4.5), (marks, 3.0)):
        for one, other in pairs:
            assert _contrast(colour[one], colour[other]) >= least, (one, other)
