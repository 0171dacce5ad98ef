"""The edit rule: only a wholly structural difference between two versions counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_tasks.extract.edits import structural_difference
from habitus_tasks.extract.pasted_back import handed_back

CODE = 'def total(items):\n    # add up\n    return sum(items, "x")\n'


@pytest.mark.parametrize(
    ("proposed", "kept"),
    [
        (CODE, CODE),
        (CODE, CODE.replace("sum", "max").replace("    # add up\n", "")),
        (CODE, ""),
        ("", CODE),
        ("a = 1  # one\nb = 2\n", "a = 1\nb = 3\n"),
        ("- pay\n- print\n- go home\n- sleep", "A wholly different sentence about something else entirely."),
        ("def f(a):\n    return a\n", "def f(b):\n    return b\n"),
    ],
)
def test_equal_versions_and_changes_of_content_give_nothing(proposed: str, kept: str) -> None:
    assert structural_difference(proposed, kept) == frozenset()


@pytest.mark.parametrize(
    ("proposed", "kept", "expected"),
    [
        (CODE, CODE.replace("    # add up\n", ""), {"comment_density=none"}),
        ("a = f()  # one\n# why\nb = g()  # two\n", "a = f()\n# why\nb = g()\n", {"comment_density=minimal"}),
        (CODE.replace("    # add up\n", ""), CODE, {"comment_density=explanatory"}),
        ("def f(a):\n    return a\n", "def f(a: int) -> int:\n    return a\n", {"type_annotations=include"}),
        ("function f(a: number): string { return g(a) }", "function f(a) { return g(a) }", {"type_annotations=omit"}),
        ('def f():\n    """Doc."""\n    return 1\n', "def f():\n    return 1\n", {"docstrings=omit"}),
        ("def f():\n    return g('a')\n", 'def f():\n    return g("a")\n', {"quote_style=double"}),
        ("if (a) {\n    b();\n}", "if (a) {\n\tb();\n}", {"indent_style=tabs"}),
        ("cd a && git pull && make", "cd a\ngit pull\nmake", {"terminal_command_chaining=one_per_line"}),
        ("- reserve a seat\n- pay\n- print it", "Reserve a seat, pay, print it.", {"list_style=prose"}),
        ("## Cause\nThe pipe froze last night.", "Cause\nThe pipe froze last night.", {"heading_usage=avoid"}),
        ("All is done now 🎉", "All is done now", {"emoji_usage=none"}),
        ("```yaml\nname: ci\n```", "````yaml\nname: ci\n````", {"code_fence_style=quad_backtick"}),
    ],
)
def test_a_structural_change_gives_its_pair(proposed: str, kept: str, expected: set[str]) -> None:
    assert {str(pair) for pair in structural_difference(proposed, kept)} == expected


def test_several_forms_may_change_at_once() -> None:
    kept = "def total(items: list) -> int:\n    return sum(items, 'x')\n"
    assert {str(pair) for pair in structural_difference(CODE, kept)} == {
        "comment_density=none",
        "type_annotations=include",
        "quote_style=single",
    }


@pytest.mark.parametrize(
    "frame", ["{}", "my version:\n{}", "```python\n{}```", "like this, please\n```\n{}```\nthanks"]
)
def test_a_version_handed_back_in_a_message_is_found(frame: str) -> None:
    output = f"Here it is:\n```python\n{CODE}```\nIt adds up."
    message = frame.format(CODE.replace("    # add up\n", ""))
    assert {str(pair) for pair in handed_back(message, [output])} == {"comment_density=none"}


def test_a_message_that_hands_nothing_back_gives_nothing() -> None:
    assert handed_back("now sort it by name, and drop the second column", [f"```\n{CODE}```"]) == frozenset()


@given(st.text(max_size=200))
def test_a_version_equal_to_the_output_is_never_evidence(text: str) -> None:
    assert structural_difference(text, text) == frozenset()
