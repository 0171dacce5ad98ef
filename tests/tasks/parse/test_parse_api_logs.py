"""API logs: requests of three APIs, of which each repeats the conversation so far."""

import json
from io import BytesIO
from typing import Any

import pytest

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.models import Rejection
from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript
from habitus_tasks.parse import read, read_session

RULE = "shorter, and no bullet points"
CHAT, RESPONSES, MESSAGES = Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES


def _person(session: object, format_: Format | None = None) -> list[str]:
    return [turn.text for turn in read_session(session, format_).turns if turn.speaker is Speaker.PERSON]


def _log(*records: object) -> list[Transcript | Rejection]:
    return list(read(BytesIO("\n".join(json.dumps(record) for record in records).encode())))


@pytest.mark.parametrize(
    "message",
    [
        {"role": "system", "content": RULE},
        {"role": "developer", "content": RULE},
        {"role": "tool", "tool_call_id": "c", "content": RULE},
        {"role": "function", "name": "f", "content": RULE},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": RULE}, "text": RULE}]},
        {"role": "user", "content": [{"type": "file", "file": {"file_data": RULE}}]},
        {"role": "user", "content": None},
        {"role": "user", "content": f"<habitus-profile>\n{RULE}\n</habitus-profile>"},
        {"content": RULE},
        RULE,
    ],
    ids=str,
)
def test_a_chat_request_holds_the_persons_words_in_text_of_the_user_only(message: object) -> None:
    assert _person({"messages": [{"role": "user", "content": "hello"}, message]}, CHAT) == ["hello"]


@pytest.mark.parametrize("content", [RULE, [{"type": "text", "text": RULE}]])
def test_a_chat_requests_content_is_text_or_parts(content: object) -> None:
    assert _person({"messages": [{"role": "user", "content": content}]}, CHAT) == [RULE]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_result", "tool_use_id": "t", "content": RULE},
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": RULE}]},
        {"type": "document", "title": RULE, "source": {"type": "text", "data": RULE}},
        {"type": "search_result", "content": [{"type": "text", "text": RULE}]},
        {"type": "text", "text": f"<system-reminder>{RULE}</system-reminder>"},
        {"type": "of_the_future", "text": RULE},
    ],
    ids=str,
)
def test_a_block_beside_the_persons_text_is_not_theirs(block: dict[str, Any]) -> None:
    content = [block, {"type": "text", "text": "hello"}]
    assert _person({"messages": [{"role": "user", "content": content}]}, MESSAGES) == ["hello"]


def test_system_text_of_a_request_is_not_the_persons() -> None:
    assert _person({"system": RULE, "messages": [{"role": "user", "content": "hello"}]}) == ["hello"]
    assert _person({"instructions": RULE, "input": "hello"}) == ["hello"]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function_call_output", "call_id": "c", "output": RULE},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": RULE}]},
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": RULE}]},
        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": RULE}]},
        {"type": "item_reference", "id": RULE},
        RULE,
    ],
    ids=str,
)
def test_an_item_of_a_responses_request_that_is_no_message_of_the_user_is_no_turn(item: object) -> None:
    message = {"role": "user", "content": [{"type": "input_text", "text": "hello"}]}
    assert _person({"input": [message, item]}, RESPONSES) == ["hello"]


@pytest.mark.parametrize(
    ("session", "format_"),
    [
        ({"messages": "x"}, CHAT),
        ({"messages": None}, MESSAGES),
        ({"input": 5}, RESPONSES),
        ({}, CHAT),
        ([], CHAT),
        (5, CHAT),
    ],
)
def test_a_request_without_messages_is_malformed(session: object, format_: Format) -> None:
    with pytest.raises(TranscriptError) as refused:
        read_session(session, format_)
    assert refused.value.code is Code.MALFORMED_TRANSCRIPT


DETECTED = [
    ({"messages": [{"role": "user", "content": "x"}], "model": "gpt-x"}, CHAT),
    ({"messages": [{"role": "user", "content": "x"}]}, CHAT),
    ({"messages": [{"role": "user", "content": "x"}], "model": "claude-x"}, MESSAGES),
    ({"messages": [{"role": "user", "content": "x"}], "system": "s"}, MESSAGES),
    ({"messages": [{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}]}, MESSAGES),
    ({"input": "x", "model": "gpt-x"}, RESPONSES),
    ({"input": [{"role": "user", "content": "x"}]}, RESPONSES),
    (
        {"custom_id": "1", "method": "POST", "body": {"messages": [{"role": "user", "content": "x"}], "model": "m"}},
        CHAT,
    ),
    ({"request": {"input": "x"}, "response": {"output": []}}, RESPONSES),
]


