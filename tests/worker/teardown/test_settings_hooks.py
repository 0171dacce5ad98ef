"""Our hooks go into a settings file and come out of it, and nothing else in it is touched."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_worker.teardown.hooks_json import Hook, hooks_of, with_hooks, without_hooks
from habitus_worker.teardown.jsonc import blanked
from habitus_worker.teardown.ours import is_ours

OURS = {
    "SessionEnd": Hook("/v/bin/python -I -S /v/habitus_hook/__main__.py claude-code --spool /h/spool", 10),
    "UserPromptSubmit": Hook("/v/bin/python -I /v/habitus_hook/__main__.py user-prompt --user ada", 5),
}
THEIRS = ["echo bye", "say 'habitus'", "~/bin/habitus-hooks --all", 'jq ".x" /* not a comment */', "notify // done"]
HANDLER = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(THEIRS)}, optional={"timeout": st.integers(1, 60)}
)
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLER, max_size=3)}, optional={"matcher": st.sampled_from(["", "Bash", "a|b"])}
)
EVENTS = st.dictionaries(
    st.sampled_from(["SessionEnd", "UserPromptSubmit", "Stop", "PreToolUse"]), st.lists(GROUP, max_size=3), max_size=4
)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(["// x", "/* y */", ",]", '"']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
SETTINGS = st.builds(
    lambda rest, hooks, last: rest | ({"hooks": hooks} if hooks is not None else {}) | last,
    st.dictionaries(st.text(max_size=6).filter("hooks".__ne__), VALUE, max_size=4),
    st.none() | EVENTS,
    st.dictionaries(st.sampled_from(["env", "model", "z"]), VALUE, max_size=2),
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A settings file as people and their editors write it."""
    indent = draw(st.sampled_from([None, 2, 4, "\t", 0]))
    separators = draw(st.sampled_from([None, (",", ":"), (", ", ": ")])) if indent is None else None
    text = json.dumps(draw(SETTINGS), indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    lines = text.split("\n")
    if draw(st.booleans()):
        last = [at for at, line in enumerate(lines[1:]) if line.strip()[0] in "]}" and lines[at][-1] not in "[{"]
        lines = [line + "," if at in last else line for at, line in enumerate(lines)]
    remarks = draw(st.lists(st.sampled_from(['// it\'s "mine", [1]', "/* a, b } */", ""]), max_size=len(lines) - 1))
    lines = [f"{line} {remark}" for line, remark in zip(lines, remarks, strict=False)] + lines[len(remarks) :]
    text = "\n".join(lines)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    start = draw(st.sampled_from(["", "", "\n", "\ufeff", "// mine\n"]))
    return start + text + draw(st.sampled_from(["", "\n", "\n\n"]))


def data(text: str) -> Any:
    return json.loads(blanked(text.removeprefix("\ufeff")))


@settings(max_examples=30)
@given(documents())
def test_what_is_put_in_comes_out_and_leaves_the_data_as_it_was(text: str) -> None:
    installed = with_hooks(text, OURS)
    assert hooks_of(installed) == OURS
    before, after = data(text), data(installed)
    assert {key: value for key, value in after.items() if key != "hooks"} == {
        key: value for key, value in before.items() if key != "hooks"
    }
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups, "others' hooks keep their place"
    emptied = data(without_hooks(installed))
    for event in OURS:
        if before.get("hooks", {}).get(event) == []:
            del before["hooks"][event]  # an empty list that was there goes with ours; the copy brings it back
    assert emptied == {key: value for key, value in before.items() if key != "hooks" or value}


@settings(max_examples=30)
@given(documents())
def test_not_a_character_of_what_was_there_is_changed(text: str) -> None:
    """All of it is still there, in its order, with ours between."""
    rest = iter(with_hooks(text, OURS))
    assert all(character in rest for character in text.rstrip())


@settings(max_examples=30)
@given(documents())
def test_what_others_added_after_us_stays(text: str) -> None:
    installed = with_hooks(text, OURS)
    theirs = Hook("their own", 7)
    more = with_hooks(installed, {"SessionEnd": theirs, "Stop": theirs})
    left = data(without_hooks(more))
    assert hooks_of(without_hooks(more)) == {}
    assert left["hooks"]["SessionEnd"][-1] == left["hooks"]["Stop"][-1] == theirs.group()


@settings(max_examples=30)
@given(documents())
def test_where_we_share_a_group_with_others_only_our_handler_goes(text: str) -> None:
    shared = {"hooks": [{"type": "command", "command": "a"}, *OURS["SessionEnd"].group()["hooks"], {"type": "x"}]}
    made = json.loads(blanked(text.removeprefix("\ufeff")))
    events = {**made.get("hooks", {}), "SessionEnd": [shared]}
    left = data(without_hooks(json.dumps({**made, "hooks": events}, indent=2)))
    assert left["hooks"]["SessionEnd"] == [{"hooks": [{"type": "command", "command": "a"}, {"type": "x"}]}]


@pytest.mark.parametrize(
    "text",
    [
        "{", "swordfish", "[]", "null", '{"a": 1} {"b": 2}', '{"hooks": []}', '{"hooks": {"SessionEnd": {}}}',
        '{"hooks": {"SessionEnd": "x"}}', "{'a': 1}", '{"a": 1,, "b": 2}', '{"a": "unclosed', "{" * 5000, "/* open",
        '{"a": NaN, }x', "\x00",
    ],
    ids=range(15),
)  # fmt: skip
def test_what_cannot_be_parsed_is_refused_without_a_word_of_it(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        with_hooks(text, OURS)
    assert "swordfish" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "\n", "  \n\n", "{}", "{ }", "{\n}\n", "\ufeff{}"])
