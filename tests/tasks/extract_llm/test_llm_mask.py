"""What is private is hidden before it leaves the process, and wishes are not."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.transcript import Format, Speaker
from habitus_tasks.barriers import refusal
from habitus_tasks.extract_llm.config import Masking
from habitus_tasks.extract_llm.mask import SHAPES, Mask
from habitus_tasks.extract_llm.tongue import Tongue, tongue_of
from habitus_tasks.parse import read_session

DATA = Path(__file__).parents[2] / "data"
HIDDEN = re.compile(r"\[hidden \d+\]")
SCHEMA_KINDS = {"unknown_dimension", "unknown_value", "bad_count", "empty_note", "below_k"}


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def notes(private: bool) -> list[str]:
    found = []
    for row in [*rows("gate_dev.jsonl"), *rows("gate_own.jsonl")]:
        note, kind = row["source_justification_note"], str(row["kind"])
        if isinstance(note, str) and note and kind not in SCHEMA_KINDS and kind.startswith("clean") is not private:
            found.append(note)
    return found


def hidden(text: str, level: Masking = Masking.WORDS) -> str:
    return Mask(level).hide(text)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("shorter answers please", "shorter answers please"),
        ("as always for Halvorsen: no tables", "as always for [hidden 1]: no tables"),
        ("mail it to r.oliveira@example.com, without emoji!", "mail it to [hidden 1], without emoji!"),
        ("look in /srv/pernath/log and C:\\Kasse\\x.txt", "look in [hidden 1] and [hidden 2]"),
        ("call +351 912 345 678, then use tabs", "call [hidden 1], then use tabs"),
        ("under 150 words, four backticks, 2 spaces", "under 150 words, four backticks, 2 spaces"),
        ("ich will für Frau Brettschneider keine Tabellen und nie Emojis", None),
        ("Halvorsen wants it. halvorsen always does, HALVORSEN too", None),
        ("no \u200btables", "no tables"),
        ("Of course, tables. No absence", "Of course, tables. No [hidden 1]"),
        ("of  course, and a course", "of  [hidden 1], and a [hidden 1]"),
        ("сделай короче", "сделай короче"),
        ("ｓｈｏｒｔｅｒ please", "shorter please"),
    ],
)
def test_private_strings_go_and_the_wish_stays(text: str, sent: str | None) -> None:
    masked = hidden(text)
    if sent is not None:
        assert masked == sent
    assert not re.search("halvorsen|brettschneider", masked, re.I)


def test_the_same_name_has_the_same_number_throughout_a_session() -> None:
    mask = Mask(Masking.WORDS)
    assert mask.hide("tables for Halvorsen and Osric") == "tables for [hidden 1] and [hidden 2]"
    assert mask.hide("halvorsen again") == "[hidden 1] again"
    assert (mask.name(1), mask.name(2), mask.name(3), mask.name(None)) == ("halvorsen", "osric", "", "")
    assert "halvorsen" not in repr(mask)


def test_switched_off_it_changes_nothing() -> None:
    assert hidden("for Halvorsen, r@example.com \u200b", Masking.OFF) == "for Halvorsen, r@example.com \u200b"


def test_every_private_note_of_the_gate_s_sets_loses_something_and_no_clean_one_does() -> None:
    """And what is left of a private note passes the gate nearly always: it is quotations and code that are left."""
    private, clean = notes(private=True), notes(private=False)
    assert len(private) > 800
    assert len(clean) > 500
    sent = {note: hidden(note) for note in private}
    assert [note for note, masked in sent.items() if not HIDDEN.search(masked)] == []
    assert [note for note in clean if HIDDEN.search(hidden(note))] == []
    assert sum(refusal(HIDDEN.sub("it", masked)) is not None for masked in sent.values()) <= 0.03 * len(private)


def test_of_the_private_strings_of_sessions_none_in_latin_letters_is_sent() -> None:
    sent, total = [], 0
    for row in rows("extraction_dev.jsonl"):
        transcript = read_session(row["session"], Format(str(row["format"])))
        own = [turn.prose for turn in transcript.turns if turn.speaker is Speaker.PERSON]
        mask = Mask(Masking.WORDS)
        masked = "\n".join(map(mask.hide, own))
        latin = [each for each in row.get("private", ()) if each.isascii() and each in "\n".join(own)]  # type: ignore[attr-defined]
        total += len(latin)
        sent += [each for each in latin if each in masked]
    assert total >= 20
    assert sent == []


PIECES = [
    "for Halvorsen", "r.oliveira@example.com", "/srv/pernath/log", "+351 912 345 678", "10.2.33.4", "HV-81255", "tabs",
    "please", "no tables", "for", "Frau", "короче", "别加注释", "`", ". ", ", ", "\n", "4111 1111 1111 1111", "\u200b",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=12).map(" ".join))
def test_a_line_in_which_nothing_is_hidden_holds_no_shape_that_a_barrier_knows(text: str) -> None:
    for line in hidden(text).split("\n"):
        if not HIDDEN.search(line):
            assert [barrier.name for barrier in SHAPES if barrier.refuses(line)] == []


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_no_private_piece_of_any_text_is_sent(text: str) -> None:
    sent = hidden(text)
    for private in ("Halvorsen", "oliveira", "pernath", "912 345", "10.2.33.4", "81255", "1111"):
        assert private not in sent


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("keep it short, and please no tables", Tongue.ENGLISH),
        ("", Tongue.ENGLISH),
        ("ich möchte bitte keine Kommentare in dem Code und nicht so lange Antworten", Tongue.GERMAN),
        ("trop long, garde seulement l'essentiel s'il te plaît", Tongue.OTHER),
        ("ngắn gọn thôi, đừng giải thích dài dòng nữa", Tongue.OTHER),
        ("короче, пожалуйста", Tongue.OTHER_SCRIPT),
        ("别加注释，tabs 缩进", Tongue.OTHER_SCRIPT),
    ],
)
def test_the_way_a_text_is_written_is_told_from_its_words(text: str, tongue: Tongue) -> None:
    assert tongue_of(text) is tongue
