"""`judge`: the closed schema first, then the note, then K; a verdict holds closed words only."""

import dataclasses
from enum import StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from habitus_schema.catalog import all_pairs
from habitus_schema.codes import Code, Stage, stage_of
from habitus_schema.errors import UsageError
from habitus_schema.models import DetectorName
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension, ListStyle, Planning
from habitus_tasks.barriers import BARRIERS, DETECTORS, characters
from habitus_tasks.gate import Decision, Verdict, judge

CLEAN = "Wants short answers."
PRIVATE = "Wants short answers for Yusuf."
PAIR = Pair(dimension=Dimension.PLANNING, value="plan_first")
SPELLINGS = sorted({pair.dimension.value for pair in all_pairs()} | {pair.value for pair in all_pairs()})


def verdict_of(**changes: object) -> Verdict:
    fields: dict[str, object] = {"dimension": "planning", "value": "plan_first", "contexts": 2, "note": CLEAN}
    fields.update(changes)
    return judge(fields["dimension"], fields["value"], fields["contexts"], fields["note"])


@pytest.mark.parametrize("pair", all_pairs(), ids=str)
def test_every_pair_of_the_catalog_is_accepted(pair: Pair) -> None:
    assert judge(pair.dimension.value, pair.value, 2, None) == Verdict(Decision.ACCEPTED, None, None, pair)


def test_members_of_the_enums_are_their_text() -> None:
    assert judge(Dimension.PLANNING, Planning.PLAN_FIRST, 2, CLEAN) == Verdict(Decision.ACCEPTED, None, None, PAIR)


def test_a_member_of_an_enum_that_is_not_ours_is_refused() -> None:
    class Mine(StrEnum):
        KEY = "planning"
        VALUE = "plan_first"

    assert verdict_of(dimension=Mine.KEY).code is Code.UNKNOWN_DIMENSION
    assert verdict_of(value=Mine.VALUE).code is Code.UNKNOWN_VALUE


