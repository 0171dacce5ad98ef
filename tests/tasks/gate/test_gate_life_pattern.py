"""How kinds of phrases are written: their parts, what they are filed under, and when they are asked."""

import pytest

from habitus_tasks.barriers.life_pattern import by_word, merged, says

SMALL = "one two three four five six seven eight nine ten eleven twelve fifteen 7".split()
LARGE = "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand 40 1,400 2.5k 3k".split()
FOUND = {
    "NUMBER": [*SMALL, *LARGE],
    "LARGE": LARGE,
    "CANNOT": ["cannot", "can't", "cant", "can not", "can no longer", "can hardly", "could not", "unable to"],
    "PASSIVE": [
        *(f"{word} " for word in "is are was were has have got be been being about to just once".split()),
        *(f"tabs, {who} was " for who in "they user person who and since as after because of".split()),
        *(f"tabs{mark} was " for mark in ".;:,("),
        "tabs,was ",
        "they have just been ",
    ],
}
MISSED = {
    "NUMBER": ["some", "word"],
    "LARGE": [*SMALL, "word"],
    "CANNOT": ["can", "should not", "a_cannot"],
    "PASSIVE": ["lists are", "the user lists", "they"],
}


def held(part: str, before: str) -> bool:
    return says(by_word(("held", rf"{part}\s?held")), f"{before}held")


@pytest.mark.parametrize(("part", "text"), [(part, text) for part, texts in FOUND.items() for text in texts])
def test_a_part_stands_for_each_of_its_forms(part: str, text: str) -> None:
    assert held(part, f"{text.rstrip()} ")


@pytest.mark.parametrize(("part", "text"), [(part, text) for part, texts in MISSED.items() for text in texts])
def test_a_part_stands_for_nothing_else(part: str, text: str) -> None:
    assert not held(part, f"{text.rstrip()} ")


@pytest.mark.parametrize("after", [*"., ; :".split(), "...", "", "!", ")"])
def test_an_end_is_that_of_the_note_or_of_a_clause(after: str) -> None:
    assert says(by_word(("held", "heldENDS")), f"held{after}")


@pytest.mark.parametrize(
    "word", "and but so since last next this again now they wants asks asked prefers needs likes".split()
)
def test_an_end_is_what_a_note_goes_on_with(word: str) -> None:
    assert says(by_word(("held", "heldENDS")), f"held {word} more")


@pytest.mark.parametrize("after", ["items", " items", " andante", "-items", " to"])
def test_an_end_is_not_what_belongs_to_it(after: str) -> None:
    assert not says(by_word(("held items", "heldENDS")), f"held{after} more items")


def test_a_kind_is_asked_of_a_text_with_one_of_its_words_only() -> None:
    kinds = by_word(("tabs lists", "no"), ("tabs", "yes"))
    assert {word: len(patterns) for word, patterns in kinds.items()} == {"tabs": 2, "lists": 1}
    assert says(kinds, "no lists")
    assert says(kinds, "Tabs, YES")
    assert not says(kinds, "yes lists")
    assert not says(kinds, "no")
    assert not says(kinds, "tabs")


@pytest.mark.parametrize("sign", ["/", "$", "\u20ac", "\u00a3", "\u00a5"])
def test_a_sign_counts_as_a_word(sign: str) -> None:
    assert says(by_word((sign, r"b.\d")), f"ab{sign}4")


def test_tables_are_merged_word_by_word() -> None:
    both = merged(by_word(("tabs", "a")), by_word(("tabs lists", "b")))
    assert {word: [each.pattern for each in patterns] for word, patterns in both.items()} == {
        "tabs": ["a", "b"],
        "lists": ["b"],
    }
