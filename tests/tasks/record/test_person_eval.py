"""Simulated people: five habits, a third of the sessions; what is promoted is held against what is true."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from habitus_schema.errors import HabitusError
from habitus_schema.models import Candidate, Extraction, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Speaker, Transcript
from habitus_tasks.labelled import as_labelled
from habitus_tasks.person_eval import Score, score, shares
from habitus_tasks.simulated_person import CARRYING, HABITS, SESSIONS, Crowd, as_lived, pool_of
from habitus_worker.cli import app

DEV = Path(__file__).parents[2] / "data" / "extraction_dev.jsonl"
ROWS = [json.loads(line) for line in DEV.read_text("utf-8").splitlines()]
POOL = pool_of(ROWS)
FREE = next(row for row in ROWS if not row["labels"])
TABS = Pair(dimension="indent_style", value="tabs")
SPACES = Pair(dimension="indent_style", value="spaces_2")
EMOJI = Pair(dimension="emoji_usage", value="none")


def test_a_person_has_five_habits_of_different_dimensions_and_a_third_of_the_sessions_carry_one_in_turn() -> None:
    crowd = Crowd(POOL)
    for seed in range(20):
        person = crowd.draw(random.Random(seed))
        assert len({habit.dimension for habit in person.habits}) == HABITS
        assert len(person.sessions) == SESSIONS
        carrying = [each for each in person.sessions if each.labels]
        assert len(carrying) == CARRYING == 13
        assert all(set(person.habits) & each.general for each in carrying)
        carried = Counter(habit for habit in person.habits for each in carrying if habit in each.general)
        assert min(carried.values()) >= 2


def test_no_session_speaks_against_a_habit_of_its_person() -> None:
    crowd = Crowd(POOL)
    for seed in range(20):
        person = crowd.draw(random.Random(seed))
        values = {habit.dimension: habit for habit in person.habits}
        said = {pair for each in person.sessions for pair in each.said}
        assert all(values.get(pair.dimension, pair) == pair for pair in said)


def test_every_session_is_another_task_on_another_day_with_messages_of_its_own() -> None:
    lived = as_lived(Crowd(POOL, carrying=SESSIONS).draw(random.Random(1)))
    assert len({context for _, _, context, _ in lived}) == len({day for *_, day in lived}) == SESSIONS
    own = [
        (transcript.session_id, turn.identity)
        for _, transcript, _, _ in lived
        for turn in transcript.turns
        if turn.speaker is Speaker.PERSON
    ]
    assert len({identity for _, identity in own}) == len(own)


def perfect(transcript: Transcript) -> Extraction:
    rows = {id(each.transcript.turns): each for each in POOL}
    return as_labelled(rows[id(transcript.turns)].labels)(transcript)


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool is read once here, so that an extractor can look a transcript's labels up."""
    monkeypatch.setattr("habitus_tasks.person_eval.pool_of", lambda _rows: POOL)


@pytest.mark.usefixtures("pooled")
def test_with_perfect_extraction_everyone_comes_out_right() -> None:
    found = score(ROWS, 3, 7, extractor=perfect)
    assert (found.people, found.right, found.complete, found.clean, found.by_labels) == (3, 3, 3, 3, 3)
    assert found.promoted == found.drawn
    assert found.drawn.total() == 3 * HABITS


def test_with_nothing_extracted_nothing_is_false_and_nobody_complete() -> None:
    found = score(ROWS, 2, 7, extractor=lambda _: Extraction())
    assert (found.right, found.complete, found.clean, found.promoted.total()) == (0, 0, 2, 0)
    assert found.by_labels == 2


def test_what_the_labels_do_not_promote_is_false() -> None:
    def inventing(transcript: Transcript) -> Extraction:
        own = [at for at, turn in enumerate(transcript.turns) if turn.speaker is Speaker.PERSON]
        return Extraction((Candidate(TABS, Signal.CORRECTION, Scope.GENERAL, own[-1]),))

    found = score(ROWS, 3, 7, extractor=inventing)
    assert found.clean == 3 - found.false[TABS]
    assert set(found.false) == {TABS}


def test_the_same_seed_gives_the_same_people() -> None:
    def people(seed: int) -> list[tuple[object, list[int]]]:
        crowd, chance = Crowd(POOL), random.Random(seed)
        drawn = [crowd.draw(chance) for _ in range(3)]
        return [(person.habits, [each.index for each in person.sessions]) for person in drawn]

    assert people(3) == people(3)
    assert people(3) != people(4)


@pytest.mark.parametrize(
    ("habits", "true", "found", "right", "complete", "clean"),
    [
        ({TABS}, {TABS}, {TABS}, 1, 1, 1),
        ({TABS}, {TABS}, set(), 0, 0, 1),
        ({TABS}, {TABS}, {TABS, EMOJI}, 0, 1, 0),
        ({TABS}, {TABS, EMOJI}, {TABS, EMOJI}, 1, 1, 1),  # it came along with the habit, often enough to be true
        ({TABS}, {TABS}, {SPACES}, 0, 0, 0),
    ],
)
def test_right_is_complete_and_clean(
    habits: set[Pair], true: set[Pair], found: set[Pair], right: int, complete: int, clean: int
) -> None:
    result = Score()
    result.add(frozenset(habits), frozenset(true), frozenset(found))
    assert (result.right, result.complete, result.clean) == (right, complete, clean)
    figures: Mapping[str, Any] = shares(result)
    assert figures["right_low"] <= figures["right"] <= figures["right_high"]


def test_a_set_without_ordinary_sessions_makes_no_people() -> None:
    with pytest.raises(HabitusError):
        score([row for row in ROWS if row["labels"]], 1, 1)


def test_the_command_prints_its_seed_and_a_row_for_each_habit(tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join(json.dumps(row) + "\n" for row in [*[row for row in ROWS if row["labels"]][:20], FREE]))
    words = ["eval", "person", str(few), "--people", "1", "--seed", "5", "--json"]
    done = CliRunner().invoke(app, words, env={"HABITUS_HOME": str(tmp_path)})
    row = json.loads(done.stdout)
    assert (row["seed"], row["people"], row["carrying"], row["right_when_extracted_right"]) == (5, 1, 13, 1.0)
    assert len(row["habits"]) == len(row["by_dimension"]) == HABITS
