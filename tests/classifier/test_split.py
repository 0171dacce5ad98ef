"""A compound preference as its statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import Policy, split_preference
from habitus_classifier.split import strongest


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("likes spicy food but avoids shellfish", ("likes spicy food", "avoids shellfish")),
        ("loves trains; hates flying", ("loves trains", "hates flying")),
        ("drinks coffee and never drinks tea", ("drinks coffee", "never drinks tea")),
        ("likes jazz. Dislikes opera.", ("likes jazz", "Dislikes opera")),
        ("mag Wandern, aber meidet Menschenmengen", ("mag Wandern", "meidet Menschenmengen")),
        ("喜欢辣的食物，但不吃海鲜", ("喜欢辣的食物", "不吃海鲜")),
    ],
)
def test_two_statements_are_told_apart(text: str, parts: tuple[str, ...]) -> None:
    assert split_preference(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "likes tea and coffee",
        "prefers black and white films",
        "vegan",
        "owns a butter dish",
        "wants answers within 1.5 pages",
        "",
        "but",
    ],
)
def test_one_statement_stays_whole(text: str) -> None:
    assert split_preference(text) == (text,)


@given(st.text(alphabet="ab but.;, and 但", max_size=300))
def test_there_is_always_a_statement_and_nothing_is_made_up(text: str) -> None:
    parts = split_preference(text)
    assert parts
    assert all(part in text for part in parts)


def test_a_long_text_is_split_in_linear_time() -> None:
    assert len(split_preference("x" + " ," * 500_000)) == 1


def test_the_whole_has_the_policy_of_the_part_that_applies_most() -> None:
    assert strongest([Policy.SUPPORT, Policy.PREFERENCE_DRIVEN, Policy.IGNORE]) is Policy.PREFERENCE_DRIVEN
    assert strongest([]) is Policy.IGNORE