def test_a_text_that_lies_about_equality_is_refused() -> None:
    class Liar(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return hash("planning")

    assert verdict_of(dimension=Liar("anything")).code is Code.UNKNOWN_DIMENSION


@pytest.mark.parametrize(
    "dimension", ["", "Planning", "planning ", " planning", "plan", "plаnning", None, 3, b"planning"]
)
def test_an_unknown_dimension_is_refused_without_a_pair(dimension: object) -> None:
    assert verdict_of(dimension=dimension) == Verdict(Decision.REJECTED, Code.UNKNOWN_DIMENSION, "schema", None)


@pytest.mark.parametrize(
    "value", ["", "Plan_First", "plan_first\n", "plan-first", "none", ["plan_first"], None, ListStyle.PROSE]
)
def test_an_unknown_value_is_refused_without_a_pair(value: object) -> None:
    assert verdict_of(value=value) == Verdict(Decision.REJECTED, Code.UNKNOWN_VALUE, "schema", None)


@given(st.sampled_from(all_pairs()), st.data())
@settings(deadline=None)
def test_any_other_spelling_of_a_pair_is_refused(pair: Pair, data: st.DataObject) -> None:
    """Trimmed, folded, padded, with marks or letters put in, in another case: exact spelling only."""
    key, value = pair.dimension.value, pair.value
    which = data.draw(st.sampled_from([key, value]))
    place = data.draw(st.integers(0, len(which)))
    bad = data.draw(
        st.one_of(
            st.characters().map(lambda mark: which[:place] + mark + which[place:]),
            st.just(which[:place] + which[place + 1 :]),
            st.sampled_from(
                [which.title(), which.upper(), which.replace("_", "-"), which.replace("_", " "), which * 2]
            ),
        ).filter(lambda text: text not in SPELLINGS)
    )
    verdict = judge(bad, value, 2, None) if which == key else judge(key, bad, 2, None)
    assert (verdict.verdict, verdict.detector) == (Decision.REJECTED, "schema")


@given(st.one_of(st.text(), st.integers(), st.binary(), st.none(), st.lists(st.text()), st.floats()))
@settings(deadline=None)
def test_no_payload_but_the_catalogs_own_words_is_accepted(payload: object) -> None:
    expected = Decision.ACCEPTED if payload in ("plan_first", "act_directly") else Decision.REJECTED
    assert verdict_of(value=payload).verdict is expected


@pytest.mark.parametrize("contexts", [-1, 1_000_001, 10**30, True, False, 2.0, "2", None, [2], float("nan")])
def test_a_count_that_is_none_is_refused(contexts: object) -> None:
    assert verdict_of(contexts=contexts) == Verdict(Decision.REJECTED, Code.FREE_TEXT, "count", PAIR)


@pytest.mark.parametrize(("contexts", "k", "decision"), [
    (0, 2, Decision.DEFERRED), (1, 2, Decision.DEFERRED), (2, 2, Decision.ACCEPTED), (2, 3, Decision.DEFERRED),
    (3, 3, Decision.ACCEPTED), (1_000_000, 2, Decision.ACCEPTED),
])  # fmt: skip
def test_a_pair_is_accepted_from_k_contexts_on(contexts: int, k: int, decision: Decision) -> None:
    code = Code.BELOW_RECURRENCE if decision is Decision.DEFERRED else None
    assert judge("planning", "plan_first", contexts, CLEAN, k=k) == Verdict(decision, code, None, PAIR)


@pytest.mark.parametrize("k", [1, 0, -1, True, 2.0, "2", None])
def test_a_k_below_two_is_a_wrong_setting(k: object) -> None:
    with pytest.raises(UsageError, match="at least 2"):
        judge("planning", "plan_first", 2, CLEAN, k=k)  # type: ignore[arg-type]


@pytest.mark.parametrize("note", [None, "", " ", "\n"])
def test_no_note_is_a_clean_note(note: object) -> None:
    assert verdict_of(note=note).verdict is Decision.ACCEPTED


@pytest.mark.parametrize("note", [3, b"Wants short answers.", ["Wants"], {"a": 1}, type("Text", (str,), {})("Wants")])
def test_a_note_that_is_not_plain_text_is_refused(note: object) -> None:
    assert verdict_of(note=note) == Verdict(Decision.REJECTED, Code.FREE_TEXT, "note_form", PAIR)


def test_a_note_may_have_five_hundred_characters_and_no_more() -> None:
    assert verdict_of(note="on " * 166 + "on").verdict is Decision.ACCEPTED
    assert len("on " * 166 + "on") == 500
    assert verdict_of(note="on " * 166 + "on.") == Verdict(Decision.REJECTED, Code.FREE_TEXT, "note_form", PAIR)


def test_the_schema_is_asked_before_the_note_and_the_note_before_k() -> None:
    assert verdict_of(value="plan", note=PRIVATE).code is Code.UNKNOWN_VALUE
    assert verdict_of(contexts=-1, note=PRIVATE).detector == "count"
    assert verdict_of(contexts=1, note=PRIVATE) == Verdict(
        Decision.REJECTED, Code.PRIVATE_NAMED_ENTITY, "capitals", PAIR
    )


def test_every_detector_is_named_once_and_gives_a_code_of_the_gate() -> None:
    names = [barrier.name for barrier in (characters.BARRIER, *BARRIERS)]
    assert len(set(names)) == len(names)
    assert frozenset({"schema", "count", "note_form", *names}) == DETECTORS
    assert all(TypeAdapter(DetectorName).validate_python(name) for name in DETECTORS)
    assert all(stage_of(barrier.code) is Stage.GATE for barrier in BARRIERS)


def test_nothing_can_be_changed_in_a_verdict_or_hung_on_it() -> None:
    verdict = verdict_of()
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict.pair = None  # type: ignore[misc]
    assert not hasattr(verdict, "__dict__")
