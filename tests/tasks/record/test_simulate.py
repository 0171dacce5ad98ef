"""Scenarios in memory, through the real record code."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Outcome, Status
from habitus_tasks.simulate import Simulation, simulate_observations, simulate_records

KEY = IdKey.generate()
SHORT, LONG = "concise_direct", "detailed_explanatory"


def said(session: str, context: str, day: int, value: str = SHORT, **more: Any) -> dict[str, Any]:
    return {
        "user": "ada",
        "session": session,
        "context": context,
        "day": f"2026-01-{day:02d}",
        "dimension": "response_density",
        "value": value,
        "signal": "correction",
        "scope": "general",
    } | more


def standing(simulation: Simulation) -> list[tuple[str, int, Status]]:
    return [(row.value, row.contexts, row.status) for row in simulation.profile]


def test_two_contexts_promote_and_one_does_not() -> None:
    assert simulate_observations(2, [said("a", "x", 1), said("b", "x", 2)]).profile == ()
    promoted = simulate_observations(2, [said("a", "x", 1), said("b", "y", 2)], key=KEY)
    assert standing(promoted) == [(SHORT, 2, Status.PROMOTED)]
    assert promoted.profile[0].subject == KEY.keyed(Kind.SUBJECT, "default", "ada")


def test_k_is_the_scenarios_own() -> None:
    three = [said("a", "x", 1), said("b", "y", 2), said("c", "z", 3)]
    assert standing(simulate_observations(3, three)) == [(SHORT, 3, Status.PROMOTED)]
    assert simulate_observations(3, three[:2]).profile == ()


def test_a_scenario_leaves_nothing_to_the_next_one() -> None:
    simulate_observations(2, [said("a", "x", 1)], key=KEY)
    again = simulate_observations(2, [said("b", "y", 2)], key=KEY)
    assert again.profile == ()
    assert len(again.rejections) == 1


def test_the_same_line_given_twice_is_the_same_message_again() -> None:
    line = said("a", "x", 1)
    simulation = simulate_observations(2, [line, line, said("b", "y", 2), line])
    assert standing(simulation) == [(SHORT, 2, Status.PROMOTED)]
    assert simulation.outcomes == (Outcome.RECORDED, Outcome.RECORDED, Outcome.DUPLICATE)


def test_the_context_of_entity_evidence_names_the_entity() -> None:
    lines = [said(f"s{day}", "northwind", day, scope="entity") for day in range(1, 6)]
    simulation = simulate_observations(2, lines)
    assert simulation.profile == ()
    assert sum(line.code.value == "ENTITY_COUPLED" for line in simulation.rejections) == 4
    other = said("t", "contoso", 7, scope="entity")
    assert standing(simulate_observations(2, [*lines, other])) == [(SHORT, 2, Status.PROMOTED)]


def test_one_session_is_one_vote_though_it_is_general_and_about_an_entity() -> None:
    lines = [said("a", "northwind", 1, scope="entity"), said("a", "x", 1)]
    assert simulate_observations(2, lines).profile == ()


def test_a_later_day_of_a_session_has_the_last_word() -> None:
    lines = [said("a", "x", 1), said("b", "y", 2), said("a", "x", 3, LONG)]
    assert simulate_observations(2, lines).profile == ()
    assert standing(simulate_observations(2, [*lines, said("c", "z", 4, LONG)])) == [(LONG, 2, Status.PROMOTED)]


def test_a_standing_statement_contests_and_the_rejections_say_why() -> None:
    lines = [said("a", "x", 1), said("b", "y", 2), said("c", "z", 3, LONG, signal="standing")]
    simulation = simulate_observations(2, lines)
    assert standing(simulation) == [(SHORT, 2, Status.CONTESTED)]
    codes = [(line.stage.value, line.code.value, line.dimension) for line in simulation.rejections]
    assert codes == [("record", "BELOW_RECURRENCE", "response_density")] * 2


def test_everything_is_settled_as_of_the_last_day() -> None:
    lines = [said("a", "x", 1), said("b", "y", 2), said("c", "z", 3, "prefer", dimension="table_usage")]
    assert len(simulate_observations(2, lines).profile) == 1
    late = said("c", "z", 3, "prefer", dimension="table_usage") | {"day": "2027-01-01"}
    assert simulate_observations(2, [*lines[:2], late]).profile == ()


def test_users_and_tenants_are_apart() -> None:
    lines = [said("a", "x", 1), said("b", "y", 2, user="bob"), said("b", "y", 2, tenant="globex")]
    assert simulate_observations(2, lines).profile == ()


@pytest.mark.parametrize(
    "broken",
    [
        {"day": "yesterday Rex"},
        {"signal": "shouted"},
        {"scope": "Rex"},
        {"user": None},
    ],
)
def test_a_line_of_another_form_is_refused_and_not_repeated(broken: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as refusal:
        simulate_observations(2, [said("a", "x", 1) | broken])
    assert "Rex" not in str(refusal.value)


@pytest.mark.parametrize(
    ("broken", "code", "dimension"),
    [
        ({"value": "Rex"}, "UNKNOWN_VALUE", "response_density"),
        ({"value": None}, "UNKNOWN_VALUE", "response_density"),
        ({"value": ["Rex"]}, "UNKNOWN_VALUE", "response_density"),
        ({"value": "Concise_Direct"}, "UNKNOWN_VALUE", "response_density"),
        ({"dimension": "pet", "value": "dog"}, "UNKNOWN_DIMENSION", None),
        ({"dimension": {"pet": "Rex"}}, "UNKNOWN_DIMENSION", None),
    ],
)
def test_a_pair_that_is_not_in_the_catalog_is_one_line_of_the_gate_and_the_rest_counts(
    broken: dict[str, Any], code: str, dimension: str | None
) -> None:
    lines = [said("a", "x", 1), said("a", "x", 1) | broken, said("b", "y", 2), said("c", "z", 3) | broken]
    simulation = simulate_observations(2, lines)
    assert standing(simulation) == [(SHORT, 2, Status.PROMOTED)]
    found = [(line.stage.value, line.code.value, line.dimension) for line in simulation.rejections]
    assert found.count(("gate", code, dimension)) == 2
    assert "Rex" not in repr(simulation)


def test_fields_that_a_line_does_not_have_are_ignored() -> None:
    lines = [said("a", "x", 1, note="Rex", weight=7), said("b", "y", 2, comment={"pet": "Rex"})]
    simulation = simulate_observations(2, lines)
    assert standing(simulation) == [(SHORT, 2, Status.PROMOTED)]
    assert simulation.rejections[-1].code.value == "BELOW_RECURRENCE"


def test_k_below_two_is_refused() -> None:
    with pytest.raises(UsageError):
        simulate_observations(1, [])
    with pytest.raises(UsageError):
        simulate_records(1, [])


lines = st.lists(
    st.builds(
        lambda session, day, value, signal: said(session, f"c-{session}", day, value, signal=signal),
        st.sampled_from("abcdefgh"),
        st.integers(1, 12),
        st.sampled_from([SHORT, LONG]),
        st.sampled_from(["standing", "correction"]),
    ),
    max_size=8,
    unique_by=lambda line: line["session"],
)


@settings(max_examples=40, deadline=None)
@given(lines, st.randoms(use_true_random=False))
def test_the_order_in_which_sessions_arrive_does_not_matter(given_lines: list[dict[str, Any]], random: Any) -> None:
    shuffled = random.sample(given_lines, len(given_lines))
    assert standing(simulate_observations(2, shuffled)) == standing(simulate_observations(2, given_lines))


@settings(max_examples=25, deadline=None)
@given(lines, lines)
def test_what_one_tenant_says_never_changes_another(mine: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    alone = simulate_observations(2, mine, key=KEY)
    both = simulate_observations(2, [*(line | {"tenant": "globex"} for line in theirs), *mine], key=KEY)
    me = KEY.keyed(Kind.SUBJECT, "default", "ada")
    assert [row for row in both.profile if row.subject == me] == list(alone.profile)


def test_a_scenario_of_thirty_sessions_is_quick() -> None:
    thirty = [said(f"s{day}", f"c{day}", day) for day in range(1, 31)]
    simulate_observations(2, thirty)
    start = time.process_time()
    simulate_observations(2, thirty)
    assert time.process_time() - start < 2, "30 ms on a quiet machine; the bound only tells when it costs far more"
