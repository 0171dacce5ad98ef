"""What a barrier is asked of: a note that holds one of the things it needs."""

import dataclasses

import pytest

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, INNER_DOT, MANY_DIGITS, Barrier, held_by


def barrier(needs: frozenset[str] | None) -> Barrier:
    return Barrier("any", Code.FREE_TEXT, lambda text: "x" in text, needs)


def test_a_barrier_without_needs_is_asked_of_every_text() -> None:
    assert barrier(None).refuses("x")
    assert not barrier(None).refuses("y")


def test_a_barrier_is_asked_only_of_a_text_that_holds_what_it_needs() -> None:
    assert barrier(frozenset({"word", "!"})).refuses("x Word")
    assert barrier(frozenset({"word", "!"})).refuses("x!")
    assert not barrier(frozenset({"word", "!"})).refuses("x words")
    assert not barrier(frozenset({"word", "!"})).refuses("word!")


def test_a_barrier_is_frozen() -> None:
    one = barrier(None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.needs = frozenset()  # type: ignore[misc]
    assert not hasattr(one, "__dict__")


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("a b", set()),
        ("a 1", {A_DIGIT}),
        ("1 23 4", {A_DIGIT}),
        ("1 23 4 5", {A_DIGIT, MANY_DIGITS}),
        ("a. b", set()),
        ("...", set()),
        ("a.b", {INNER_DOT}),
        ("1.2", {A_DIGIT, INNER_DOT}),
    ],
)
def test_a_text_holds_marks_of_digits_and_dots(text: str, marks: set[str]) -> None:
    assert held_by(text) & {A_DIGIT, MANY_DIGITS, INNER_DOT} == marks


def test_a_text_holds_its_characters_and_its_words_in_lower_case() -> None:
    assert held_by("Ab c, N\u00e4h") == {*"Ab c, N\u00e4h", "ab", "n\u00e4h"}
