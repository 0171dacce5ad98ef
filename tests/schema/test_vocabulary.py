"""The vocabulary is one list: the enums are what the catalog says, and a pair is exact or refused."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from habitus_schema import catalog, generate
from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import VALUES, Dimension

CATALOG = tomllib.loads((generate.HERE / "catalog.toml").read_text("utf-8"))
PAIRS = st.sampled_from(catalog.all_pairs())


def test_the_generated_enums_are_those_of_the_catalog() -> None:
    assert (generate.HERE / "vocabulary.py").read_text("utf-8") == generate.render()


def test_every_dimension_of_the_catalog_is_there_with_its_values_in_order() -> None:
    listed = {name: list(entry["values"]) for name, entry in CATALOG["dimensions"].items()}
    assert {d.value: [str(value) for value in VALUES[d]] for d in Dimension} == listed
    assert len(listed) == 33
    assert len(catalog.all_pairs()) == sum(map(len, listed.values())) == 74


def test_every_pair_has_a_meaning_and_every_dimension_a_group() -> None:
    assert all(catalog.meaning(pair) for pair in catalog.all_pairs())
    assert {catalog.group(dimension) for dimension in Dimension} == {"formatting", "response", "code", "workflow"}


def test_the_two_literal_spellings_mean_their_pairs() -> None:
    assert {spelling: str(pair) for spelling, pair in catalog.spellings().items()} == {
        "fence_backtick_count=4": "code_fence_style=quad_backtick",
        "zero_external_deps=True": "dependency_policy=stdlib_only",
    }


@given(PAIRS)
def test_an_exact_pair_is_taken_and_survives_json(pair: Pair) -> None:
    assert Pair.model_validate_json(pair.model_dump_json()) == pair


@given(PAIRS, st.text(max_size=3), st.text(max_size=3))
def test_a_value_with_anything_around_it_is_refused(pair: Pair, before: str, after: str) -> None:
    spelled = before + pair.value + after
    if spelled in {str(value) for value in VALUES[pair.dimension]}:
        return
    with pytest.raises(ValidationError):
        Pair(dimension=pair.dimension, value=spelled)


@given(PAIRS)
def test_another_case_is_refused(pair: Pair) -> None:
    for dimension, value in ((pair.dimension.upper(), pair.value), (pair.dimension.value, pair.value.upper())):
        if (dimension, value) != (pair.dimension.value, pair.value):
            with pytest.raises(ValidationError):
                Pair.model_validate({"dimension": dimension, "value": value})


@given(PAIRS, PAIRS)
def test_a_value_of_another_dimension_is_refused(one: Pair, other: Pair) -> None:
    if other.value not in {str(value) for value in VALUES[one.dimension]}:
        with pytest.raises(ValidationError):
            Pair(dimension=one.dimension, value=other.value)


@pytest.mark.parametrize("value", [150, None, True, 1.5, ["150"], b"150", {"a": 1}])
def test_a_value_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        Pair.model_validate({"dimension": "verbosity_ceiling_tokens", "value": value})


@given(st.text(min_size=6))
def test_a_refusal_shows_nothing_of_what_it_refused(text: str) -> None:
    secret = f"<<{text}>>"
    with pytest.raises(ValidationError) as refused:
        Pair.model_validate({"dimension": "list_style", "value": secret, "note": secret})
    assert secret not in str(refused.value)
