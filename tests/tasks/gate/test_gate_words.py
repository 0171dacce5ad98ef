"""The published vocabulary and its lists: closed, tidy, and free of words about a life."""

import re
from pathlib import Path

import pytest

from habitus_schema.vocabulary import VALUES
from habitus_tasks.barriers import wordlists
from habitus_tasks.barriers.vocabulary import published

FILES = sorted(Path(wordlists.__file__).with_name("words").glob("*.txt"))
PRIVATE_WORDS = (
    "diabetes mortgage wife muslim lawsuit salary london yusuf pregnant cancer divorce bankrupt gay catholic church"
)


def test_no_published_word_is_about_a_life() -> None:
    assert published().isdisjoint(wordlists.SENSITIVE)
    assert published().isdisjoint(PRIVATE_WORDS.split())


def test_the_vocabulary_is_lower_case_letters() -> None:
    assert all(re.fullmatch(r"[^\W\d_]+(?:'[a-z]+)?", word) and word == word.lower() for word in published())


def test_every_word_of_the_catalog_is_published() -> None:
    names = {name.value for dimension, values in VALUES.items() for name in (dimension, *values)}
    assert {part for name in names for part in name.split("_") if part.isalpha()} <= published()


def test_published_words_are_those_the_barrier_goes_by() -> None:
    assert published() is wordlists.WORDS
    assert len(published()) > 5000


def test_an_idiom_holds_a_word_that_is_not_published_and_none_about_a_life() -> None:
    for idiom in wordlists.IDIOMS:
        words = set(re.findall(r"[a-z]{2,}", idiom))
        assert words - published(), idiom
        assert words.isdisjoint(wordlists.SENSITIVE), idiom


def test_no_idiom_goes_on_where_another_ends() -> None:
    """Else it would depend on their order which of the two is found."""
    assert not [
        idiom
        for idiom in wordlists.IDIOMS
        if any(f"{idiom} ".startswith(f"{each} ") for each in wordlists.IDIOMS - {idiom})
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_list_says_what_it_is_and_names_no_word_twice(path: Path) -> None:
    head, *lines = path.read_text("utf-8").splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    assert head.startswith("# ")
    assert sorted(set(words)) == sorted(words)


def test_remarks_are_not_words() -> None:
    assert "#" not in wordlists.NAMES
    assert wordlists.read("mixed") == wordlists.MIXED