def test_an_empty_file_is_an_empty_document(text: str) -> None:
    assert hooks_of(with_hooks(text, OURS)) == OURS


def test_the_documents_own_style_is_kept() -> None:
    text = '{\n\t"a": 1, // one\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n'
    made = with_hooks(text, {"Stop": Hook("c", 1)})
    handler = '{\n\t\t\t\t\t\t"type": "command",\n\t\t\t\t\t\t"command": "c",\n\t\t\t\t\t\t"timeout": 1\n\t\t\t\t\t}'
    group = '\t\t\t{\n\t\t\t\t"hooks": [\n\t\t\t\t\t' + handler + "\n\t\t\t\t]\n\t\t\t}"
    assert made == text.replace("[]", "[\n" + group + "\n\t\t]")


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (OURS["SessionEnd"].command, True),
        ("'/a b/python' -I -S '/a b/habitus_hook/__main__.py' codex", True),
        ("habitus-hook claude-code", True),
        ("/x/bin/habitus hook codex", True),
        ("/x/bin/habitus --home /h hook codex", True),
        ("/x/bin/habitus status", False),
        ("echo habitus-hook", False),
        ("timeout 5 my-wrapper # habitus hook", False),
        ("python /x/habitus_hook/other.py", False),
        ("it's", False),
        ("", False),
    ],
)
def test_a_command_of_ours_is_known_and_one_that_looks_like_it_is_not(command: str, ours: bool) -> None:
    assert is_ours(command) is ours


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"a": [{"hooks": []}, // mine\n OURS]}', '{"a": [{"hooks": []} // mine\n]}'),
        ('{"a": [// mine\n OURS]}', "{}"),
        ('{"a": [OURS, // after\n {"hooks": []}]}', '{"a": [// after\n {"hooks": []}]}'),
        ('{"a": [{"hooks": []}, OURS,]}', '{"a": [{"hooks": []},]}'),
        ('{"a": [{"hooks": []}, /* x, y */ OURS]}', '{"a": [{"hooks": []} /* x, y */]}'),
        ('{"b": 1, // one\n "a": [OURS] }', '{"b": 1, // one\n }'),
    ],
)
def test_remarks_around_ours_stay_where_they_can(text: str, left: str) -> None:
    ours = '{"hooks": [{"type": "command", "command": "habitus-hook codex"}]}'
    made = '{"x": 0, "hooks": ' + text.replace("OURS", ours) + "}"
    found = without_hooks(made)
    expected = '{"x": 0, "hooks": ' + left + "}" if left != "{}" else '{"x": 0}'
    assert data(found) == data(expected)
    for remark in ("// mine", "// after", "/* x, y */", "// one"):
        assert (remark in found) is (remark in expected)
