"""The rejection log: closed lines, read page by page, of one tenant or of all."""

from datetime import timedelta
from typing import Any

import pytest

from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.detectors import Detector
from habitus_schema.errors import UsageError
from habitus_schema.models import Rejection
from habitus_schema.vocabulary import Dimension
from habitus_tasks import rejections
from habitus_tasks.barriers import DETECTORS

SHORT = "response_density=concise_direct"


def refused(world: Any, name: str, *codes: Code, day: int = 0, **more: Any) -> None:
    world.counts(name, day=day, rejections=tuple(Rejection(code=code, **more) for code in codes))


def codes(page: rejections.Page) -> list[Code]:
    return [line.code for line in page.lines]


@pytest.mark.parametrize("code", list(Code))
def test_every_code_can_be_logged_under_its_own_stage(world: Any, code: Code) -> None:
    refused(world, "a", code)
    (line,) = rejections.query(world.database, world.who[0]).lines
    assert (line.code, line.stage) == (code, stage_of(code))


def test_a_line_holds_what_the_design_lists_and_nothing_else(world: Any) -> None:
    refused(world, "a", Code.PRIVATE_EMAIL, day=3, dimension=Dimension.PREAMBLE, detector="email_address")
    (line,) = rejections.query(world.database, world.who[0]).lines
    record = world.session("a", day=3)
    assert line == rejections.Line(
        id=line.id,
        day=record.day,
        stage=Stage.GATE,
        code=Code.PRIVATE_EMAIL,
        dimension=Dimension.PREAMBLE,
        detector=Detector.EMAIL_ADDRESS,
        tenant=record.tenant,
        session=record.session,
        catalog_version=1,
    )


def test_the_closed_list_of_detectors_is_that_of_the_gate() -> None:
    assert {each.value for each in Detector} == set(DETECTORS)


def test_a_detector_that_is_not_listed_is_logged_without_its_name(world: Any) -> None:
    refused(world, "a", Code.PRIVATE_EMAIL, detector="rex_the_dog")
    (line,) = rejections.query(world.database, world.who[0]).lines
    assert line.detector is None


def test_pages_follow_one_another_without_gap_or_repeat(world: Any) -> None:
    for number in range(25):
        refused(world, f"s{number}", Code.ONE_OFF)
    seen: list[int] = []
    after: int | None = None
    while True:
        page = rejections.query(world.database, world.who[0], after_id=after, limit=10)
        seen += [line.id for line in page.lines]
        if page.next_after is None:
            break
        after = page.next_after
    assert len(seen) == len(set(seen)) == 25
    assert seen == sorted(seen)


def test_lines_are_chosen_by_code_stage_dimension_and_day(world: Any) -> None:
    refused(world, "a", Code.ONE_OFF, Code.PRIVATE_URL, day=1)
    refused(world, "b", Code.ONE_OFF, day=5, dimension=Dimension.PREAMBLE)
    tenant, day = world.who[0], world.session("x", day=5).day

    def chosen(**filters: Any) -> list[Code]:
        return codes(rejections.query(world.database, tenant, **filters))

    assert chosen(code=Code.ONE_OFF) == [Code.ONE_OFF, Code.ONE_OFF]
    assert chosen(stage=Stage.GATE) == [Code.PRIVATE_URL]
    assert chosen(dimension=Dimension.PREAMBLE) == [Code.ONE_OFF]
    assert chosen(since=day) == [Code.ONE_OFF]
    assert chosen(since=day + timedelta(days=1)) == []
    assert chosen(code=Code.ONE_OFF, stage=Stage.GATE) == []


def test_a_tenant_reads_its_own_lines_and_an_operator_all(world: Any) -> None:
    refused(world, "a", Code.ONE_OFF)
    other = type(world)(world.database, world.key, tenant="globex")
    refused(other, "a", Code.WITHDRAWN)
    assert codes(rejections.query(world.database, world.who[0])) == [Code.ONE_OFF]
    assert codes(rejections.query(world.database, other.who[0])) == [Code.WITHDRAWN]
    tenants = {line.tenant for line in rejections.query(world.database, limit=rejections.MAX_PAGE).lines}
    assert {world.who[0], other.who[0]} <= tenants


def test_stats_count_the_most_frequent_first(world: Any) -> None:
    for number in range(3):
        refused(world, f"s{number}", Code.ONE_OFF, day=number)
    refused(world, "t", Code.PRIVATE_URL, day=2)
    tenant = world.who[0]
    assert rejections.stats(world.database, tenant) == [
        (Stage.EXTRACT, Code.ONE_OFF, None, 3),
        (Stage.GATE, Code.PRIVATE_URL, None, 1),
    ]
    late = rejections.stats(world.database, tenant, since=world.session("x", day=2).day)
    assert [count for *_, count in late] == [1, 1]


@pytest.mark.parametrize("limit", [0, -1, rejections.MAX_PAGE + 1])
def test_a_page_has_a_size(world: Any, limit: int) -> None:
    with pytest.raises(UsageError):
        rejections.query(world.database, world.who[0], limit=limit)


def test_a_tenant_by_its_plain_name_is_refused(world: Any) -> None:
    for read in (rejections.query, rejections.stats):
        with pytest.raises(UsageError):
            read(world.database, "acme")
