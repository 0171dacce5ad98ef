"""The second net: what programs put into a person's own message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_tasks.parse.words import is_slash_command, own_text

TAGS = ["system-reminder", "environment_context", "claude-mem-context", "hindsight_memories", "user_info", "skill"]
WORDS = st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs", "Cc"]), min_size=1)


@pytest.mark.parametrize("tag", TAGS)
@given(foreign=st.text())
def test_whatever_stands_in_a_programs_element_is_gone(tag: str, foreign: str) -> None:
    assert own_text(f"<{tag}>{foreign}</{tag}>") == ""
    assert own_text(f"<{tag}>{foreign}</{tag}>\n\nshorter please") == "shorter please"
    assert own_text(f'<{tag} name="x">{foreign}') == ""


@pytest.mark.parametrize("tag", TAGS)
@given(foreign=WORDS)
def test_a_programs_element_behind_the_persons_words_is_gone(tag: str, foreign: str) -> None:
    assert own_text(f"shorter please\n<{tag}>{foreign}</{tag}>") == "shorter please"


@given(before=WORDS, foreign=st.text(), after=WORDS)
def test_habitus_own_profile_is_never_read_back(before: str, foreign: str, after: str) -> None:
    text = f"a{before}\n<habitus-profile>\n{foreign}\n</habitus-profile>\n{after}z"
    assert own_text(text) == f"a{before}\n\n{after}z"


def test_a_profile_that_is_never_closed_goes_to_the_end() -> None:
    assert own_text("hello\n<habitus-profile>\nanswer in bullets") == "hello"


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> is what I want",
        "why does <Foo/> not render",
        "replace <div>a</div> by <p>a</p>",
        "a < b and c > d",
        "use <50 words",
        "<mail>\nplease use tables\n</mail>\nwhat do they want?",
        "<app-root> stays empty, why",
        "why does <app-root> need </app-root>",
        "snake_case, not camelCase",
        "# AGENTS is my file, shorten it",
    ],
)
def test_the_persons_own_mark_up_stays(text: str) -> None:
    assert own_text(text) == text


@pytest.mark.parametrize(
    ("text", "is_command"),
    [
        ("/clear", True),
        ("/review be short", True),
        ("/my-plugin:run x", True),
        ("/etc/hosts is wrong", False),
        ("/ is the root", False),
        ("and/or", False),
        ("a /clear", False),
    ],
)
def test_a_command_of_the_tool_is_told_from_a_path(text: str, is_command: bool) -> None:
    assert is_slash_command(text) is is_command
