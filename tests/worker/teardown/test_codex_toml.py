"""Our lines in config.toml stand between two marks, and go with them."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_worker.teardown.codex_toml import (
    has_inline_hooks,
    hooks_are_off,
    settings_of,
    with_hooks,
    with_notify,
    without_ours,
)
from habitus_worker.teardown.hooks_json import Hook

WORDS = ["/v/bin/python", "-I", "-S", "/v/habitus_hook/__main__.py", "codex", "--spool", "/h \"q' \\ é/spool"]
HOOKS = {"SessionEnd": Hook("/v/bin/python -I -S /v/habitus_hook/__main__.py codex", 3)}
PARTS = [
    'model = "gpt-x"  # the fast one\n',
    "# a remark: [[hooks.Stop]]\n",
    "[features]\nhooks = true\n",
    '[projects."/w/api"]\ntrust_level = "trusted"\n',
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "echo stop"\n',
    '[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = "command"\ncommand = "echo end"\ntimeout = 1\n',
    '[hooks.state."x:session_end:0:0"]\ntrusted_hash = "sha256:00"\n',
]
DOCUMENTS = st.builds(
    lambda used, line, end: ("".join(part for part, wanted in zip(PARTS, used, strict=True) if wanted) + end).replace(
        "\n", line
    ),
    st.lists(st.booleans(), min_size=len(PARTS), max_size=len(PARTS)),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "# the end\n"]),
)


def data(text: str) -> dict[str, Any]:
    return tomllib.loads(text.replace("\r\n", "\n"))


@settings(max_examples=50)
@given(DOCUMENTS)
def test_notify_goes_in_before_all_tables_and_comes_out_to_the_byte(text: str) -> None:
    made = with_notify(text, WORDS)
    assert made is not None
    assert data(made) == data(text) | {"notify": WORDS}
    assert without_ours(made) == text


@settings(max_examples=50)
@given(DOCUMENTS)
def test_hooks_go_in_after_the_others_and_come_out_to_the_byte(text: str) -> None:
    made = with_hooks(text, HOOKS)
    assert made is not None
    before = data(text).get("hooks", {}).get("SessionEnd", [])
    assert data(made)["hooks"]["SessionEnd"] == [*before, HOOKS["SessionEnd"].group()]
    assert without_ours(made) == text


def test_a_program_that_the_person_has_for_notify_stays() -> None:
    assert with_notify('notify = ["my-notifier"]\n', WORDS) is None


def test_lines_that_somebody_wrote_between_our_marks_stay() -> None:
    """Codex writes down which hooks it trusts, and may do so anywhere."""
    made = with_hooks("a = 1\n", HOOKS)
    assert made is not None
    state = '[hooks.state."x"]\ntrusted_hash = "sha256:00"\n'
    assert without_ours(made.replace("# habitus: end", f"{state}# habitus: end")) == "a = 1\n" + state


def test_an_array_that_is_closed_is_left_alone() -> None:
    text = 'hooks.SessionEnd = [{hooks = [{type = "command", command = "x"}]}]\n'
    assert has_inline_hooks(text)
    assert with_hooks(text, HOOKS) is None


@pytest.mark.parametrize("text", ["a = ", "swordfish", "[a\n", "a = 1\na = 2\n"])
def test_what_cannot_be_parsed_is_refused_without_a_word_of_it(text: str) -> None:
    for edit in (settings_of, lambda each: with_notify(each, WORDS), lambda each: with_hooks(each, HOOKS)):
        with pytest.raises(UsageError) as refused:
            edit(text)
        assert "swordfish" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("", False),
        ("[features]\nhooks = true\n", False),
        ("[features]\nhooks = false\n", True),
        ("[features]\ncodex_hooks = false\n", True),
        ("features = 1\n", False),
    ],
)
def test_hooks_that_are_switched_off_are_seen(text: str, off: bool) -> None:
    assert hooks_are_off(text) is off
