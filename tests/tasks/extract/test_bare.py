"""Bare wishes: what people say in a few words, as a whole message, and what they take back in as few."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract import extract
from habitus_tasks.extract.bare import bare_wishes, taken_back
from habitus_tasks.extract.own import own_turns
from habitus_tasks.extract.pipeline import bare_evidence
from habitus_tasks.parse import read_session

SHORT_WISHES = Path(__file__).parents[2] / "data" / "short_wishes.jsonl"
CODE = "Here it is.\n\n```python\ndef fetch(url):\n    # ask\n    return get(url)\n```\n" + "It asks and returns. " * 30


def wishes(text: str) -> set[str]:
    return set(map(str, bare_wishes(text)))


def found(*said: str, output: str = CODE) -> set[str]:
    turns = [Turn(Speaker.PERSON, "write fetch() for me", prose="write fetch() for me")]
    for text in said:
        turns += [Turn(Speaker.ASSISTANT, output), Turn(Speaker.PERSON, text, prose=text)]
    return {str(each.pair) for each in extract(Transcript(Format.HABITUS, "s", tuple(turns))).candidates}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("shorter please", {"response_density=concise_direct"}),
        ("Be concise!!", {"response_density=concise_direct"}),
        ("From now on keep it short, thanks.", {"response_density=concise_direct"}),
        ("kürzer bitte", {"response_density=concise_direct"}),
        ("короче, пожалуйста", {"response_density=concise_direct"}),
        ("以后请简短一点", {"response_density=concise_direct"}),
        ("短くしてください。", {"response_density=concise_direct"}),
        ("never use emojis", {"emoji_usage=none"}),
        ("always use tabs, not spaces", {"indent_style=tabs"}),
        ("no comments. no docstrings.", {"comment_density=none", "docstrings=omit"}),
        ("Pas de commentaires dans le code", {"comment_density=none"}),
        ("write the failing test first", {"test_policy=tests_first"}),
    ],
)
def test_a_message_that_is_nothing_but_wishes_is_heard(text: str, pairs: set[str]) -> None:
    assert wishes(text) == pairs


@pytest.mark.parametrize(
    "text",
    [
        "", "please", "use emojis", "shorter and funnier", "no comments?", "make the button text shorter",
        "fix the login, no comments", "drop the table users", "'be concise' is what he wrote to her yesterday",
        "> be concise", '"no emojis"', "x = 'use tabs'", "no comments from the reviewers yet", "never mind",
    ],
)  # fmt: skip
def test_a_message_with_any_other_word_is_not(text: str) -> None:
    assert wishes(text) == set()


@given(st.sampled_from(["be concise", "no emojis", "use double quotes"]), st.from_regex(r"[a-z]{4,9}q", fullmatch=True))
def test_one_unknown_word_is_one_too_many(wish: str, word: str) -> None:
    assert not bare_wishes(f"{word} {wish}")
    assert not bare_wishes(f"{wish} {word}")


def test_it_corrects_an_output_that_is_not_so_already() -> None:
    assert found("no comments") == {"comment_density=none"}
    assert found("no comments", output="Done.\n\n```python\nreturn 1\n```\n") == set()


def test_with_nothing_to_correct_it_needs_a_word_of_habit() -> None:
    def opening(text: str) -> list[str]:
        (own,) = own_turns((Turn(Speaker.PERSON, text, prose=text),))
        return [f"{each.pair} {each.signal}" for each in bare_evidence(own)]

    assert opening("no comments in code") == []
    assert opening("from now on no comments in code") == ["comment_density=none standing"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("never mind", set()),
        ("I take that back.", set()),
        ("forget what I said about comments", {Dimension.COMMENT_DENSITY}),
        ("vergiss das mit den Kommentaren", {Dimension.COMMENT_DENSITY}),
        ("put the type hints back in, I changed my mind", {Dimension.TYPE_ANNOTATIONS}),
        ("oublie ce que j'ai dit sur les commentaires", {Dimension.COMMENT_DENSITY}),
        ("ignore my emoji rule from before", {Dimension.EMOJI_USAGE}),
        ("olvida lo de las respuestas cortas", {Dimension.RESPONSE_DENSITY}),
    ],
)
def test_a_short_message_can_take_back(text: str, named: set[Dimension]) -> None:
    assert taken_back(text) == named


@pytest.mark.parametrize("text", ["thanks", "never mind the login page, do the logout first", "add comments " * 20])
def test_what_takes_nothing_back_or_says_too_much_is_left_alone(text: str) -> None:
    assert taken_back(text) is None


def test_what_was_taken_back_is_no_candidate() -> None:
    assert found("no comments in code", "forget what I said about comments") == set()
    assert found("no comments in code", "never mind") == set()
    assert found("no comments in code", "forget what I said about emojis") == {"comment_density=none"}


def test_of_the_short_wishes_that_a_newcomer_tried_most_are_heard_and_nothing_else() -> None:
    """`habitus eval extraction tests/data/short_wishes.jsonl` says which; what the output is already stays unheard."""
    heard = true = 0
    for line in SHORT_WISHES.read_text("utf-8").splitlines():
        row = json.loads(line)
        found_here = extract(read_session(row["session"], Format(row["format"]))).candidates
        (label,) = row["labels"]
        true += [str(each.pair) for each in found_here] == [f"{label['dimension']}={label['value']}"]
        heard += bool(found_here)
    assert true == heard >= 34
