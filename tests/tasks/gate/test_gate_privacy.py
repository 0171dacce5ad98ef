"""The raising entrance, with the names of the original description: the same verdicts, and no text in any of them."""

import dataclasses
import pickle
import traceback

import pytest

from habitus_schema.codes import Code
from habitus_schema.errors import HabitusError, UsageError
from habitus_tasks.gate import judge
from habitus_tasks.privacy import (
    CandidateImplicitPreference,
    ImplicitPreferencePrivacyGate,
    InsufficientRecurrence,
    PrivateDataLeakageViolation,
)

GATE = ImplicitPreferencePrivacyGate(min_context_recurrence=2)
SECRET = "zq Halberd 43110"


def preference(**changes: object) -> CandidateImplicitPreference:
    fields: dict[str, object] = {
        "dimension_key": "planning",
        "dimension_value": "plan_first",
        "observed_across_distinct_contexts": 2,
        "source_justification_note": "Wants a plan first.",
    }
    return CandidateImplicitPreference(**{**fields, **changes})  # type: ignore[arg-type]


def test_an_accepted_candidate_comes_back_as_plain_text() -> None:
    key, value = GATE.validate_preference(preference())
    assert (key, value) == ("planning", "plan_first")
    assert (type(key), type(value)) == (str, str)


def test_a_note_is_optional() -> None:
    assert GATE.validate_preference(CandidateImplicitPreference("planning", "plan_first", 2)) == (
        "planning",
        "plan_first",
    )


@pytest.mark.parametrize(
    ("changes", "code", "detector"),
    [
        ({"dimension_key": SECRET}, Code.UNKNOWN_DIMENSION, "schema"),
        ({"dimension_value": SECRET}, Code.UNKNOWN_VALUE, "schema"),
        ({"observed_across_distinct_contexts": SECRET}, Code.FREE_TEXT, "count"),
        ({"source_justification_note": SECRET}, Code.PRIVATE_ACCOUNT_NUMBER, "numbers"),
        ({"source_justification_note": SECRET * 99}, Code.FREE_TEXT, "note_form"),
    ],
)
def test_a_violation_carries_a_code_and_no_text(changes: dict[str, object], code: Code, detector: str) -> None:
    with pytest.raises(PrivateDataLeakageViolation) as caught:
        GATE.validate_preference(preference(**changes))
    error = caught.value
    assert (error.code, error.detector, str(error), error.args) == (code, detector, code.value, (code.value,))
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error)) + str(pickle.dumps(error.args))
    assert "Halberd" not in shown
    assert error.__cause__ is None
    assert error.__context__ is None
    assert not getattr(error, "__notes__", [])


def test_below_k_is_not_a_violation() -> None:
    with pytest.raises(InsufficientRecurrence) as caught:
        GATE.validate_preference(preference(observed_across_distinct_contexts=1))
    assert not isinstance(caught.value, PrivateDataLeakageViolation)
    assert not issubclass(PrivateDataLeakageViolation, InsufficientRecurrence)
    assert isinstance(caught.value, HabitusError)
    assert (caught.value.code, str(caught.value)) == (Code.BELOW_RECURRENCE, "BELOW_RECURRENCE")


def test_a_violation_is_told_before_a_want_of_recurrence() -> None:
    with pytest.raises(PrivateDataLeakageViolation):
        GATE.validate_preference(
            preference(observed_across_distinct_contexts=1, source_justification_note="For Yusuf.")
        )


def test_the_gate_keeps_its_own_k() -> None:
    with pytest.raises(InsufficientRecurrence):
        ImplicitPreferencePrivacyGate(3).validate_preference(preference())
    assert ImplicitPreferencePrivacyGate().min_context_recurrence == 2


@pytest.mark.parametrize("k", [1, 0, -3, True, 2.5])
def test_a_gate_with_a_k_below_two_cannot_be_made(k: int) -> None:
    with pytest.raises(UsageError):
        ImplicitPreferencePrivacyGate(k)


def test_candidates_and_gates_are_frozen_and_show_nothing() -> None:
    candidate = preference(dimension_key=SECRET, source_justification_note=SECRET)
    assert repr(candidate) == "CandidateImplicitPreference()"
    with pytest.raises(dataclasses.FrozenInstanceError):
        candidate.dimension_key = "planning"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        GATE.min_context_recurrence = 1  # type: ignore[misc]


def test_nothing_can_be_hung_on_a_verdict_or_a_candidate() -> None:
    verdict = judge("planning", "plan_first", 2, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        verdict.code = Code.FREE_TEXT  # type: ignore[misc]
    assert not any(hasattr(each, "__dict__") for each in (verdict, preference(), GATE))


@pytest.mark.parametrize("note", [SECRET, "For Yusuf.", "Ｗants", "a@b.org", "x" * 501])
def test_a_verdict_holds_nothing_of_the_note(note: str) -> None:
    verdict = judge("planning", "plan_first", 2, note)
    assert note not in repr(verdict) + str(verdict)
    assert set(dataclasses.asdict(verdict)) == {"verdict", "code", "detector", "pair"}
    assert verdict == judge("planning", "plan_first", 2, note)
