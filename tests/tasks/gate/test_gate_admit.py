"""`admit`: a candidate of the embedded extractor brings no prose; its pair is validated anew."""

import pytest

from habitus_schema.catalog import all_pairs
from habitus_schema.codes import Code
from habitus_schema.models import Candidate, Rejection, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Format, Transcript
from habitus_schema.vocabulary import Dimension
from habitus_tasks.gate import admit


def candidate(pair: object, signal: object = Signal.STANDING, scope: object = Scope.GENERAL) -> Candidate:
    return Candidate(pair, signal, scope, 0, entity="Bluefern", cue="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("pair", all_pairs(), ids=str)
def test_every_pair_of_the_catalog_is_admitted(pair: Pair) -> None:
    transcript = Transcript(Format.HABITUS, "s", ())
    assert admit(candidate(pair)) is None
    assert admit(candidate(pair), transcript) is None


@pytest.mark.parametrize(
    ("pair", "code", "dimension"),
    [
        (Pair.model_construct(dimension="planning", value="ask Bluefern"), Code.UNKNOWN_VALUE, Dimension.PLANNING),
        (Pair.model_construct(dimension=Dimension.PLANNING, value="prose"), Code.UNKNOWN_VALUE, Dimension.PLANNING),
        (Pair.model_construct(dimension="Bluefern", value="plan_first"), Code.UNKNOWN_DIMENSION, None),
        (Pair.model_construct(dimension="planning"), Code.UNKNOWN_VALUE, Dimension.PLANNING),
        ("planning=plan_first", Code.UNKNOWN_DIMENSION, None),
        (None, Code.UNKNOWN_DIMENSION, None),
    ],
)
def test_a_pair_built_around_its_validators_is_refused(pair: object, code: Code, dimension: Dimension | None) -> None:
    assert admit(candidate(pair)) == Rejection(code=code, dimension=dimension, detector="schema")


@pytest.mark.parametrize(("signal", "scope"), [("standing", Scope.GENERAL), (Signal.EDIT, "the Bluefern account")])
def test_a_signal_or_a_scope_that_is_not_of_its_enum_is_refused(signal: object, scope: object) -> None:
    pair = Pair(dimension=Dimension.PLANNING, value="plan_first")
    expected = Rejection(code=Code.FREE_TEXT, dimension=Dimension.PLANNING, detector="schema")
    assert admit(candidate(pair, signal, scope)) == expected
