"""What a tool call does, told from its input."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.transcript import ActionKind
from habitus_tasks.parse.actions import acts

PATCH = (
    "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Delete File: old.py\n*** Add File: b.py\n+z\n*** End Patch"
)
CALLS = [
    ("Write", {"file_path": "a.md", "content": "x"}, [(ActionKind.WRITE, "x", "a.md")]),
    ("create_file", {"path": "a.md", "file_text": "x"}, [(ActionKind.WRITE, "x", "a.md")]),
    ("Edit", {"file_path": "a", "old_string": "o", "new_string": "n"}, [(ActionKind.EDIT, "n", "a")]),
    ("Edit", {"file_path": "a", "old_string": "o", "new_string": ""}, [(ActionKind.EDIT, "", "a")]),
    (
        "MultiEdit",
        {"file_path": "a", "edits": [{"new_string": "n"}, {"new_string": "m"}]},
        [(ActionKind.EDIT, "n\nm", "a")],
    ),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "n"}, [(ActionKind.EDIT, "n", "a.ipynb")]),
    ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, [(ActionKind.OTHER, "", "a")]),
    (
        "str_replace_based_edit_tool",
        {"command": "create", "path": "a", "file_text": "x"},
        [(ActionKind.WRITE, "x", "a")],
    ),
    ("Bash", {"command": "ls && pwd", "description": "List"}, [(ActionKind.COMMAND, "ls && pwd", "")]),
    ("shell", {"command": ["bash", "-lc", "ls"]}, [(ActionKind.COMMAND, "ls", "")]),
    ("shell", {"command": ["ls", "-l"]}, [(ActionKind.COMMAND, "ls -l", "")]),
    ("exec_command", {"cmd": "ls"}, [(ActionKind.COMMAND, "ls", "")]),
    ("ExitPlanMode", {"plan": "1. do"}, [(ActionKind.PLAN, "1. do", "")]),
    ("update_plan", {"plan": [{"step": "a"}, {"step": "b"}]}, [(ActionKind.PLAN, "a\nb", "")]),
    ("AskUserQuestion", {"questions": [{"question": "Which?"}]}, [(ActionKind.ASK, "Which?", "")]),
    ("Read", {"file_path": "a"}, [(ActionKind.OTHER, "", "a")]),
    ("Task", {"prompt": "look", "description": "d"}, [(ActionKind.OTHER, "", "")]),
    ("web_search", {"query": "q"}, [(ActionKind.OTHER, "", "")]),
    (
        "apply_patch",
        PATCH,
        [(ActionKind.EDIT, "@@\n-x\n+y", "a.py"), (ActionKind.EDIT, "", "old.py"), (ActionKind.WRITE, "z", "b.py")],
    ),
]


@pytest.mark.parametrize(("name", "given_", "expected"), CALLS)
def test_each_call_is_told_from_its_input(
    name: str, given_: object, expected: list[tuple[ActionKind, str, str]]
) -> None:
    assert [(act.kind, act.text, act.path) for act in acts(name, given_)] == expected


@pytest.mark.parametrize("given_", [{"cmd": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]}, {"input": PATCH}])
def test_a_patch_inside_a_call_is_found(given_: object) -> None:
    assert [act.path for act in acts("shell", given_)] == ["a.py", "old.py", "b.py"]


@pytest.mark.parametrize("text", ["{", "{}", "not json", "[1]", '{"a": ' * 5000])
def test_an_input_that_is_no_object_is_some_other_act(text: str) -> None:
    assert [act.kind for act in acts("f", text)] == [ActionKind.OTHER]


@given(st.dictionaries(st.text(), st.none() | st.text() | st.integers() | st.lists(st.text())), st.text())
def test_an_input_as_json_text_gives_the_same_acts(given_: dict[str, object], name: str) -> None:
    told = [(act.kind, act.text, act.path) for act in acts(name, given_)]
    assert [(act.kind, act.text, act.path) for act in acts(name, json.dumps(given_))] == told