@pytest.mark.parametrize(("session", "format_"), DETECTED)
def test_the_api_is_told_from_the_request(session: object, format_: Format) -> None:
    assert read_session(session).format is format_
    assert _person(session) in (["x"], [])


def test_the_reply_that_a_log_keeps_beside_the_request_is_the_assistants() -> None:
    asked = [{"role": "user", "content": "hello"}]
    chat = {
        "request": {"messages": asked},
        "response": {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]},
    }
    messages = {
        "request": {"messages": asked, "system": "s"},
        "response": {"role": "assistant", "content": [{"type": "text", "text": "Hi"}]},
    }
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]}
    responses = {"request": {"input": "hello"}, "response": {"output": [item]}}
    for record in (chat, messages, responses):
        assert [turn.text for turn in read_session(record).turns] == ["hello", "Hi"]


def test_calls_of_the_assistant_are_acts() -> None:
    arguments = json.dumps({"path": "a.py", "content": "x = 1"})
    chat = {
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "w", "arguments": arguments}}]}
        ]
    }
    call = {"type": "tool_use", "id": "t", "name": "w", "input": {"path": "a.py", "content": "x = 1"}}
    messages = {"messages": [{"role": "assistant", "content": [call]}]}
    responses = {"input": [{"type": "function_call", "name": "w", "arguments": arguments}]}
    for record, format_ in ((chat, CHAT), (messages, MESSAGES), (responses, RESPONSES)):
        (turn,) = read_session(record, format_).turns
        assert (turn.action, turn.text, turn.path) == (ActionKind.WRITE, "x = 1", "a.py")


def _chat(*texts: str) -> dict[str, Any]:
    roles = ("user", "assistant")
    return {"messages": [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]}


def _texts(sessions: list[Transcript | Rejection]) -> list[list[str]]:
    return [[turn.text for turn in session.turns] for session in sessions if isinstance(session, Transcript)]


def test_requests_that_go_on_from_one_another_are_one_session() -> None:
    sessions = _log(_chat("a"), _chat("a", "b", "c"), _chat("a", "b", "c", "d", "e"))
    assert _texts(sessions) == [["a", "b", "c", "d", "e"]]


def test_interleaved_conversations_are_told_apart() -> None:
    sessions = _log(_chat("a"), _chat("x"), _chat("a", "b", "c"), _chat("x", "y", "z"))
    assert _texts(sessions) == [["a", "b", "c"], ["x", "y", "z"]]


def test_a_fork_is_a_session_of_its_own() -> None:
    assert _texts(_log(_chat("a", "b", "c"), _chat("a", "b", "d"))) == [["a", "b", "c"], ["a", "b", "d"]]


def test_unrelated_requests_stay_in_the_order_of_the_log() -> None:
    records = [_chat(str(number)) for number in range(200)]
    assert _texts(_log(*records)) == [[str(number)] for number in range(200)]


def test_a_broken_request_leaves_a_rejection_in_its_place() -> None:
    sessions = _log(_chat("a"), {"model": "m", "messages": 5}, _chat("b"), {"what": "ever"})
    assert [getattr(session, "code", None) for session in sessions] == [
        None,
        Code.UNSUPPORTED_FORMAT,
        None,
        Code.UNSUPPORTED_FORMAT,
    ]


def test_a_session_is_named_by_its_conversation_before_its_call() -> None:
    assert read_session({**_chat("a"), "id": "call-1"}).session_id == "call-1"
    assert read_session({**_chat("a"), "id": "call-1", "session_id": "s", "model": "m"}).session_id == "s"
    assert read_session(_chat("a")).session_id == ""


@pytest.mark.parametrize(
    "time", [1756700100, 1756700100.0, 1756700100000, "2025-09-01T04:15:00Z", "2025-09-01T04:15:00"]
)
def test_the_time_of_a_call_is_read_in_any_common_form(time: object) -> None:
    ended = read_session({**_chat("a"), "created": time}).ended_at
    assert ended is not None
    assert ended.isoformat() == "2025-09-01T04:15:00+00:00"


@pytest.mark.parametrize("time", ["yesterday", 1e300, float("nan"), None, True, [], -1e18])
def test_a_time_that_is_none_is_left_out(time: object) -> None:
    assert read_session({**_chat("a"), "created": time}).ended_at is None
