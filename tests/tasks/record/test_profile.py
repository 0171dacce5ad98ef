"""The person's say over the profile, and what they may read of it. On both databases."""

import json
from datetime import timedelta
from typing import Any

import pytest

from habitus_schema import catalog
from habitus_schema.models import Outcome, Signal, Status
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.promote import Reason

SHORT, LONG = "response_density=concise_direct", "response_density=detailed_explanatory"
BULLETS, PROSE, NUMBERED = "list_style=bullets", "list_style=prose", "list_style=numbered"


def pair(text: str) -> Pair:
    dimension, value = text.split("=")
    return Pair(dimension=Dimension(dimension), value=value)


def do(world: Any, verb: str, text: str) -> bool:
    act = getattr(profile, verb)
    if verb == "unblock":
        return act(world.database, *world.who, pair(text))
    return act(world.database, *world.who, pair(text), world.rule, today=world.today)


def why(world: Any) -> dict[str, profile.Explanation]:
    return {str(each.pair): each for each in profile.explain(world.database, *world.who, world.rule, today=world.today)}


def test_a_pinned_pair_is_in_the_profile_without_evidence(world: Any) -> None:
    assert do(world, "pin", SHORT)
    assert world.profile() == {SHORT: (0, "promoted")}
    assert not do(world, "pin", SHORT), "it was pinned already"


def test_a_pinned_pair_is_neither_displaced_nor_contested_by_rivals(world: Any) -> None:
    do(world, "pin", SHORT)
    for day in range(4):
        world.counts(f"s{day}", world.says(LONG, signal=Signal.STANDING), day=day)
    assert world.profile() == {SHORT: (0, "promoted")}
    assert ("CONFLICTING_EVIDENCE", "response_density") in world.log()
    assert why(world)[LONG].reason is Reason.HELD_BACK


def test_a_pin_takes_the_place_of_the_promoted_rival(world: Any) -> None:
    world.counts("a", LONG, day=1)
    world.counts("b", LONG, day=2)
    do(world, "pin", SHORT)
    assert world.pairs() == {SHORT}
    do(world, "unpin", SHORT)
    assert world.profile() == {LONG: (2, "promoted")}


