"""The keyed sketch: alike for one task in other words, never for two short wishes, and useless without the key."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.ids import IdKey
from habitus_schema.models import SKETCH_SIZE
from habitus_tasks.similarity import SKETCH_COLUMNS, THRESHOLD, pack, similarity
from habitus_tasks.sketch import MIN_WORDS, content_words, sketch_of

KEY, OTHER = IdKey("k1", b"\1" * 32), IdKey("k1", b"\2" * 32)
WORDS = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(200)]
DATA = Path(__file__).parents[2] / "data/context_pairs.jsonl"
PAIRS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def alike(one: list[str], other: list[str], key: IdKey = KEY) -> float:
    first, second = sketch_of(one, key), sketch_of(other, key)
    return similarity(pack(first), pack(second)) if first and second else 0.0


def test_a_sketch_is_so_many_small_numbers_and_the_same_every_time() -> None:
    sketch = sketch_of([" ".join(WORDS[:50])], KEY)
    assert len(sketch) == SKETCH_SIZE
    assert all(0 <= value <= 255 for value in sketch)
    assert sketch == sketch_of(reversed(WORDS[:50]), KEY), "the order of words does not matter"


def test_another_key_gives_a_sketch_that_is_like_none_of_the_first() -> None:
    text = [" ".join(WORDS[:50])]
    assert similarity(pack(sketch_of(text, KEY)), pack(sketch_of(text, OTHER))) < 0.2


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 60))
def test_the_estimate_is_near_the_share_of_common_words(common: int) -> None:
    one, other = WORDS[:60], WORDS[60 - common : 120 - common]
    true = common / (120 - common)
    assert abs(alike([" ".join(one)], [" ".join(other)]) - true) < 0.3, "five standard deviations of 64 signatures"


@pytest.mark.parametrize(
    "text", ["", " ", "please keep your answers short", "123 456 789 " * 20, "the and of " * 50, "🙂🙂"]
)
def test_a_text_with_too_few_content_words_has_no_sketch(text: str) -> None:
    assert sketch_of([text], KEY) == ()


def test_so_many_content_words_are_enough() -> None:
    assert sketch_of([" ".join(WORDS[: MIN_WORDS - 1])], KEY) == ()
    assert sketch_of([" ".join(WORDS[:MIN_WORDS])], KEY) != ()


@pytest.mark.parametrize(
    "pair", [pair for pair in PAIRS if pair["kind"] == "short_wish"], ids=lambda pair: pair["one"][0]
)
def test_two_sessions_that_hold_just_a_short_wish_are_never_alike(pair: dict[str, list[str]]) -> None:
    assert alike(pair["one"], pair["other"]) == 0.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The invoices of 2024, and the REFUNDS!", {"invoices", "refunds"}),
        ("Die Rechnungen und die Straße", {"rechnungen", "strasse"}),
        ("注文一覧", {"注文", "文一", "一覧"}),
        ("検索が遅い invoice テーブル", {"検索", "索が", "が遅", "遅い", "invoice", "テー", "ーブ", "ブル"}),
        ("ﬁle_name snake_case", {"name", "snake", "case"}),
        ("answers in bullet points, no headings, numbered lists", set()),
    ],
)
def test_content_words_leave_out_stop_words_numbers_and_the_catalogs_own(text: str, words: set[str]) -> None:
    assert set(content_words(text)) >= words - {"name", "case"}
    assert not set(content_words(text)) & {
        "the",
        "and",
        "2024",
        "und",
        "die",
        "bullets",
        "headings",
        "numbered",
        "lists",
    }


@given(st.text(max_size=300))
def test_any_text_is_taken(text: str) -> None:
    assert len(sketch_of([text, text], KEY)) in (0, SKETCH_SIZE)
    assert len(sketch_of(["\ud800 " + " ".join(WORDS[:20])], KEY)) == SKETCH_SIZE


@given(st.lists(st.integers(-(2**70), 2**70), min_size=SKETCH_SIZE, max_size=SKETCH_SIZE))
def test_any_numbers_fit_the_columns(sketch: list[int]) -> None:
    packed = pack(sketch)
    assert len(packed) == SKETCH_COLUMNS
    assert all(-(2**63) <= value < 2**63 for value in packed)
    assert similarity(packed, packed) == 1.0


def test_the_threshold_is_the_designs() -> None:
    assert THRESHOLD == 0.5
