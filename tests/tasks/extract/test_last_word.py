"""The last word of the session counts: reversals, withdrawals, what is left open, and one vote a pair."""

from collections.abc import Sequence
from dataclasses import replace

from habitus_schema.codes import Code
from habitus_schema.models import Rejection, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Speaker, Turn
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.last_word import Heard, weigh
from habitus_tasks.extract.own import Own
from habitus_tasks.extract.reading import Reading, State

NO_TABLES = Pair(dimension="table_usage", value="avoid")
TABLES = Pair(dimension="table_usage", value="prefer")
BRIEF = Pair(dimension="response_density", value="concise_direct")


def said(turn: int, pair: Pair, weight: float = 0.95, scope: Scope = Scope.GENERAL, entity: str = "") -> Evidence:
    return Evidence(pair, turn, weight, Signal.CORRECTION, scope, entity, "classifier")


def reading(
    turn: int,
    evidence: Sequence[Evidence] = (),
    topics: Sequence[Dimension] = (),
    held: Sequence[tuple[Dimension, State]] = (),
    withdraws: bool = False,
    undecided: bool = False,
    leanings: Sequence[Pair] = (),
) -> Heard:
    own = Own(turn, Turn(Speaker.PERSON, ""), ())
    about = frozenset(topics) | {item.pair.dimension for item in evidence}
    leaning = frozenset(leanings) | {item.pair for item in evidence}
    return Heard(Reading(own, tuple(evidence), about, tuple(held), withdraws, undecided, leaning))


def pairs(turns: Sequence[Heard]) -> list[Pair]:
    return [item.pair for item in weigh(turns)[0]]


def test_what_is_said_once_stands() -> None:
    assert weigh([reading(0, [said(0, TABLES)])]) == ([said(0, TABLES)], ())


def test_a_pair_said_three_times_is_one_vote() -> None:
    assert pairs([reading(t, [said(t, BRIEF)]) for t in range(3)]) == [BRIEF]


def test_a_later_rival_overrules_and_leaves_its_rejection() -> None:
    standing, rejected = weigh([reading(0, [said(0, TABLES)]), reading(2, [said(2, NO_TABLES)])])
    assert [item.pair for item in standing] == [NO_TABLES]
    assert rejected == (Rejection(code=Code.WITHDRAWN, dimension=Dimension.TABLE_USAGE),)


def test_a_later_message_that_only_leans_to_a_rival_takes_the_earlier_word_back() -> None:
    standing, rejected = weigh([reading(0, [said(0, TABLES), said(0, BRIEF)]), reading(2, leanings=[NO_TABLES])])
    assert [item.pair for item in standing] == [BRIEF]
    assert rejected == (Rejection(code=Code.WITHDRAWN, dimension=Dimension.TABLE_USAGE),)


def test_a_later_message_that_leans_to_the_same_pair_changes_nothing() -> None:
    assert pairs([reading(0, [said(0, TABLES)]), reading(2, leanings=[TABLES, NO_TABLES])]) == [TABLES]


def test_an_earlier_leaning_does_not_touch_a_later_word() -> None:
    assert pairs([reading(0, leanings=[NO_TABLES]), reading(2, [said(2, TABLES)])]) == [TABLES]


def test_of_two_rivals_in_one_message_the_surer_stays() -> None:
    assert pairs([reading(0, [said(0, TABLES, 0.91), said(0, NO_TABLES, 0.97)])]) == [NO_TABLES]


def test_a_withdrawal_takes_back_the_dimension_it_names_and_no_other() -> None:
    turns = [reading(0, [said(0, TABLES), said(0, BRIEF)]), reading(2, topics=[Dimension.TABLE_USAGE], withdraws=True)]
    standing, rejected = weigh(turns)
    assert [item.pair for item in standing] == [BRIEF]
    assert rejected == (Rejection(code=Code.WITHDRAWN, dimension=Dimension.TABLE_USAGE),)


def test_a_withdrawal_that_names_nothing_takes_back_the_latest_wish() -> None:
    assert pairs([reading(0, [said(0, BRIEF)]), reading(2, [said(2, TABLES)]), reading(4, withdraws=True)]) == [BRIEF]


def test_a_withdrawal_that_speaks_of_something_never_wished_for_takes_back_the_latest_wish() -> None:
    back = reading(2, topics=[Dimension.EMOJI_USAGE], withdraws=True)
    assert pairs([reading(0, [said(0, TABLES)]), reading(1, [said(1, BRIEF)]), back]) == [TABLES]


def test_a_wish_of_which_no_topic_was_heard_can_be_taken_back() -> None:
    heard = reading(0, [said(0, BRIEF)])
    assert heard.reading
    unnamed = Heard(replace(heard.reading, topics=frozenset()))
    assert pairs([unnamed, reading(1, withdraws=True)]) == []


def test_a_withdrawal_is_no_wish_for_the_opposite() -> None:
    assert pairs([reading(0, [said(0, TABLES)]), reading(2, [said(2, NO_TABLES)], withdraws=True)]) == []


def test_the_first_message_of_a_session_has_nothing_to_take_back() -> None:
    assert pairs([reading(0, [said(0, TABLES)], withdraws=True)]) == [TABLES]


def test_what_is_left_open_is_nothing() -> None:
    turns = [reading(0, [said(0, TABLES)]), reading(2, held=[(Dimension.TABLE_USAGE, State.UNDECIDED)])]
    assert weigh(turns) == ([], (Rejection(code=Code.UNDECIDED, dimension=Dimension.TABLE_USAGE),))


def test_a_one_off_leaves_its_rejection_and_an_earlier_habit_stands() -> None:
    turns = [reading(0, [said(0, BRIEF)]), reading(2, held=[(Dimension.RESPONSE_DENSITY, State.ONE_OFF)])]
    standing, rejected = weigh(turns)
    assert [item.pair for item in standing] == [BRIEF]
    assert rejected == (Rejection(code=Code.ONE_OFF, dimension=Dimension.RESPONSE_DENSITY),)


def test_a_wish_for_one_client_does_not_overrule_the_general_one() -> None:
    tied = said(2, NO_TABLES, scope=Scope.ENTITY, entity="northwind")
    assert pairs([reading(0, [said(0, TABLES)]), reading(2, [tied])]) == [TABLES, NO_TABLES]


def test_an_edit_counts_without_words() -> None:
    edit = Evidence(TABLES, 1, 1.0, Signal.EDIT, cue="edit")
    assert weigh([Heard(None, [edit])]) == ([edit], ())


def back(*dimensions: Dimension) -> Heard:
    return Heard(None, (), frozenset(dimensions))


def test_a_short_message_takes_back_what_it_names_and_else_the_latest_wish() -> None:
    before = [reading(0, [said(0, TABLES)]), reading(2, [said(2, BRIEF)])]
    assert pairs([*before, back(Dimension.TABLE_USAGE)]) == [BRIEF]
    assert pairs([*before, back(Dimension.EMOJI_USAGE)]) == [TABLES, BRIEF]
    standing, rejected = weigh([*before, back()])
    assert [item.pair for item in standing] == [TABLES]
    assert rejected == (Rejection(code=Code.WITHDRAWN, dimension=Dimension.RESPONSE_DENSITY),)
