"""Identities of messages: the same message everywhere, and never two messages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.ids import ID_PATTERN, IdKey
from habitus_schema.transcript import Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.identity import message_ids

KEY, OTHER_KEY = IdKey("k1", bytes(32)), IdKey("k2", bytes([1]) * 32)
LONG = "please move the feature flags from the environment to the settings table, and keep the old names working"
REPLY = "Done: flags are read from the settings table now, and old names still work through the alias map."


def _session(*texts: str, session: str = "s", names: tuple[str, ...] = ()) -> Transcript:
    speakers = (Speaker.PERSON, Speaker.ASSISTANT)
    turns = [
        Turn(speakers[at % 2], text, text, identity=names[at] if at < len(names) else "")
        for at, text in enumerate(texts)
    ]
    return Transcript(Format.HABITUS, session, turns)


def _ids(*texts: str, session: str = "s", names: tuple[str, ...] = (), key: IdKey = KEY) -> list[str | None]:
    return list(message_ids(_session(*texts, session=session, names=names), key))


def test_ids_stand_beside_the_turns_and_the_assistant_has_none() -> None:
    ids = _ids(LONG, REPLY, "shorter", "ok")
    assert [found is None for found in ids] == [False, True, False, True]


def test_the_same_opening_in_unrelated_sessions_is_not_the_same_message() -> None:
    assert _ids("hi", REPLY, session="a")[0] != _ids("hi", "Hello! How can I help you today?", session="b")[0]
    assert _ids(LONG, REPLY, session="a")[0] != _ids(LONG, "Which table do you mean?", session="b")[0]


@pytest.mark.parametrize("reply", [["Hello! How can I help you today?"], ["Ok."], []])
@pytest.mark.parametrize("opening", ["hi", "shorter answers please", "こんにちは", ""])
def test_a_generic_opening_with_a_generic_answer_is_told_apart_by_its_session(opening: str, reply: list[str]) -> None:
    assert _ids(opening, *reply, session="a")[0] != _ids(opening, *reply, session="b")[0]
    assert _ids(opening, *reply, session="a") == _ids(opening, *reply, session="a")


def test_what_nothing_tells_apart_has_no_identity() -> None:
    assert _ids("hi", "Hello!", session="") == [None, None]
    assert _ids("hi", session="") == [None]


def test_the_same_correction_in_unrelated_sessions_is_not_the_same_message() -> None:
    assert _ids("hi", "Hello!", "shorter", session="a")[2] != _ids("hi", "Hello!", "shorter", session="b")[2]
    assert _ids(LONG, REPLY, "shorter", session="a")[2] != _ids(REPLY, LONG, "shorter", session="b")[2]


def test_the_same_correction_twice_in_a_session_is_two_messages() -> None:
    ids = _ids(LONG, REPLY, "shorter", "Done.", "shorter")
    assert ids[2] != ids[4]


@given(st.integers(1, 5))
def test_a_log_that_repeats_earlier_turns_repeats_their_identities(turns: int) -> None:
    texts = [LONG, REPLY, "shorter", "Done.", "no tables", "Ok."]
    assert _ids(*texts, session="second")[: turns + 1] == _ids(*texts[: turns + 1], session="first")[: turns + 1]


def test_a_fork_shares_the_identities_up_to_where_it_leaves() -> None:
    one = _ids(LONG, REPLY, "shorter", "Done.", "no tables", session="a")
    two = _ids(LONG, REPLY, "shorter", "Done.", "as a list", session="b")
    assert one[:4] == two[:4]
    assert one[4] != two[4]


def test_white_space_and_letter_case_do_not_make_another_message() -> None:
    assert _ids(LONG.upper() + " \n", f" {REPLY}", "Shorter ") == _ids(LONG, REPLY, "shorter")


def test_a_unique_name_is_the_identity_whatever_stands_around() -> None:
    name = "00000000-0000-4000-8000-000000000001"
    assert _ids("hi", session="a", names=(name,)) == _ids("hello", session="b", names=(name,))
    assert _ids("hi", session="a", names=(name,)) != _ids("hi", session="a")


def test_no_text_can_pass_for_a_unique_name() -> None:
    assert _ids("x", session="", names=("named",)) != _ids("named", session="x")


def test_ids_are_keyed() -> None:
    plain, other = _ids(LONG, REPLY)[0], _ids(LONG, REPLY, key=OTHER_KEY)[0]
    assert plain is not None
    assert other is not None
    assert plain.partition("-")[2] != other.partition("-")[2]


def test_a_refusal_and_a_message_of_the_same_words_are_two() -> None:
    turns = [Turn(Speaker.PERSON, LONG, kind=kind) for kind in (TurnKind.MESSAGE, TurnKind.REFUSAL)]
    first, second = (message_ids(Transcript(Format.HABITUS, "", [turn]), KEY) for turn in turns)
    assert first != second


@given(st.lists(st.text(), min_size=1, max_size=8), st.text())
def test_every_message_of_a_named_session_has_an_identity_of_its_own(texts: list[str], session: str) -> None:
    found = [name for name in _ids(*texts, session=f"s{session}") if name]
    assert len(found) == len(set(found)) == (len(texts) + 1) // 2
    assert all(re.fullmatch(ID_PATTERN, name) for name in found)
