"""Literal spellings, cues, numeric caps and names."""

import pytest

from habitus_schema.catalog import spellings
from habitus_tasks.extract.caps import ceiling
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.literal import spelled
from habitus_tasks.extract.names import entity_name, normalised


@pytest.mark.parametrize("spelling", sorted(spellings()))
@pytest.mark.parametrize("frame", ["{}", "please set {} for me", "SET {}!"])
def test_every_spelling_of_the_catalog_is_read(spelling: str, frame: str) -> None:
    assert spellings()[spelling] in spelled(frame.format(spelling))


@pytest.mark.parametrize("text", ["fence_backtick_count=3", "zero external deps", ""])
def test_a_near_miss_of_a_spelling_is_not(text: str) -> None:
    assert spelled(text) == frozenset()


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        (Cue.HABIT, "Always in tables"),
        (Cue.HABIT, "ab jetzt bitte kurz"),
        (Cue.HABIT, "以后都用表格"),
        (Cue.HABIT, "앞으로는 짧게"),
        (Cue.HABIT, "впредь без таблиц"),
        (Cue.ONE_OFF, "just this once"),
        (Cue.ONE_OFF, "今回だけ表で"),
        (Cue.ONE_OFF, "solo por esta vez"),
        (Cue.WITHDRAWN, "never mind the tables"),
        (Cue.WITHDRAWN, "laisse tomber"),
        (Cue.UNDECIDED, "hmm, not sure yet"),
        (Cue.UNDECIDED, "weiß nicht so recht"),
    ],
)
def test_a_cue_is_seen_in_its_language(cue: Cue, text: str) -> None:
    assert has(cue, text)


@pytest.mark.parametrize(
    ("cue", "text"), [(Cue.HABIT, "severance"), (Cue.ONE_OFF, "the list"), (Cue.WITHDRAWN, "mind")]
)
def test_a_cue_inside_another_word_is_not(cue: Cue, text: str) -> None:
    assert not has(cue, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at most 100 words", "150"),
        ("two sentences, no more", "150"),
        ("drei Sätze reichen", "150"),
        ("deux paragraphes maximum", "300"),
        ("keep it under two hundred words", "300"),
        ("一律四百字以内", "600"),
        ("half a page", "600"),
        ("one page", "1200"),
        ("under 1,200 tokens", "1200"),
        ("not ten paragraphs, a couple of sentences", "150"),
    ],
)
def test_a_numeric_cap_becomes_the_nearest_ceiling(text: str, expected: str) -> None:
    assert ceiling(text) == expected


@pytest.mark.parametrize("text", ["shorter", "in 5 minutes", "a 30 page report is due", "10000 words"])
def test_what_is_no_cap_of_this_vocabulary_gives_none(text: str) -> None:
    assert ceiling(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("for Northwind always use tables", "northwind"),
        ("always tables for the Kowalczyk case", "kowalczyk"),
        ("青葉商事の案件では必ず理由から", "青葉商事"),
        ("in kestrel-scheduler it's test first", "kestrel-scheduler"),
        ("No emoji at Northwind's, ever", "northwind"),
    ],
)
def test_the_name_a_wish_is_tied_to_is_normalised(text: str, name: str) -> None:
    assert entity_name(text) == name


def test_one_entity_has_one_name_however_it_is_written() -> None:
    assert normalised("NORTHWIND’s") == normalised("Northwind,") == normalised("northwind")
