"""Paging through the log by day, its counts, and both on either database."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.errors import UsageError
from habitus_schema.models import Rejection
from habitus_schema.tables import RejectionLine, table
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_figures import counts, share_refused, stats, summary
from habitus_tasks.log_reading import MAX_PAGE, Line, Wanted, listed

NAMED = (Dimension.PREAMBLE, Dimension.PLANNING, None)


@pytest.fixture
def written(world: Any) -> list[Line]:
    """Ninety lines of every stage on eleven days, which came in no order, as the log then has them."""
    codes = list(Code)
    for number in range(30):
        lines = tuple(
            Rejection(
                code=codes[(number * 3 + each) % len(codes)],
                dimension=NAMED[(number + each) % 3],
                detector=[None, Detector.IBAN.value, Detector.URL.value][number % 3],
            )
            for each in range(3)
        )
        world.counts(f"s{number}", day=(number * 7) % 11, rejections=lines)
    return _everything(world, Wanted())


def _everything(world: Any, wanted: Wanted, *, newest_first: bool = False, limit: int = MAX_PAGE) -> list[Line]:
    lines, after = list[Line](), None
    while True:
        page = listed(world.database, world.who[0], wanted, after=after, newest_first=newest_first, limit=limit)
        assert len(page.lines) <= limit
        lines += page.lines
        after = page.next_place
        if after is None:
            return lines


def test_lines_come_in_the_order_of_their_days_whatever_order_they_were_written_in(written: list[Line]) -> None:
    assert len(written) == 90
    assert [(line.day, line.id) for line in written] == sorted((line.day, line.id) for line in written)
    assert [line.id for line in written] != sorted(line.id for line in written)


@pytest.mark.parametrize("limit", [6, 90, 91])
@pytest.mark.parametrize("newest_first", [False, True])
def test_pages_of_any_size_follow_one_another_without_gap_or_repeat(
    world: Any, written: list[Line], limit: int, newest_first: bool
) -> None:
    found = _everything(world, Wanted(), newest_first=newest_first, limit=limit)
    assert found == (written[::-1] if newest_first else written)


def _matches(line: Line, wanted: Wanted) -> bool:
    pairs = ((wanted.code, line.code), (wanted.stage, line.stage), (wanted.dimension, line.dimension))
    pairs += ((wanted.detector, line.detector),)  # type: ignore[assignment]
    inside = (wanted.since is None or line.day >= wanted.since) and (wanted.until is None or line.day <= wanted.until)
    return inside and all(asked in (None, given) for asked, given in pairs)


def test_every_filter_alone_and_with_another_gives_exactly_its_lines(world: Any, written: list[Line]) -> None:
    day = written[40].day
    alone: list[dict[str, Any]] = [
        {}, {"code": Code.ONE_OFF}, {"stage": Stage.GATE}, {"dimension": Dimension.PLANNING},
        {"detector": Detector.IBAN}, {"since": day}, {"until": day}, {"since": day, "until": day},
        {"code": Code.PRIVATE_URL}, {"stage": Stage.QUEUE},
    ]  # fmt: skip
    for first, second in [*zip(alone, alone, strict=True), *zip(alone, alone[3:] + alone[:3], strict=True)]:
        wanted = Wanted(**(first | second))
        assert _everything(world, wanted, limit=13) == [line for line in written if _matches(line, wanted)], wanted


def test_a_page_has_a_size(world: Any) -> None:
    for limit in (0, MAX_PAGE + 1):
        with pytest.raises(UsageError):
            listed(world.database, world.who[0], Wanted(), limit=limit)


def test_the_counts_are_those_of_the_lines(world: Any, written: list[Line]) -> None:
    day = written[40].day
    for since, until in ((None, None), (day, None), (None, day), (day, day)):
        inside = [line for line in written if _matches(line, Wanted(since=since, until=until))]
        found = counts(world.database, world.who[0], since=since, until=until)
        assert {(c.day, c.code, c.dimension): c.count for c in found} == _tally(
            (line.day, line.code, line.dimension) for line in inside
        )
        summed = summary(world.database, world.who[0], since=since, until=until)
        assert dict(summed.days) == _tally((line.day, line.code) for line in inside)
        assert dict(summed.places) == _tally((line.dimension, line.code) for line in inside if line.dimension)
    assert all(stage is stage_of(code) for stage, code, *_ in stats(world.database, world.who[0]))


def _tally(keys: Any) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return found


def test_two_summaries_add_up(world: Any, written: list[Line]) -> None:
    day, tenant = written[40].day, world.who[0]
    parts = summary(world.database, tenant, until=day), summary(world.database, tenant, since=day + timedelta(days=1))
    assert parts[0] + parts[1] == summary(world.database, tenant)


def test_the_share_of_sessions_with_a_refusal_leaves_out_what_only_waits(world: Any) -> None:
    world.counts("waits", "emoji_usage=none", day=1)  # below K: deferred, not refused
    world.counts("refused", day=1, rejections=(Rejection(code=Code.ONE_OFF), Rejection(code=Code.WITHDRAWN)))
    world.counts("quiet", day=2)
    share = share_refused(world.database, world.who[0])
    assert (share.sessions, share.refused) == (3, 1)
    start = world.session("x", day=2).day
    assert share_refused(world.database, world.who[0], since=start).refused == 0


def test_a_page_is_cut_from_an_index_and_no_line_is_sorted(world: Any, written: list[Line]) -> None:
    """On SQLite, whose plan is short enough to read: each range of codes is a search of the index by code and day."""
    if world.database.engine.dialect.name != "sqlite":
        plan = world.database.read(None, lambda c: c.exec_driver_sql("SELECT indexdef FROM pg_indexes").scalars().all())
        assert any("(tenant, code, day, id)" in line for line in plan)
        return
    c = table(RejectionLine).c
    query = select(c.id).where(c.tenant == "t", c.code == Code.ONE_OFF).order_by(c.day.desc(), c.id.desc()).limit(5)
    text = str(query.compile(world.database.engine, compile_kwargs={"literal_binds": True}))
    plan = world.database.read(None, lambda each: each.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all())
    said = " ".join(str(row[3]) for row in plan)
    assert "ix_rejection_tenant_code_day_id" in said
    assert "TEMP B-TREE" not in said
