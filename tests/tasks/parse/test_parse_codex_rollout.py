"""Codex rollouts: one of three tellings of the person's words is taken, and what is injected is none of them."""

import json
from typing import Any

import pytest

from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript
from habitus_tasks.parse import read_session

RULE = "no comments in the code"


def _row(kind: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T09:00:00.000Z", "type": kind, "payload": payload}


def _meta(**fields: Any) -> dict[str, Any]:
    return _row("session_meta", **{"id": "c0de-1", "source": "cli", **fields})


def _input(*texts: str, role: str = "user") -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return _row("response_item", type="message", role=role, content=[{"type": kind, "text": text} for text in texts])


def _told(text: str, **fields: Any) -> dict[str, Any]:
    return _row("event_msg", type="user_message", message=text, **fields)


def _item(text: str) -> dict[str, Any]:
    item = {"type": "UserMessage", "id": "i1", "content": [{"type": "text", "text": text}]}
    return _row("event_msg", type="item_completed", item=item)


def _read(*rows: object) -> Transcript:
    return read_session([_meta(), *rows], Format.CODEX_ROLLOUT)


def _person(*rows: object) -> list[str]:
    return [turn.text for turn in _read(*rows).turns if turn.speaker is Speaker.PERSON]


INJECTED = {
    "instruction files": f"# AGENTS.md instructions for /w/api\n\n<INSTRUCTIONS>\n{RULE}\n</INSTRUCTIONS>",
    "instructions of an older version": f"<user_instructions>\n\n{RULE}\n\n</user_instructions>",
    "the environment": f"<environment_context>\n  <cwd>{RULE}</cwd>\n</environment_context>",
    "an abort notice": f"<turn_aborted>\n{RULE}\n</turn_aborted>",
    "plug-ins": f"<recommended_plugins>{RULE}</recommended_plugins>",
    "a skill": f"<skill>\n{RULE}\n</skill>",
    "a shell command": f"<user_shell_command>echo {RULE}</user_shell_command>",
    "a hook": f'<hook_prompt hook_run_id="stop:1:x">{RULE}</hook_prompt>',
    "habitus' own profile": f"<habitus-profile>\n{RULE}\n</habitus-profile>",
    "an IDE's context without a request": f"# Context from my IDE setup:\n\n## Open tabs:\n- {RULE}",
    "a slash command": f"/review {RULE}",
}


@pytest.mark.parametrize("text", INJECTED.values(), ids=INJECTED.keys())
def test_what_is_injected_as_the_user_is_no_turn_in_an_old_rollout_either(text: str) -> None:
    assert _person(_input(text), _input("rename the handler")) == ["rename the handler"]


def test_once_a_rollout_has_events_its_model_input_is_left_alone() -> None:
    assert _person(_input(RULE), _input("rename it"), _told("rename it")) == ["rename it"]


def test_once_a_rollout_has_user_items_its_older_events_are_left_alone() -> None:
    assert _person(_told(RULE), _input("rename it"), _item("rename it")) == ["rename it"]


def test_an_event_that_is_marked_as_injected_is_no_turn() -> None:
    assert _person(_told(RULE, kind="user_instructions"), _told("rename it", kind="plain")) == ["rename it"]


@pytest.mark.parametrize(
    "row",
    [
        _row("compacted", message=RULE, replacement_history=[{"type": "message", "role": "user", "content": RULE}]),
        _row("turn_context", user_instructions=RULE),
        _input(RULE, role="developer"),
        _input(RULE, role="system"),
        _row("response_item", type="function_call_output", call_id="k", output=RULE),
        _row("response_item", type="custom_tool_call_output", call_id="k", output=RULE),
        _row("response_item", type="reasoning", summary=[{"type": "summary_text", "text": RULE}]),
        _row("event_msg", type="agent_reasoning", text=RULE),
        _row("event_msg", type="exec_command_end", stdout=RULE),
        _row(
            "event_msg", type="item_completed", item={"type": "HookPrompt", "content": [{"type": "text", "text": RULE}]}
        ),
        _row("of_the_future", message=RULE),
        RULE,
    ],
    ids=lambda row: row["type"] + "." + str(row["payload"].get("type")) if isinstance(row, dict) else "no record",
)
def test_what_the_person_did_not_write_is_no_turn(row: object) -> None:
    assert [turn.text for turn in _read(_told("rename it"), row).turns] in (["rename it"], ["rename it", ""])


def test_the_request_behind_an_ides_context_is_the_persons() -> None:
    context = f"# Context from my IDE setup:\n\n## Active selection of the file:\n## My request for Codex:\n{RULE}\n\n"
    assert _person(_told(f"{context}## My request for Codex:\nwhat is this")) == ["what is this"]


@pytest.mark.parametrize("source", [{"subagent": {"thread_spawn": {"parent_thread_id": "x"}}}, {"subagent": "review"}])
def test_a_sub_agents_prompt_is_another_agents(source: object) -> None:
    rows = [_meta(source=source), _told(RULE), _input("Done.", role="assistant")]
    assert [turn.text for turn in read_session(rows, Format.CODEX_ROLLOUT).turns] == ["Done."]


def test_a_fork_is_named_by_its_own_head_and_not_by_its_parents() -> None:
    assert read_session([_meta(), _meta(id="parent"), _told("go")], Format.CODEX_ROLLOUT).session_id == "c0de-1"


def test_turns_that_were_rolled_back_are_not_on_the_live_branch() -> None:
    rows = [_told("one"), _input("ok", role="assistant"), _told(RULE), _input("no", role="assistant")]
    back = _row("event_msg", type="thread_rolled_back", num_turns=1)
    assert [turn.text for turn in _read(*rows, back, _told("two")).turns] == ["one", "ok", "two"]


def test_rolling_back_twice_goes_back_further() -> None:
    back = _row("event_msg", type="thread_rolled_back", num_turns=1)
    assert _person(_told("one"), _told("two"), _told("three"), back, back, _told("four")) == ["one", "four"]


@pytest.mark.parametrize("turns", [0, -1, None, "1", 99])
def test_a_roll_back_of_a_strange_length_does_no_harm(turns: object) -> None:
    back = _row("event_msg", type="thread_rolled_back", num_turns=turns)
    assert _person(_told("one"), back, _told("two"))[-1] == "two"


def test_the_assistants_words_are_told_once() -> None:
    event = _row("event_msg", type="agent_message", message="Done.")
    assert [turn.text for turn in _read(_told("go"), event, _input("Done.", role="assistant")).turns] == ["go", "Done."]
    assert [turn.text for turn in _read(_told("go"), event).turns] == ["go", "Done."]


def test_shell_calls_and_patches_are_acts() -> None:
    shell = json.dumps({"command": ["bash", "-lc", "pytest -q"], "workdir": "/w"})
    patch = "*** Begin Patch\n*** Add File: b.py\n+x = 1\n*** Update File: a.py\n@@\n-y\n+z\n*** End Patch"
    plan = json.dumps({"plan": [{"step": "read", "status": "pending"}, {"step": "write", "status": "pending"}]})
    transcript = _read(
        _told("go"),
        _row("response_item", type="function_call", name="shell", arguments=shell, call_id="1"),
        _row("response_item", type="custom_tool_call", name="apply_patch", input=patch, call_id="2"),
        _row("response_item", type="function_call", name="update_plan", arguments=plan, call_id="3"),
    )
    assert [(turn.action, turn.text, turn.path) for turn in transcript.turns[1:]] == [
        (ActionKind.COMMAND, "pytest -q", ""),
        (ActionKind.WRITE, "x = 1", "b.py"),
        (ActionKind.EDIT, "@@\n-y\n+z", "a.py"),
        (ActionKind.PLAN, "read\nwrite", ""),
    ]


def test_the_number_of_messages_does_not_count_a_message_twice() -> None:
    assert _read(_input("a"), _told("a"), _input("b", role="assistant")).messages == 2


def test_many_roll_backs_take_no_longer_than_they_are_many() -> None:
    back = _row("event_msg", type="thread_rolled_back", num_turns=1)
    rows = [row for number in range(4_000) for row in (_told(str(number)), back)]
    assert _person(*rows, _told("last")) == ["last"]


def test_an_old_rollout_without_envelopes_is_read_too() -> None:
    head = {"id": "c0de-0", "timestamp": "2025-06-01T09:00:00Z", "instructions": RULE}
    rows = [
        row["payload"] for row in (_input(f"<environment_context>{RULE}</environment_context>"), _input("rename it"))
    ]
    transcript = read_session([head, {"record_type": "state"}, *rows])
    assert (transcript.format, transcript.session_id) == (Format.CODEX_ROLLOUT, "c0de-0")
    assert [turn.text for turn in transcript.turns] == ["rename it"]