def test_a_pin_never_expires(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    do(world, "pin", SHORT)
    world.today += timedelta(days=1000)
    world.counts("c", BULLETS, day=1050)
    assert world.pairs() == {SHORT}
    do(world, "unpin", SHORT)
    assert world.pairs() == set()


def test_unpinning_what_is_not_pinned_changes_nothing(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert not do(world, "unpin", SHORT)
    assert world.pairs() == {SHORT}


def test_an_unpinned_pair_stays_when_the_rule_promotes_it(world: Any) -> None:
    do(world, "pin", SHORT)
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert do(world, "unpin", SHORT)
    assert world.profile() == {SHORT: (2, "promoted")}


def test_a_removed_pair_has_to_be_learned_anew_from_new_sessions(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert do(world, "remove", SHORT)
    assert world.pairs() == set()
    assert world.counts("a", SHORT, day=1) is Outcome.DUPLICATE
    world.counts("c", SHORT, day=3)
    assert world.pairs() == set()
    world.counts("d", SHORT, day=4)
    assert world.profile() == {SHORT: (2, "promoted")}
    assert not do(world, "remove", LONG), "there was nothing to remove"


def test_a_blocked_pair_is_not_learned_and_each_session_says_so_once(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert do(world, "block", SHORT)
    assert not do(world, "block", SHORT)
    for day in (3, 4, 5):
        world.counts(f"s{day}", SHORT, BULLETS, day=day)
    assert world.pairs() == {BULLETS}
    assert world.log().count(("BLOCKED_BY_PERSON", "response_density")) == 3
    assert why(world)[SHORT].reason is Reason.BLOCKED
    assert why(world)[SHORT].status is None


def test_an_unblocked_pair_is_learned_from_sessions_yet_to_come(world: Any) -> None:
    do(world, "block", SHORT)
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    assert do(world, "unblock", SHORT)
    assert not do(world, "unblock", SHORT)
    world.counts("c", SHORT, day=3)
    assert world.pairs() == set()
    world.counts("d", SHORT, day=4)
    assert world.pairs() == {SHORT}


def test_the_last_word_of_pin_and_block_counts(world: Any) -> None:
    do(world, "pin", SHORT)
    do(world, "block", SHORT)
    assert world.pairs() == set()
    do(world, "pin", SHORT)
    assert world.pairs() == {SHORT}
    world.counts("a", SHORT, day=1)
    assert ("BLOCKED_BY_PERSON", "response_density") not in world.log()


def test_explain_gives_contexts_days_signals_rivals_and_the_reason(world: Any) -> None:
    world.counts("a", world.says(SHORT, signal=Signal.STANDING), day=1)
    world.counts("b", SHORT, day=2)
    world.counts("c", SHORT, day=3)
    world.counts("d", LONG, day=4)
    world.counts("e", BULLETS, day=5)
    explained = why(world)
    short = explained[SHORT]
    start = world.session("x").day
    assert (short.contexts, short.first_day, short.last_day) == (3, start + timedelta(1), start + timedelta(3))
    assert short.signals == (Signal.CORRECTION, Signal.STANDING)
    assert short.rivals == ((pair(LONG), 1),)
    assert (short.status, short.reason) == (Status.PROMOTED, Reason.LEADS)
    assert (explained[LONG].status, explained[LONG].reason) == (None, Reason.BELOW_K)
    assert explained[BULLETS].rivals == ()


@pytest.mark.parametrize(
    ("days", "looked_at", "reason"),
    [
        ([(1, SHORT), (2, LONG), (3, LONG)], 4, Reason.RECENT),
        ([(1, LONG), (2, LONG), (3, SHORT)], 4, Reason.INCUMBENT),
        ([(1, SHORT), (2, LONG), (3, SHORT), (4, LONG)], 5, Reason.HELD_BACK),
        ([(1, LONG), (2, LONG)], 400, Reason.EXPIRED),
    ],
)
def test_explain_names_each_reason(world: Any, days: list[tuple[int, str]], looked_at: int, reason: Reason) -> None:
    world.today = world.session("x").day + timedelta(days=looked_at)
    for day, said in days:
        world.counts(f"s{day}", said, day=day)
    assert why(world)[LONG].reason is reason


def test_a_value_that_has_expired_is_not_shown_even_before_anything_else_is_recorded(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    (row,) = profile.show(world.database, *world.who, today=world.today)
    assert row.expires is not None
    assert profile.show(world.database, *world.who, today=row.expires - timedelta(days=1)) == (row,)
    assert profile.show(world.database, *world.who, today=row.expires) == ()
    assert profile.refresh(world.database, *world.who, world.rule, today=row.expires) == ()


def test_a_session_in_one_dimension_lets_an_expired_value_of_another_go(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    world.today += timedelta(days=300)
    world.counts("c", BULLETS, day=350)
    assert profile.show(world.database, *world.who, today=world.session("x").day) == ()


def test_refresh_promotes_a_value_whose_rival_has_expired(world: Any) -> None:
    for name, (day, said) in enumerate([(1, LONG), (9, SHORT), (9, SHORT), (9, SHORT), (9, LONG)]):
        world.counts(f"s{name}", said, day=day)
    assert world.pairs() == set()
    later = world.session("x").day + timedelta(days=182)
    assert [str(row.pair) for row in profile.refresh(world.database, *world.who, world.rule, today=later)] == [SHORT]


def test_the_profile_is_shown_in_the_order_of_the_catalog(world: Any) -> None:
    for text in (SHORT, BULLETS, "planning=plan_first", "code_fence_style=quad_backtick"):
        do(world, "pin", text)
    order = [str(each) for each in catalog.all_pairs()]
    shown = [str(row.pair) for row in profile.show(world.database, *world.who, today=world.today)]
    assert shown == sorted(shown, key=order.index)


def test_export_is_plain_json_in_the_words_of_the_catalog(world: Any) -> None:
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    do(world, "block", PROSE)
    exported = profile.export(world.database, *world.who, today=world.today)
    assert json.loads(json.dumps(exported)) == exported
    (preference,) = exported["preferences"]
    assert preference == {
        "dimension": "response_density",
        "value": "concise_direct",
        "meaning": catalog.meaning(pair(SHORT)),
        "status": "promoted",
        "pinned": False,
        "contexts": 2,
        "first_day": "2026-03-02",
        "last_day": "2026-03-03",
    }
    assert exported["blocked"] == [
        {"dimension": "list_style", "value": "prose", "meaning": catalog.meaning(pair(PROSE))}
    ]
    assert exported["catalog_version"] == catalog.version()


def test_markdown_lists_what_is_settled_and_leaves_out_what_is_contested(world: Any) -> None:
    do(world, "pin", BULLETS)
    world.counts("a", SHORT, day=1)
    world.counts("b", SHORT, day=2)
    world.counts("c", world.says(LONG, signal=Signal.STANDING), day=3)
    rendered = profile.markdown(profile.show(world.database, *world.who, today=world.today))
    assert rendered == "## How this person likes to work\n\n- list style: points as bulleted lists\n"
    assert profile.markdown(()) == ""


@pytest.mark.parametrize("verb", ["pin", "unpin", "remove", "block"])
def test_one_persons_word_changes_nothing_for_another(world: Any, verb: str) -> None:
    others = [
        type(world)(world.database, world.key, user="bob"),
        type(world)(world.database, world.key, tenant="globex"),
    ]
    for each in (world, *others):
        do(each, "pin", NUMBERED)
        each.counts("a", SHORT, day=1)
        each.counts("b", SHORT, day=2)
    do(world, verb, SHORT)
    do(world, verb, NUMBERED)
    for other in others:
        assert other.profile() == {SHORT: (2, "promoted"), NUMBERED: (0, "promoted")}
