"""The last-output rule: a correction that the output violates is believable, one that it satisfies is doubtful."""

import pytest

from habitus_schema.pairs import Pair
from habitus_schema.transcript import ActionKind, Speaker, Turn, TurnKind
from habitus_tasks.extract.last_output import SATISFIED, VIOLATED, verdicts
from habitus_tasks.extract.output import Output, of_text, of_turns

PROSE = "The pump runs whenever the float rises, and it stops a minute after the water has gone down again."
CODE = "```python\ndef f(a):\n    # add one\n    return a + 1\n```"


@pytest.mark.parametrize(
    ("output", "pair", "verdict"),
    [
        (CODE, ("comment_density", "none"), VIOLATED),
        (CODE.replace("    # add one\n", ""), ("comment_density", "none"), SATISFIED),
        (CODE, ("type_annotations", "include"), VIOLATED),
        (CODE, ("docstrings", "include"), VIOLATED),
        (CODE, ("docstrings", "omit"), SATISFIED),
        (CODE, ("code_fence_style", "quad_backtick"), VIOLATED),
        (CODE, ("code_fence_style", "triple_backtick"), SATISFIED),
        (CODE, ("indent_style", "tabs"), VIOLATED),
        (PROSE, ("table_usage", "prefer"), VIOLATED),
        (PROSE, ("table_usage", "avoid"), SATISFIED),
        (PROSE, ("list_style", "bullets"), VIOLATED),
        (PROSE + "\n- a\n- b", ("list_style", "prose"), VIOLATED),
        (PROSE + " 🎉", ("emoji_usage", "none"), VIOLATED),
        (PROSE, ("emoji_usage", "none"), SATISFIED),
        (PROSE * 8, ("response_density", "concise_direct"), VIOLATED),
        (PROSE * 8, ("verbosity_ceiling_tokens", "150"), VIOLATED),
        (PROSE, ("source_citation", "include"), VIOLATED),
        (PROSE + " Shall I?", ("clarification", "assume_and_proceed"), VIOLATED),
    ],
)
def test_the_form_of_the_output_decides(output: str, pair: tuple[str, str], verdict: int) -> None:
    assert verdicts(of_text(output))[Pair(dimension=pair[0], value=pair[1])] == verdict


@pytest.mark.parametrize("text", ["", "ok", "a table of the totals"])
def test_an_output_too_small_to_tell_gives_no_verdict(text: str) -> None:
    assert verdicts(of_text(text)) == {}


def test_no_output_gives_no_verdict() -> None:
    assert verdicts(Output()) == {}


def test_acts_are_held_against_what_the_person_wants() -> None:
    run = Turn(Speaker.ASSISTANT, "git commit -m 'fix: x'", kind=TurnKind.ACTION, action=ActionKind.COMMAND)
    found = verdicts(of_turns([run]))
    assert found[Pair(dimension="command_execution", value="show_only")] == VIOLATED
    assert found[Pair(dimension="commit_policy", value="never_commit")] == VIOLATED
    assert found[Pair(dimension="commit_message_style", value="plain")] == VIOLATED
