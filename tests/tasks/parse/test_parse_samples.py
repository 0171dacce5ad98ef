"""What the readers make of a small file of each format: the person's words, and nothing else of a ``user`` record."""

from pathlib import Path

import pytest

from habitus_schema.transcript import Format, Speaker, Transcript
from habitus_tasks.parse import read

DATA = Path(__file__).parents[2] / "data" / "transcripts"

SAMPLES = {
    "aider.chat.history.md": [(Format.AIDER, "", ["keep it short, dont add comments\nand one file only"])],
    "api_logs.jsonl": [
        (Format.OPENAI_CHAT, "", ["shorter, and no bullet points"]),
        (Format.OPENAI_RESPONSES, "", ["diff only next time"]),
        (Format.OPENAI_RESPONSES, "", ["just a plain string prompt"]),
        (Format.ANTHROPIC_MESSAGES, "", ["kurze Antworten bitte", "ok, and ask me before you commit"]),
    ],
    "chatgpt_conversations.json": [(Format.CHATGPT_EXPORT, "conv-1", ["plain prose please, no table"])],
    "claude_code_session.jsonl": [
        (Format.CLAUDE_CODE, "5e55-1", ["fix the cart total. short answers pls", "and don't touch the tests"]),
    ],
    "codex_rollout_legacy.jsonl": [
        (Format.CODEX_ROLLOUT, "c0de-1", ["rename the handler, no comments in the code"]),
    ],
    "codex_rollout_new.jsonl": [(Format.CODEX_ROLLOUT, "c0de-2", [])],  # a sub-agent: another agent wrote its prompt
    "cursor_agent_transcript.jsonl": [(Format.CURSOR, "", ["only change this file, nothing else"])],
    "gemini_session.json": [
        (Format.GEMINI_CLI, "37ba9021-0000-4000-8000-000000000001", ["日本語で、短く答えて"]),
    ],
    "opencode_messages.json": [(Format.OPENCODE, "ses1", ["pas d'emoji stp"])],
    "specstory_history.md": [(Format.SPECSTORY, "", ["1 by 1! explain the finding, don't fix anything yet"])],
}


def _read(name: str) -> list[Transcript]:
    with (DATA / name).open("rb") as stream:
        sessions = list(read(stream))
    assert all(isinstance(session, Transcript) for session in sessions)
    return [session for session in sessions if isinstance(session, Transcript)]


@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample_gives_exactly_the_persons_words(name: str) -> None:
    found = [
        (session.format, session.session_id, [turn.text for turn in session.turns if turn.speaker is Speaker.PERSON])
        for session in _read(name)
    ]
    assert found == SAMPLES[name]


def test_every_sample_is_tested() -> None:
    assert {path.name for path in DATA.iterdir() if path.suffix in (".md", ".json", ".jsonl")} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_that_is_named_reads_the_same_as_one_that_is_detected(name: str) -> None:
    for number, session in enumerate(_read(name)):
        with (DATA / name).open("rb") as stream:
            named = list(read(stream, session.format))[number]
        assert isinstance(named, Transcript)
        assert list(named.turns) == list(session.turns)


def test_bad_and_unknown_records_are_counted() -> None:
    (session,) = _read("claude_code_session.jsonl")
    assert session.skipped == 3  # a type of the future, a line of NULs, a truncated last line
    assert session.messages == 13


def test_nothing_of_a_session_shows_in_its_repr() -> None:
    (session,) = _read("claude_code_session.jsonl")
    assert "cart" not in repr(session)
    assert all("cart" not in repr(turn) for turn in session.turns)
