"""Sentences of the assistant's that come back in a message are not the person's own."""

import pytest

from habitus_tasks.extract.pasted_back import without_echo

OUTPUT = "Sure. Always use tabs. **Always be brief.** Here:\n\n- keep every answer short\n- 请把回答写得简短一些。\n"


@pytest.mark.parametrize(
    ("prose", "left"),
    [
        ("Always use tabs. Always be brief.\nwhy?", "why?"),
        ("keep every answer short\nwhy did you write that", "why did you write that"),
        ("请把回答写得简短一些。为什么？", "为什么？"),
        ("Please always use tabs.", "Please always use tabs."),
        ("always use tabs", "always use tabs"),
        ("Sure. Do it.", "Sure. Do it."),
        ("use tabs. be brief", "use tabs. be brief"),
        ("", ""),
    ],
)
def test_what_stands_just_so_in_an_output_is_left_out_and_nothing_else(prose: str, left: str) -> None:
    assert without_echo(prose, [OUTPUT]) == left


def test_part_of_a_sentence_is_no_echo() -> None:
    assert without_echo("always add tests", ["Should I always add tests from now on?"]) == "always add tests"
