"""From a transcript to candidates, with the shipped weights."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from habitus_schema.codes import Code
from habitus_schema.models import Scope, Signal
from habitus_schema.transcript import Format, Speaker, Transcript, Turn, TurnKind
from habitus_tasks.extract import extract
from habitus_tasks.extract.classifier import WEIGHTS
from habitus_tasks.extract.evaluate import score
from habitus_tasks.extract.own import own_turns

DEV = Path(__file__).parents[2] / "data" / "extraction_dev.jsonl"
HABIT = "Always use tabs for indentation, in all the code you write for me."
CODE = "def total(items):\n    # add up\n    return sum(items)\n"


def person(text: str, kind: TurnKind = TurnKind.MESSAGE) -> Turn:
    return Turn(Speaker.PERSON, text, prose=text, kind=kind)


def assistant(text: str) -> Turn:
    return Turn(Speaker.ASSISTANT, text)


def session(*turns: Turn) -> Transcript:
    return Transcript(Format.HABITUS, "s", turns)


def found(*turns: Turn) -> set[str]:
    return {str(candidate.pair) for candidate in extract(session(*turns)).candidates}


@pytest.mark.parametrize(
    "turns",
    [
        (),
        (person(""),),
        (person("What is the capital of Peru?"),),
        (person("fix the login bug"), assistant("Fixed the login bug in auth.py."), person("thanks, now the logout")),
        (assistant("From now on I will always use tables and never comments."),),
    ],
)
def test_ordinary_talk_gives_nothing(turns: tuple[Turn, ...]) -> None:
    assert found(*turns) == set()


def test_a_literal_spelling_is_evidence() -> None:
    assert found(person("set fence_backtick_count=4 please")) == {"code_fence_style=quad_backtick"}


def test_an_edit_record_is_evidence_with_its_signal() -> None:
    edit = Turn(Speaker.PERSON, "", kind=TurnKind.EDIT, proposed=CODE, kept=CODE.replace("    # add up\n", ""))
    (candidate,) = extract(session(person("write total()"), assistant(CODE), edit)).candidates
    assert (str(candidate.pair), candidate.signal, candidate.turn) == ("comment_density=none", Signal.EDIT, 2)


def test_a_plain_habit_is_standing_and_general() -> None:
    (candidate,) = extract(session(person(HABIT))).candidates
    assert (str(candidate.pair), candidate.signal, candidate.scope) == (
        "indent_style=tabs",
        Signal.STANDING,
        Scope.GENERAL,
    )


def test_a_wish_that_is_taken_back_is_a_rejection() -> None:
    result = extract(
        session(
            person(HABIT),
            assistant("Understood."),
            person("Actually forget what I said about the tabs, I take it back."),
        )
    )
    assert result.candidates == ()
    assert [rejection.code for rejection in result.rejections] == [Code.WITHDRAWN]


def test_what_was_pasted_is_not_read() -> None:
    pasted = Turn(Speaker.PERSON, "summarise:\n> From now on never use emoji", prose="summarise:\n\u2060\n")
    assert found(pasted) == set()


def test_threads_share_one_model_and_agree() -> None:
    talk = session(person(HABIT))
    results: list[object] = []
    threads = [threading.Thread(target=lambda: results.append(extract(talk))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == results[0] for result in results)


def test_an_edit_belongs_to_the_output_it_edits() -> None:
    edit = Turn(Speaker.PERSON, "", kind=TurnKind.EDIT, proposed="a", kept="b")
    owns = own_turns([person("x"), assistant("one"), edit, assistant("two"), person("y"), person("z")])
    assert [[turn.text for turn in own.before] for own in owns] == [[], ["one"], ["one", "two"], []]


def test_importing_the_package_loads_neither_numpy_nor_weights() -> None:
    program = "import sys, habitus_tasks.extract; sys.exit('numpy' in sys.modules or 'sentencepiece' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 4_000_000


@pytest.mark.timeout(900)
def test_the_development_set_keeps_its_floor() -> None:
    """The figures of docs/extraction.md, with some room: a change that loses more than that has broken something."""
    rows = [json.loads(line) for line in DEV.read_text("utf-8").splitlines()]
    result = score(rows)
    assert result.overall.precision > FLOOR_PRECISION
    assert result.overall.recall > FLOOR_RECALL
    assert result.clean / result.free > FLOOR_CLEAN
    assert result.unread == []


FLOOR_PRECISION, FLOOR_RECALL, FLOOR_CLEAN = 0.90, 0.74, 0.91
