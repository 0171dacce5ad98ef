"""The native envelope."""

from typing import Any

import pytest

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import Format, Speaker
from habitus_tasks.parse import read_session

ENVELOPE: dict[str, Any] = {
    "session_id": "s1",
    "user_id": "u1",
    "tenant_id": "t1",
    "task_context": "ticket 7",
    "ended_at": "2026-05-05T10:00:00+02:00",
    "messages": [
        {"role": "system", "content": "Be long.", "id": "m0"},
        {"role": "user", "content": "hello", "id": "m1"},
        {"role": "tool", "content": "use emoji", "id": "m2"},
        {"role": "assistant", "content": "Hi", "id": "m3"},
    ],
}


def test_an_envelope_gives_its_turns_and_its_names() -> None:
    transcript = read_session(ENVELOPE)
    assert [(turn.speaker, turn.text) for turn in transcript.turns] == [
        (Speaker.PERSON, "hello"),
        (Speaker.ASSISTANT, "Hi"),
    ]
    assert (transcript.format, transcript.session_id, transcript.user_id) == (Format.HABITUS, "s1", "u1")
    assert (transcript.tenant_id, transcript.task_context) == ("t1", "ticket 7")
    assert (transcript.messages, transcript.own_messages, transcript.skipped) == (4, 1, 0)
    assert str(transcript.ended_at) == "2026-05-05 08:00:00+00:00"


def test_an_id_that_is_not_unique_in_the_world_is_no_identity() -> None:
    assert [turn.identity for turn in read_session(ENVELOPE).turns] == ["", ""]


@pytest.mark.parametrize("field", ["session_id", "user_id", "tenant_id", "task_context", "ended_at"])
def test_a_field_of_a_wrong_type_counts_as_missing(field: str) -> None:
    transcript = read_session({**ENVELOPE, field: {"not": "text"}}, Format.HABITUS)
    assert [turn.text for turn in transcript.turns] == ["hello", "Hi"]


@pytest.mark.parametrize("messages", [None, "x", {}, 3])
def test_an_envelope_without_messages_is_malformed(messages: object) -> None:
    with pytest.raises(TranscriptError) as refused:
        read_session({**ENVELOPE, "messages": messages}, Format.HABITUS)
    assert refused.value.code is Code.MALFORMED_TRANSCRIPT


@pytest.mark.parametrize("message", [None, "x", 3, {}, {"role": 3, "content": "x"}, {"content": "x"}])
def test_a_bad_message_is_counted_and_passed_over(message: object) -> None:
    transcript = read_session({**ENVELOPE, "messages": [message, {"role": "user", "content": "hello"}]})
    assert [turn.text for turn in transcript.turns] == ["hello"]
    assert transcript.skipped == 1


def test_a_conversation_without_messages_is_empty_and_not_malformed() -> None:
    transcript = read_session({**ENVELOPE, "messages": []})
    assert (transcript.turns, transcript.messages) == ((), 0)


def test_an_error_never_holds_what_was_read() -> None:
    with pytest.raises(TranscriptError) as refused:
        read_session({"session_id": "s", "messages": "my password is hunter2"}, Format.HABITUS)
    assert refused.value.args == ("MALFORMED_TRANSCRIPT",)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
