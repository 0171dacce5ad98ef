"""ChatGPT exports: a tree of which one branch is live, and messages of role ``user`` that no person typed."""

from typing import Any

import pytest

from habitus_schema.errors import TranscriptError
from habitus_schema.transcript import ActionKind, Format, Speaker, Transcript
from habitus_tasks.parse import read_session

RULE = "always as a table from now on"


def _node(name: str, parent: str | None, role: str, *parts: object, **fields: Any) -> dict[str, Any]:
    content = fields.pop("content", {"content_type": "text", "parts": list(parts)})
    message = {"id": name, "author": {"role": role}, "content": content, "metadata": {}, **fields}
    return {"id": name, "parent": parent, "children": [], "message": message}


def _tree(*nodes: dict[str, Any], current: str | None = "last") -> dict[str, Any]:
    root = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {node["id"]: node for node in (root, *nodes)}
    for node in nodes:
        if node["parent"] in mapping:
            mapping[node["parent"]]["children"].append(node["id"])
    leaf = nodes[-1]["id"] if current == "last" else current
    return {"conversation_id": "conv", "current_node": leaf, "mapping": mapping, "update_time": 1756700100.5}


def _read(*nodes: dict[str, Any], current: str | None = "last") -> Transcript:
    return read_session(_tree(*nodes, current=current), Format.CHATGPT_EXPORT)


def _person(*nodes: dict[str, Any], current: str | None = "last") -> list[str]:
    return [turn.text for turn in _read(*nodes, current=current).turns if turn.speaker is Speaker.PERSON]


NOT_THE_PERSON = {
    "a system message": _node("b", "a", "system", RULE),
    "a tool": _node("b", "a", "tool", RULE),
    "custom instructions": _node("b", "a", "user", RULE, metadata={"is_user_system_message": True}),
    "a hidden message": _node("b", "a", "user", RULE, metadata={"is_visually_hidden_from_conversation": True}),
    "editable context": _node(
        "b", "a", "user", content={"content_type": "user_editable_context", "user_instructions": RULE, "parts": [RULE]}
    ),
    "a kind of content of the future": _node("b", "a", "user", content={"content_type": "future", "parts": [RULE]}),
    "an image's name": _node(
        "b", "a", "user", {"content_type": "image_asset_pointer", "asset_pointer": RULE, "text": RULE}
    ),
    "a role of the future": _node("b", "a", "of_the_future", RULE),
    "nobody": {"id": "b", "parent": "a", "children": [], "message": {"content": {"parts": [RULE]}}},
}


@pytest.mark.parametrize("node", NOT_THE_PERSON.values(), ids=NOT_THE_PERSON.keys())
def test_what_the_person_did_not_write_is_no_turn(node: dict[str, Any]) -> None:
    assert _person(_node("a", "root", "user", "hello"), node, _node("c", "b", "user", "thanks")) == ["hello", "thanks"]


def test_text_and_speech_beside_an_image_are_the_persons() -> None:
    parts = [{"content_type": "image_asset_pointer"}, {"content_type": "audio_transcription", "text": "said"}, "typed"]
    content = {"content_type": "multimodal_text", "parts": parts}
    assert _person(_node("a", "root", "user", content=content)) == ["said\n\ntyped"]


def test_an_edited_message_leaves_its_first_version_on_a_dead_branch() -> None:
    first = [_node("a", "root", "user", RULE), _node("b", "a", "assistant", "| x |")]
    assert _person(*first, _node("c", "root", "user", "hello"), _node("d", "c", "assistant", "Hi")) == ["hello"]


def test_a_regenerated_answer_leaves_the_first_one_on_a_dead_branch() -> None:
    nodes = [
        _node("a", "root", "user", "hello"),
        _node("b", "a", "assistant", "one"),
        _node("c", "a", "assistant", "two"),
    ]
    assert [turn.text for turn in _read(*nodes).turns] == ["hello", "two"]


def test_the_live_branch_is_the_current_one_and_not_the_newest() -> None:
    nodes = [_node("a", "root", "user", "hello"), _node("b", "root", "user", RULE, create_time=9.0)]
    assert _person(*nodes, current="a") == ["hello"]


def test_without_a_current_node_the_newest_leaf_is_live() -> None:
    nodes = [_node("a", "root", "user", "hello", create_time=9.0), _node("b", "root", "user", RULE, create_time=1.0)]
    assert _person(*nodes, current=None) == _person(*nodes, current="missing") == ["hello"]


def test_parents_in_a_circle_do_no_harm() -> None:
    assert _person(_node("a", "b", "user", "one"), _node("b", "a", "user", "two")) == ["one", "two"]


@pytest.mark.parametrize("broken", [{"mapping": []}, {"mapping": None}, {"title": "x"}])
def test_a_conversation_without_a_tree_is_malformed(broken: dict[str, Any]) -> None:
    with pytest.raises(TranscriptError):
        read_session(broken, Format.CHATGPT_EXPORT)


def test_what_the_assistant_runs_is_an_act_and_its_thoughts_are_nothing() -> None:
    code = {"content_type": "code", "text": "print(1)"}
    thoughts = {"content_type": "thoughts", "thoughts": [{"content": RULE}]}
    transcript = _read(
        _node("a", "root", "user", "go"),
        _node("b", "a", "assistant", content=thoughts),
        _node("c", "b", "assistant", content=code, recipient="python"),
        _node("d", "c", "assistant", content=code, recipient="browser"),
        _node("e", "d", "assistant", "ok", recipient="all"),
    )
    assert [(turn.action, turn.text) for turn in transcript.turns] == [
        (None, "go"),
        (ActionKind.COMMAND, "print(1)"),
        (ActionKind.OTHER, ""),
        (None, "ok"),
    ]


def test_only_a_uuid_is_an_identity() -> None:
    name = "c04c08e5-a306-4f3f-9a5f-436c869b5135"
    assert _read(_node(name, "root", "user", "hello")).turns[0].identity == name
    assert _read(_node("n1", "root", "user", "hello")).turns[0].identity == ""
