"""The votes of one session: which of what it says counts, in which context, and on which day. On both databases."""

from dataclasses import FrozenInstanceError, fields
from datetime import date, timedelta
from typing import Any

import pytest

from habitus_schema.codes import Code
from habitus_schema.models import Outcome, Rejection, Scope
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.count import Count

SHORT, LONG = "response_density=concise_direct", "response_density=detailed_explanatory"
TABLES, NO_TABLES = "table_usage=prefer", "table_usage=avoid"
BULLETS = "list_style=bullets"


def _days(world: Any) -> dict[str, date]:
    """Pair to the first day of its evidence."""
    found = profile.explain(world.database, *world.who, world.rule, today=world.today)
    return {str(each.pair): each.first_day for each in found}


def test_a_count_is_frozen() -> None:
    counted = Count(*((),) * len(fields(Count)))
    with pytest.raises(FrozenInstanceError):
        counted.pairs = ()  # type: ignore[misc]
    assert not hasattr(counted, "__dict__")


def test_a_longer_version_of_a_session_replaces_its_votes(world: Any) -> None:
    world.counts("a", SHORT, messages="xy", day=1)
    world.counts("b", SHORT, day=2)
    assert world.pairs() == {SHORT}
    assert world.counts("a", BULLETS, messages="xyz", day=3) is Outcome.RECORDED
    assert world.profile() == {}
    world.counts("c", BULLETS, day=4)
    assert world.pairs() == {BULLETS}


def test_a_session_in_parts_is_one_context_and_its_last_word_counts(world: Any) -> None:
    world.counts("a", SHORT, BULLETS, messages="xy", day=1)
    world.counts("a", LONG, messages="zw", day=2)
    assert world.profile() == {}
    world.counts("b", SHORT, BULLETS, day=3)
    assert world.pairs() == {BULLETS}
    world.counts("c", LONG, day=4)
    world.counts("d", LONG, day=5)
    assert LONG in world.pairs()


def test_an_earlier_part_that_arrives_late_only_fills_what_the_later_one_left_open(world: Any) -> None:
    world.counts("a", LONG, messages="zw", day=2)
    world.counts("a", SHORT, BULLETS, messages="xy", day=1)
    world.counts("b", LONG, BULLETS, day=3)
    assert world.pairs() == {LONG, BULLETS}


def test_a_part_that_takes_a_wish_back_withdraws_the_vote_of_the_earlier_part(world: Any) -> None:
    world.counts("a", SHORT, messages="xy", day=1)
    withdrawn = Rejection(code=Code.WITHDRAWN, dimension=Dimension.RESPONSE_DENSITY)
    world.counts("a", messages="zw", day=2, rejections=(withdrawn,))
    world.counts("b", SHORT, day=3)
    assert world.profile() == {}


def test_what_an_earlier_part_says_against_the_later_one_is_no_vote(world: Any) -> None:
    world.counts("a", LONG, messages="zw", day=2)
    world.counts("a", SHORT, messages="xy", day=1)
    assert set(_days(world)) == {LONG}


@pytest.mark.parametrize(
    "said", [Rejection(code=Code.ONE_OFF, dimension=Dimension.RESPONSE_DENSITY), Rejection(code=Code.WITHDRAWN)]
)
def test_only_a_wish_taken_back_in_its_own_dimension_withdraws_a_vote(world: Any, said: Rejection) -> None:
    world.counts("a", SHORT, messages="xy", day=1)
    world.counts("a", messages="zw", day=2, rejections=(said,))
    world.counts("b", SHORT, day=3)
    assert world.pairs() == {SHORT}


def test_the_last_word_in_one_dimension_of_one_record_counts(world: Any) -> None:
    both = world.says(LONG, message="a-2"), world.says(SHORT, message="a-1")
    world.counts("a", *both, day=1)
    world.counts("b", LONG, day=2)
    assert world.pairs() == {LONG}


def test_evidence_about_one_entity_is_one_context_however_many_sessions_give_it(world: Any) -> None:
    for number in range(5):
        world.counts(f"n{number}", world.says(TABLES, entity="northwind"), day=number)
    assert world.profile() == {}
    assert world.log().count(("ENTITY_COUPLED", "table_usage")) == 4
    world.counts("other", world.says(TABLES, entity="contoso"), day=6)
    assert world.pairs() == {TABLES}


def test_one_session_is_one_vote_for_a_pair_even_when_it_is_general_and_about_an_entity(world: Any) -> None:
    world.counts("a", TABLES, world.says(TABLES, entity="northwind"))
    assert world.profile() == {}


def test_what_is_said_in_general_and_about_an_entity_counts_in_general(world: Any) -> None:
    world.counts("a", world.says(TABLES, entity="northwind"), TABLES)
    assert world.counts("b", world.says(TABLES, entity="northwind")) is Outcome.RECORDED
    assert world.pairs() == {TABLES}


def test_an_entity_is_no_context_of_what_is_general(world: Any) -> None:
    general = world.says(TABLES, entity="northwind").model_copy(update={"scope": Scope.GENERAL})
    world.counts("a", general, day=1)
    world.counts("b", general, day=2)
    assert world.profile() == {TABLES: (2, "promoted")}


def test_what_was_said_on_an_earlier_day_keeps_that_day_when_the_session_goes_on(world: Any) -> None:
    world.counts("a", world.says(SHORT, message="x"), messages="x", day=1)
    world.counts("a", world.says(SHORT, message="x"), messages="xy", day=40)
    world.counts("b", SHORT, messages=(), day=2)
    (row,) = profile.show(world.database, *world.who, today=world.today)
    start = world.session("x").day
    assert (row.first_day, row.last_day) == (start + timedelta(days=1), start + timedelta(days=2))


def test_a_wish_of_no_known_message_keeps_its_first_day_and_one_of_a_new_message_has_the_new_day(world: Any) -> None:
    world.counts("a", SHORT, world.says(BULLETS, message="x"), messages="x", day=1)
    world.counts("a", SHORT, world.says(BULLETS, message="y"), messages="xy", day=40)
    start = world.session("x").day
    assert _days(world) == {SHORT: start + timedelta(days=1), BULLETS: start + timedelta(days=40)}
