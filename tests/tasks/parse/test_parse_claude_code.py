"""Claude Code sessions: who wrote what in records that all say ``user``."""

from typing import Any

import pytest

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.parse import Limits, read_session

RULE = "always answer in bullets, no emoji"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def _uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def _record(number: int, kind: str, content: object, parent: int | None = -1, **fields: Any) -> dict[str, Any]:
    """A record; its parent is the one before it unless another number, or None for a root, is given."""
    parent = number - 1 if parent == -1 else parent
    return {
        "type": kind,
        "uuid": _uuid(number),
        "parentUuid": _uuid(parent) if parent else None,
        "sessionId": "5e55",
        "timestamp": f"2026-09-01T10:00:{number % 60:02d}.000Z",
        "isSidechain": False,
        "message": {"role": kind, "content": content},
        **fields,
    }


def _user(number: int, content: object, parent: int | None = -1, **fields: Any) -> dict[str, Any]:
    return _record(number, "user", content, parent, **fields)


def _reply(number: int, text: str = "Done.", parent: int | None = -1, **fields: Any) -> dict[str, Any]:
    return _record(number, "assistant", [{"type": "text", "text": text}], parent, **fields)


def _call(number: int, name: str, given: dict[str, Any], parent: int | None = -1) -> dict[str, Any]:
    return _record(
        number, "assistant", [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}], parent
    )


def _result(number: int, call: int, content: object, **fields: Any) -> dict[str, Any]:
    error = {"is_error": True} if fields.pop("error", False) else {}
    return _user(number, [{"type": "tool_result", "tool_use_id": f"t{call}", "content": content, **error}], **fields)


def _read(*records: object) -> Transcript:
    return read_session(list(records), Format.CLAUDE_CODE)


def _person(*records: object) -> list[str]:
    return [turn.text for turn in _read(*records).turns if turn.speaker is Speaker.PERSON]


def _edits(transcript: Transcript) -> list[Turn]:
    return [turn for turn in transcript.turns if turn.kind is TurnKind.EDIT]


