"""Clause windows: sentences and clauses in every script."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_tasks.extract.clauses import LONG_SENTENCE, Span, clauses, sentences


def texts(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short please. No tables!", ["Short please.", "No tables!"]),
        ("短一点。不要表格！谢谢", ["短一点。", "不要表格！", "谢谢"]),
        ("短くして。表はいらない", ["短くして。", "表はいらない"]),
        ("छोटा रखो। तालिका मत बनाओ।", ["छोटा रखो।", "तालिका मत बनाओ।"]),
        ("هل يمكن؟ اختصر", ["هل يمكن؟", "اختصر"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("use e.g. tabs here. ok", ["use e.g. tabs here.", "ok"]),
        ("v2.4 is out", ["v2.4 is out"]),
        ("...\n\n---\n", []),
        ("", []),
    ],
)
def test_a_text_is_cut_at_the_stops_of_its_script(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_sentence_is_cut_into_clauses_at_its_pauses() -> None:
    text = "for Fennimore no emoji, elsewhere I don't mind"
    assert [span.of(text) for span in clauses(text, Span(0, len(text)))] == [
        "for Fennimore no emoji,",
        "elsewhere I don't mind",
    ]


def test_a_sentence_without_stops_is_cut_so_that_no_window_grows_without_bound() -> None:
    assert all(span.end - span.start <= LONG_SENTENCE for span in sentences("word " * 500))
    assert all(span.end - span.start <= LONG_SENTENCE for span in sentences("x" * 5_000))


@given(st.text(max_size=600))
def test_sentences_are_in_order_do_not_overlap_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    kept = "".join(span.of(text) for span in spans)
    assert sum(char.isalnum() for char in kept) == sum(char.isalnum() for char in text)
