"""`habitus bench scale` and `footprint`: the arithmetic holds, a day adds up, and what is measured is plausible."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_worker import cli
from habitus_worker.bench.scale import Costs, Load, Prices, arrivals, fleet, simulate, workers_for

COSTS = Costs(60, 30, 8_000, 80, 7, 13_000, 180, 1_000, 90, 3_000)
loads = st.builds(Load, st.integers(1, 10**8), st.floats(1, 2), st.integers(1, 10**7))


@given(loads)
def test_the_minutes_of_a_day_add_up_to_it_and_the_busiest_is_the_peak(load: Load) -> None:
    day = arrivals(load)
    assert sum(day) == pytest.approx(load.sessions)
    assert max(day) == pytest.approx(load.sessions / 1440 * load.peak)
    assert min(day) >= 0


def test_a_peak_that_the_curve_cannot_have_is_refused() -> None:
    with pytest.raises(ValueError, match="peak"):
        arrivals(Load(1000, 2.5, 1))


@given(loads, st.floats(0.1, 500))
def test_workers_for_the_whole_peak_leave_nobody_waiting(load: Load, milliseconds: float) -> None:
    most, _ = simulate(load, workers_for(load, milliseconds, 1.0), milliseconds)
    assert most <= max(arrivals(load)) * 1e-6


@given(loads, st.floats(0.1, 500))
def test_fewer_workers_than_the_peak_takes_catch_up_by_night(load: Load, milliseconds: float) -> None:
    few = workers_for(load, milliseconds, 0.05)
    assert few * 60_000 / milliseconds * 1440 >= load.sessions
    most, longest = simulate(load, few, milliseconds)
    assert most <= load.sessions
    assert longest <= 86_400


def test_a_session_waits_as_long_as_the_workers_stand_still_and_longer() -> None:
    load = Load(10_000_000, 2.0, 1)
    workers = workers_for(load, 60, 1.2)
    waits = [simulate(load, workers, 60, outage)[1] for outage in (0, 10, 30, 60)]
    assert all(before < after for before, after in pairwise(waits))
    assert waits[1] >= 9 * 60


def test_ten_million_sessions_are_what_the_parts_add_up_to() -> None:
    found = fleet(Load(10_000_000, 2.0, 3_000_000), COSTS, Prices(25, 10, 0.2))
    assert found.content_workers == 14  # 231 a second for 60 ms
    assert found.record_workers == 7
    assert found.redis_ended == pytest.approx(70_000_000 * 80 / 1024**3)
    gib = 10.0 * (found.redis_waiting + found.redis_ended) + 0.2 * (found.database + found.log)
    assert found.month == pytest.approx(21 * 25 + gib)
    assert found.each_million == pytest.approx(found.month / 300)


def _lines(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    with pytest.raises(SystemExit) as ended:
        cli.app(["bench", *words, "--json"])
    assert not ended.value.code
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_twice_the_sessions_take_twice_the_database(capsys: pytest.CaptureFixture[str]) -> None:
    (one,), (two,) = (_lines(capsys, "scale", "--sessions", str(n), "--people", "1") for n in (10**6, 2 * 10**6))
    assert two["log"] == pytest.approx(2 * float(str(one["log"])))
    assert two["database"] == pytest.approx(2 * float(str(one["database"])), rel=1e-6)


def test_the_bytes_are_measured_on_real_servers(
    capsys: pytest.CaptureFixture[str], postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HABITUS_DATABASE_URL", postgres_url)
    found = {str(row["of"]): float(str(row["bytes"])) for row in _lines(
        capsys, "footprint", "--sessions", "40", "--people", "2"
    )}  # fmt: skip
    assert 0 < found["sealed"] < found["transcript"]
    assert found["sealed"] < found["waiting on Redis"]
    assert found["ended on Redis"] < found["waiting on Redis"]
    assert all(found[f"row of {name}"] > 50 for name in ("session", "session_message", "observation", "settled"))