NOT_THE_PERSON = {
    "a tool result": _result(2, 1, RULE),
    "a tool result of several blocks": _result(2, 1, [{"type": "text", "text": RULE}]),
    "text beside a tool result": _user(2, [{"type": "tool_result", "content": "x"}, {"type": "text", "text": RULE}]),
    "a record with a tool's result beside the message": _user(2, RULE, toolUseResult={"type": "text"}),
    "a record that came from an assistant's call": _user(2, RULE, sourceToolAssistantUUID=_uuid(1)),
    "a denied call without a reason of the person": _user(2, RULE, toolDenialKind="policy"),
    "text of the harness": _user(2, RULE, isMeta=True),
    "a compaction summary": _user(2, RULE, isCompactSummary=True, isVisibleInTranscriptOnly=True),
    "a summary that is only marked as visible": _user(2, RULE, isVisibleInTranscriptOnly=True),
    "a summary without a mark": _user(2, f"This session is being continued from a previous conversation. {RULE}"),
    "a sub-agent's prompt": _user(2, RULE, isSidechain=True),
    "a sub-agent's prompt, marked by its agent": _user(2, RULE, agentId="a1"),
    "another agent": _user(2, RULE, origin={"kind": "peer"}),
    "a task's notice": _user(2, RULE, origin={"kind": "task-notification"}),
    "a chat channel": _user(2, RULE, origin={"kind": "channel"}),
    "an origin that is not attributed": _user(2, RULE, origin={"kind": "unclassified"}),
    "an origin of unknown shape": _user(2, RULE, origin="human"),
    "a suggestion that the person only accepted": _user(2, RULE, promptSource="suggestion_accepted"),
    "a message of another role": _user(2, RULE, message={"role": "system", "content": RULE}),
    "a plan that the harness hands over": _user(2, f"Implement the following plan:\n\n{RULE}", None),
    "a plan's own field": _user(2, RULE, planContent=RULE),
    "a reminder": _user(2, f"<system-reminder>\n{RULE}\n</system-reminder>"),
    "a reminder that holds a closing tag": _user(2, f"<system-reminder>x</system-reminder> {RULE}</system-reminder>"),
    "a reminder that is cut off": _user(2, f"<system-reminder>\n{RULE}"),
    "a slash command's echo": _user(2, f"<command-name>/x</command-name>\n<command-args>{RULE}</command-args>"),
    "a slash command as typed": _user(2, f"/review {RULE}"),
    "a command's output": _user(2, f"<local-command-stdout>{RULE}</local-command-stdout>"),
    "a typed shell command": _user(2, f"<bash-input>echo {RULE}</bash-input>"),
    "a shell command's output": _user(2, f"<bash-stdout>{RULE}</bash-stdout><bash-stderr></bash-stderr>"),
    "an interruption": _user(2, [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
    "a hook's feedback without a mark": _user(2, f"Stop hook feedback:\n- {RULE}"),
    "an IDE's selection": _user(2, f"<ide_selection>{RULE}</ide_selection>"),
    "recalled memory": _user(2, f"<claude-mem-context>{RULE}</claude-mem-context>"),
    "habitus' own profile": _user(2, f"<habitus-profile>\n{RULE}\n</habitus-profile>"),
    "a timer": _user(2, f"<scheduled-task>{RULE}</scheduled-task>"),
    "an image": _user(2, [{"type": "image", "source": {"data": RULE}}]),
    "an attached document": _user(2, [{"type": "document", "title": RULE, "source": {"data": RULE}}]),
    "an unknown kind of block": _user(2, [{"type": "of_the_future", "text": RULE}]),
    "a queued notice": {
        "type": "attachment",
        "uuid": _uuid(2),
        "attachment": {"type": "queued_command", "prompt": RULE, "origin": {"kind": "task-notification"}},
    },
    "a queued notice of an older version": {
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": RULE, "commandMode": "task-notification"},
    },
    "another attachment": {"type": "attachment", "attachment": {"type": "hook_success", "content": RULE}},
    "a hook's additional context": {
        "type": "attachment",
        "attachment": {"type": "hook_additional_context", "content": RULE},
    },
    "a queue operation": {"type": "queue-operation", "operation": "enqueue", "content": RULE},
    "the last prompt's copy": {"type": "last-prompt", "lastPrompt": RULE, "sessionId": "5e55"},
    "a title": {"type": "ai-title", "title": RULE},
    "a system row": {"type": "system", "subtype": "compact_boundary", "content": RULE, "uuid": _uuid(2)},
    "a summary row": {"type": "summary", "summary": RULE, "leafUuid": _uuid(1)},
    "a type of the future": {"type": "of-the-future", "message": {"role": "user", "content": RULE}},
    "no record at all": RULE,
    "thinking": _record(2, "assistant", [{"type": "thinking", "thinking": RULE}]),
}


@pytest.mark.parametrize("record", NOT_THE_PERSON.values(), ids=NOT_THE_PERSON.keys())
def test_what_the_person_did_not_write_is_no_turn(record: object) -> None:
    records = [_user(1, "fix the total", None), record, _user(3, "thanks", 2)]  # behind it, on the same branch
    assert [turn.text for turn in _read(*records).turns] == ["fix the total", "thanks"]


THE_PERSON = {
    "a bare string": _user(2, RULE),
    "a text block": _user(2, [{"type": "text", "text": RULE}]),
    "an image with text": _user(2, [{"type": "image", "source": {}}, {"type": "text", "text": RULE}]),
    "a human origin": _user(2, RULE, origin={"kind": "human"}, promptSource="typed"),
    "a queued prompt": _user(2, RULE, promptSource="queued"),
    "after a reminder in its own block": _user(
        2, [{"type": "text", "text": "<system-reminder>x</system-reminder>"}, {"type": "text", "text": RULE}]
    ),
    "after a reminder in the same text": _user(2, f"<system-reminder>x</system-reminder>\n{RULE}"),
    "before a reminder in the same text": _user(2, f"{RULE}\n<system-reminder>x</system-reminder>"),
    "beside habitus' own profile": _user(2, f"<habitus-profile>\nx\n</habitus-profile>\n{RULE}"),
    "queued while the assistant worked": {
        "type": "attachment",
        "uuid": _uuid(2),
        "parentUuid": _uuid(1),
        "attachment": {"type": "queued_command", "prompt": RULE, "origin": {"kind": "human"}},
    },
    "queued as blocks": {
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": [{"type": "text", "text": RULE}], "commandMode": "prompt"},
    },
    "no ids at all": {"type": "user", "message": {"role": "user", "content": RULE}},
}


@pytest.mark.parametrize("record", THE_PERSON.values(), ids=THE_PERSON.keys())
def test_what_the_person_wrote_is_a_turn(record: object) -> None:
    assert _person(_user(1, "fix the total", None), record) == ["fix the total", RULE]


def test_a_path_at_the_start_of_a_message_is_no_slash_command() -> None:
    assert _person(_user(1, "/etc/hosts is wrong, why", None)) == ["/etc/hosts is wrong, why"]


@pytest.mark.parametrize("note", [f"<user-memory-input>{RULE}</user-memory-input>", f"# {RULE}", f"#{RULE}"])
def test_a_memory_note_is_the_persons_and_standing(note: str) -> None:
    (turn,) = _read(_user(1, note, None)).turns
    assert (turn.kind, turn.text) == (TurnKind.MEMORY, RULE)


@pytest.mark.parametrize("text", ["#123 still fails", "# Title\n\nthe text of a pasted file", "## a heading"])
def test_a_hash_sign_alone_makes_no_memory_note(text: str) -> None:
    (turn,) = _read(_user(1, text, None)).turns
    assert (turn.kind, turn.text) == (TurnKind.MESSAGE, text)


def _refused(text: str, told: object = f"Error: {REFUSED}", name: str = "Edit", **fields: Any) -> list[str]:
    fields.setdefault("error", True)
    records = [_user(1, "go", None), _call(2, name, {"file_path": "a.py", "new_string": "x"})]
    return _person(*records, _result(3, 2, text, toolUseResult=told, **fields))[1:]


def test_the_reason_for_refusing_a_call_is_the_persons() -> None:
    assert _refused(f"{REFUSED}{RULE}") == [RULE]
    assert _refused(f"{REFUSED}{RULE}", told="User rejected tool use") == [RULE]
    assert _refused(f"{REFUSED}{RULE}", told=None, toolDenialKind="user") == [RULE]
    note = "\n\nNote: The user's next message may contain a correction or preference."
    assert _refused(REFUSED + RULE + note) == [RULE]


def test_a_refusal_is_marked_as_one() -> None:
    records = [_call(1, "Bash", {"command": "ls"}, None)]
    transcript = _read(*records, _result(2, 1, REFUSED + RULE, error=True, toolUseResult=f"Error: {REFUSED}"))
    assert transcript.turns[-1].kind is TurnKind.REFUSAL
    assert transcript.turns[-1].identity == _uuid(2)


def test_output_that_imitates_a_refusal_is_not_the_persons() -> None:
    assert _refused(f"{REFUSED}{RULE}", error=False) == []
    assert _refused(f"{REFUSED}{RULE}", told={"stdout": "x"}) == []
    assert _refused(f"{REFUSED}{RULE}", told=f"Error: Exit code 1\n{REFUSED}") == []
    assert _refused(f"Exit code 1\n{REFUSED}{RULE}") == []
    assert _refused(f"{REFUSED}{RULE}", name="mcp__web__fetch") == []


def test_a_refusal_without_a_reason_is_no_turn() -> None:
    assert _refused(REFUSED) == []
    assert _refused("The user doesn't want to proceed with this tool use.") == []


def test_an_edit_of_a_proposal_shows_both_versions() -> None:
    records = [_call(1, "Write", {"file_path": "/a/b.py", "content": "# sum\nx = 1\n"}, None)]
    outcome = {"type": "create", "filePath": "/a/b.py", "content": "x = 1\n", "userModified": True}
    (edit,) = _edits(_read(*records, _result(2, 1, "File created", toolUseResult=outcome)))
    assert (edit.proposed, edit.kept, edit.path) == ("# sum\nx = 1\n", "x = 1\n", "/a/b.py")
    assert (edit.speaker, edit.prose) == (Speaker.PERSON, "")


def test_an_edit_of_a_replacement_shows_both_versions() -> None:
    records = [_call(1, "Edit", {"file_path": "b.py", "old_string": "a", "new_string": 'b = "x"'}, None)]
    outcome = {"filePath": "b.py", "oldString": "a", "newString": "b = 'x'", "userModified": True}
    (edit,) = _edits(_read(*records, _result(2, 1, "updated", toolUseResult=outcome)))
    assert (edit.proposed, edit.kept) == ('b = "x"', "b = 'x'")


@pytest.mark.parametrize(
    "outcome",
    [
        {"filePath": "b.py", "newString": "other", "userModified": False},
        {"filePath": "b.py", "newString": "x", "userModified": True},
        {"filePath": "b.py", "userModified": True},
        {"filePath": "b.py", "newString": "other", "userModified": "yes"},
    ],
    ids=["not modified", "the same text", "no text", "no flag"],
)
def test_a_result_that_shows_no_edit_gives_none(outcome: dict[str, Any]) -> None:
    records = [_call(1, "Edit", {"file_path": "b.py", "new_string": "x"}, None)]
    assert _edits(_read(*records, _result(2, 1, "updated", toolUseResult=outcome))) == []


def test_an_edit_record_without_its_call_gives_none() -> None:
    outcome = {"filePath": "b.py", "newString": "x", "userModified": True}
    assert _edits(_read(_result(1, 9, "updated", toolUseResult=outcome))) == []


def _answered(answer: str, name: str = "AskUserQuestion") -> list[str]:
    options = [{"label": "Redis"}, {"label": "SQLite"}]
    outcome = {"questions": [{"question": "Which store?", "options": options}], "answers": {"Which store?": answer}}
    return _person(_call(1, name, {"questions": []}, None), _result(2, 1, "answered", toolUseResult=outcome))


def test_an_answer_that_was_typed_is_the_persons_and_a_picked_option_is_not() -> None:
    assert _answered(RULE) == [RULE]
    assert _answered("Redis") == _answered("Redis, SQLite") == _answered(RULE, "Read") == []


def test_the_assistants_words_and_acts_are_kept_in_order() -> None:
    transcript = _read(
        _user(1, "go", None),
        _reply(2, "I will edit."),
        _call(3, "Edit", {"file_path": "a.py", "old_string": "a", "new_string": "b"}),
        _result(4, 3, "ok"),
        _call(5, "Bash", {"command": "pytest -q"}),
    )
    assert [(turn.speaker, turn.action, turn.text, turn.path) for turn in transcript.turns] == [
        (Speaker.PERSON, None, "go", ""),
        (Speaker.ASSISTANT, None, "I will edit.", ""),
        (Speaker.ASSISTANT, ActionKind.EDIT, "b", "a.py"),
        (Speaker.ASSISTANT, ActionKind.COMMAND, "pytest -q", ""),
    ]


def test_an_api_error_is_not_what_the_assistant_said() -> None:
    synthetic = _reply(2)
    synthetic["message"]["model"] = "<synthetic>"
    assert [turn.text for turn in _read(_user(1, "go", None), synthetic).turns] == ["go"]


def test_a_reply_written_in_many_lines_is_told_once() -> None:
    first, again = _reply(2, "Done."), _reply(3, "Done.")
    first["message"]["id"] = again["message"]["id"] = "msg_1"
    assert [turn.text for turn in _read(_user(1, "go", None), first, again).turns] == ["go", "Done."]


def test_a_record_that_is_written_again_counts_once() -> None:
    rows = [_user(1, "go", None), _reply(2), _user(3, RULE)]
    assert _person(*rows, *rows, *rows[:1]) == ["go", RULE]


def test_a_history_written_again_under_new_ids_counts_once() -> None:
    once = [_user(1, "go", None), _reply(2, "Which one?")]
    again = [_user(11, "go", None), _reply(12, "Which one?"), _user(13, RULE)]
    assert _person(*once, *again) == ["go", RULE]


def test_the_same_word_said_twice_stays_twice() -> None:
    assert _person(_user(1, "go", None), _reply(2, "a"), _user(3, "on"), _reply(4, "b"), _user(5, "on")) == [
        "go",
        "on",
        "on",
    ]


def test_a_queued_message_that_comes_back_as_a_record_counts_once() -> None:
    queued = {"type": "attachment", "uuid": _uuid(2), "attachment": {"type": "queued_command", "prompt": RULE}}
    assert _person(_user(1, "go", None), queued, _user(3, RULE)) == ["go", RULE]


def test_an_attempt_that_was_taken_back_is_not_on_the_live_branch() -> None:
    first = [_user(2, f"as a table. {RULE}", 1), _reply(3, "| a |")]
    assert _person(_reply(1, "Hi.", None), *first, _user(4, "as a list", 1), _reply(5)) == ["as a list"]


def test_a_first_prompt_that_was_taken_back_is_not_on_the_live_branch() -> None:
    assert _person(_user(1, RULE, None), _reply(2), _user(3, "other", None), _reply(4)) == ["other"]


def test_an_attempt_behind_a_hooks_output_is_taken_back_as_well() -> None:
    hook = {"type": "attachment", "uuid": _uuid(2), "parentUuid": _uuid(1), "attachment": {"type": "hook_success"}}
    assert _person(_reply(1, "Hi.", None), hook, _user(3, RULE, 2), _reply(4), _user(5, "other", 1)) == ["other"]


def test_an_attempt_is_taken_back_by_one_behind_a_hooks_output() -> None:
    hook = {"type": "attachment", "uuid": _uuid(4), "parentUuid": _uuid(1), "attachment": {"type": "hook_success"}}
    assert _person(_reply(1, "Hi.", None), _user(2, RULE, 1), _reply(3), hook, _user(5, "other", 4)) == ["other"]


def test_two_terminals_on_one_session_are_both_live() -> None:
    one, two = _user(2, "one", 1), _user(3, "two", 1)
    assert _person(_reply(1, "Hi.", None), one, two, _reply(4, "a", 2), _reply(5, "b", 3)) == ["one", "two"]


def test_calls_side_by_side_do_not_hide_a_refusal() -> None:
    rows = [_user(1, "go", None), _call(2, "Bash", {"command": "a"}, 1), _call(3, "Edit", {"new_string": "x"}, 2)]
    refusal = _result(4, 3, REFUSED + RULE, error=True, toolUseResult=f"Error: {REFUSED}", parent=3)
    assert _person(*rows, refusal, _result(5, 2, "ok", parent=2), _reply(6, "b", 5), _user(7, "ok", 6)) == [
        "go",
        RULE,
        "ok",
    ]


def test_a_compaction_does_not_cut_off_what_was_said_before() -> None:
    boundary = {"type": "system", "uuid": _uuid(3), "parentUuid": None, "logicalParentUuid": _uuid(2)}
    summary = _user(4, "summary", 3, isCompactSummary=True)
    assert _person(_user(1, RULE, None), _reply(2), boundary, summary, _user(5, "go on", 4)) == [RULE, "go on"]


def test_parents_in_a_circle_do_no_harm() -> None:
    assert _person(_user(1, "a", 2), _user(2, "b", 1), _user(3, "c", 3)) == ["a", "b", "c"]


def test_records_that_name_missing_parents_are_all_live() -> None:
    assert _person(_user(1, "a", 90), _reply(2, "x", 1), _user(3, "b", 91), _reply(4, "y", 3)) == ["a", "b"]


def test_the_session_is_named_by_its_records() -> None:
    transcript = _read(_user(1, "a", None), {"type": "summary", "summary": "s"})
    assert transcript.session_id == "5e55"
    assert transcript.ended_at is not None
    assert transcript.ended_at.isoformat() == "2026-09-01T10:00:01+00:00"


def test_a_uuid_is_the_identity_of_its_message() -> None:
    assert _read(_user(1, "a", None)).turns[0].identity == _uuid(1)
    assert _read(_user(1, "a", None, uuid="m1")).turns[0].identity == ""


def test_a_session_with_too_many_records_is_refused() -> None:
    rows = [_user(number, "a", None) for number in range(1, 5)]
    with pytest.raises(TranscriptError) as refused:
        read_session(rows, Format.CLAUDE_CODE, Limits(records=3))
    assert refused.value.code is Code.TOO_LARGE


def test_the_oldest_turns_go_first_when_a_session_is_too_long() -> None:
    rows = [_user(number, f"word {number}", number - 1 or None) for number in range(1, 6)]
    kept = read_session(rows, Format.CLAUDE_CODE, Limits(turns=2))
    assert [turn.text for turn in kept.turns] == ["word 4", "word 5"]
    assert kept.skipped == 3
