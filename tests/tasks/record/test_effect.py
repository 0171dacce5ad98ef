"""Does it help? A fall is found where there is one, none where there is none, and too little is called so."""

import random
from typing import Any

import pytest

from habitus_schema.models import Signal
from habitus_schema.vocabulary import Dimension
from habitus_tasks import profile
from habitus_tasks.effect import Verdict, of_fleet, of_person
from habitus_tasks.intervals import Rate

SHORT = "response_density=concise_direct"


def lives(world: Any, user: str, sessions: int, corrects: Any) -> Any:
    """A person with a session a day, who corrects where `corrects(day, promoted)` says so."""
    person = type(world)(world.database, world.key, user=user, tenant=world.tenant)
    spoken = 0
    for day in range(sessions):
        said = [person.says(SHORT)] if corrects(day, spoken >= 2) else []
        spoken += bool(said)
        person.counts(f"s{day}", *said, day=day, context=f"c{day}")
    return person


def test_sessions_and_corrections_are_counted_before_and_after_the_day_of_promotion(world: Any) -> None:
    person = lives(world, "ada", 12, lambda day, _: day in (1, 3, 8))
    (found,) = of_person(world.database, *person.who, person.rule, today=person.today)
    assert found.dimension is Dimension.RESPONSE_DENSITY
    assert (found.people, found.before, found.after) == (1, Rate(2, 4), Rate(1, 8))


def test_a_session_that_corrects_twice_counts_once_and_a_standing_wish_is_no_correction(world: Any) -> None:
    for day in range(4):
        world.counts(f"s{day}", world.says(SHORT, signal=Signal.STANDING), day=day, context=f"c{day}")
    both = [world.says("response_density=detailed_explanatory"), world.says(SHORT)]
    world.counts("both", *both, day=6, context="both")
    (found,) = of_person(world.database, *world.who, world.rule, today=world.today)
    assert (found.before, found.after) == (Rate(0, 2), Rate(1, 3))


def test_a_pair_that_was_promoted_anew_is_judged_from_the_last_time_on(world: Any) -> None:
    said = {0: SHORT, 1: SHORT, 3: "long", 4: "long", 6: SHORT, 7: SHORT}
    for day in range(10):
        pair = said.get(day, "").replace("long", "response_density=detailed_explanatory")
        world.counts(f"s{day}", *([world.says(pair)] if pair else []), day=day, context=f"c{day}")
    (found,) = of_person(world.database, *world.who, world.rule, today=world.today)
    assert (found.before, found.after) == (Rate(6, 8), Rate(0, 2))


def test_a_pinned_pair_that_the_rule_would_not_hold_has_no_before_and_after(world: Any) -> None:
    world.counts("s", day=1)
    profile.pin(world.database, *world.who, world.says(SHORT).pair, world.rule, today=world.today)
    assert of_person(world.database, *world.who, world.rule, today=world.today) == ()


def test_too_little_is_called_so(world: Any) -> None:
    person = lives(world, "ada", 4, lambda day, _: day < 2)
    (found,) = of_person(world.database, *person.who, person.rule, today=person.today)
    assert found.verdict is Verdict.TOO_LITTLE


@pytest.mark.parametrize(
    ("rate_after", "verdict"), [(0.05, Verdict.FEWER), (0.4, Verdict.UNCLEAR), (0.95, Verdict.MORE)]
)
def test_over_people_a_change_is_told_and_chance_is_not(world: Any, rate_after: float, verdict: Verdict) -> None:
    """The corrections that promote a pair end the time before: over people that does not pass for an effect."""
    chance = random.Random(11)
    people = [
        lives(world, f"u{number}", 12, lambda _, promoted: chance.random() < (rate_after if promoted else 0.4))
        for number in range(12)
    ]
    (found,) = of_fleet(world.database, world.who[0], world.rule, today=people[0].today)
    assert found.people >= 9
    assert found.verdict is verdict, found


def test_the_sample_is_bounded_and_a_tenant_is_alone_in_its_own(world: Any) -> None:
    for number in range(4):
        lives(world, f"u{number}", 3, lambda *_: True)
    other = type(world)(world.database, world.key, tenant="globex")
    lives(other, "gus", 3, lambda *_: True)
    for people, expected in ((2, 2), (100, 4)):
        (found,) = of_fleet(world.database, world.who[0], world.rule, people=people, today=world.today)
        assert found.people == expected
    (found,) = of_fleet(world.database, other.who[0], world.rule, today=world.today)
    assert found.people == 1
