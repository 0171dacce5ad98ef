"""Structural facts of assistant output: counts, whatever the subject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.transcript import ActionKind, Speaker, Turn, TurnKind
from habitus_tasks.extract.code_facts import code_facts
from habitus_tasks.extract.output import WIDTH, Output, looks_like_code, of_text, of_turns, vector
from habitus_tasks.extract.prose_facts import prose_facts, split_code, word_count


@pytest.mark.parametrize(
    ("text", "fact", "count"),
    [
        ("```py\nx\n```", "fence3", 1),
        ("````md\n```\nx\n```\n````", "fence4", 1),
        ("````md\n```\nx\n```\n````", "fence3", 0),
        ("- a\n- b\n* c", "bullets", 3),
        ("1. a\n2) b", "numbered", 2),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "table_rows", 3),
        ("a | b without a rule", "table_rows", 0),
        ("# T\ntext\n## U", "headings", 2),
        ("done 🎉🎉", "emoji", 2),
        ("it is — as said — fine", "em_dashes", 2),
        ("see https://example.org/a [1]", "sources", 2),
        ("Shall I go on?", "ends_with_question", 1),
        ("¿Sí? Claro.", "ends_with_question", 0),
        ("Great question! The answer is no.", "preamble", 1),
        ("The answer is no.", "preamble", 0),
        ("a b c.\n\nIn summary, a b c.", "recap", 1),
        ("3 passed in 12 ms", "metrics", 2),
    ],
)
def test_prose_is_counted_by_its_form(text: str, fact: str, count: int) -> None:
    assert getattr(prose_facts(text), fact) == count


@pytest.mark.parametrize(
    ("code", "fact", "count"),
    [
        ("x = 1  # one\n# two", "comments", 2),
        ("const u = 'http://a';", "comments", 0),
        ('def f():\n    """Doc."""\n    return 1', "docstrings", 1),
        ("def f(a: int) -> str:\n    return ''", "functions", 1),
        ("def f(a, b):\n    return a", "annotations", 0),
        ("f('a', 'b')", "single_quotes", 2),
        ('f("a")', "double_quotes", 1),
        ("if a:\n\tb()", "tabs", 1),
        ("if a {\n  b()\n}", "indent_2", 1),
        ("if a:\n    b()", "indent_4", 1),
        ("try:\n    f()\nexcept Exception:\n    pass", "handlers", 1),
        ("cd a && make", "chains", 1),
        ("python <<'EOF'\nx\nEOF", "heredocs", 1),
        ("a\n# ... rest unchanged", "elisions", 1),
        ("@@ -1 +1 @@\n-a\n+b", "diffs", 2),
        ("git commit -m 'feat: x'", "conventional", 1),
        ("pip install requests", "installs", 1),
    ],
)
def test_code_is_counted_by_its_form(code: str, fact: str, count: int) -> None:
    assert getattr(code_facts(code), fact) == count


def test_annotations_are_seen_in_python_and_typescript() -> None:
    assert code_facts("def f(a: int) -> str: ...").annotations
    assert code_facts("function f(a: number): string { return '' }").annotations


def test_two_characters_of_a_script_without_spaces_count_as_a_word() -> None:
    assert word_count("短一点吧") == 2
    assert word_count("two words") == 2


def test_code_is_taken_out_of_the_prose_even_when_its_fence_never_closes() -> None:
    prose, blocks, ticks = split_code("before\n```\ncode\n")
    assert (prose, blocks, ticks) == ("before", ["code\n\n"], [3])


def test_acts_are_counted_and_narration_between_them() -> None:
    def act(kind: ActionKind, text: str = "", path: str = "") -> Turn:
        return Turn(Speaker.ASSISTANT, text, kind=TurnKind.ACTION, action=kind, path=path)

    said = [Turn(Speaker.ASSISTANT, text) for text in ("First I look.", "Now I write.", "Done.")]
    acts = [act(ActionKind.WRITE, "# notes", "/a/NOTES.md"), act(ActionKind.COMMAND, "git commit -m x")]
    facts = of_turns([said[0], acts[0], said[1], acts[1], said[2]]).acts
    assert (facts.writes, facts.commands, facts.commits, facts.notes_files, facts.narrations) == (1, 1, 1, 1, 2)


def test_unfenced_code_is_told_from_prose() -> None:
    assert looks_like_code("def f(a):\n    return a")
    assert not looks_like_code("Please explain how the return of a function works in general, and why.")


@given(st.text(max_size=300))
def test_every_output_gives_the_same_number_of_facts(text: str) -> None:
    assert len(vector(of_text(text))) == WIDTH == len(vector(Output()))
