"""People made of labelled sessions: five true habits each, and ordinary sessions in between.

A person's habits are five pairs of different dimensions, drawn at random from the catalog. A third of their sessions
carry one of the five, in turn: labelled sessions that give general evidence for it and none against any of the five.
The rest are label-free sessions, traps among them. Every session is a task of its own: its own day, its own context,
its own messages, even when a text has to be used twice because the sets have too few.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from habitus_schema.catalog import all_pairs
from habitus_schema.errors import HabitusError, TranscriptError
from habitus_schema.models import Scope
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse import read_session

HABITS, SESSIONS = 5, 40
CARRYING = SESSIONS // 3
DRAWS = 1000
FIRST_DAY = date(2026, 1, 1)
DAYS_APART = 3
"""Days between sessions: all lie inside the window of 180 days."""


@dataclass(frozen=True, slots=True, repr=False)
class Labelled:
    """A labelled session: its transcript and labels; all their pairs, and those of general scope."""

    index: int
    transcript: Transcript
    labels: tuple[Mapping[str, Any], ...]
    said: frozenset[Pair]
    general: frozenset[Pair]


@dataclass(frozen=True, slots=True, repr=False)
class SimulatedPerson:
    """A person's true habits, and their sessions in the order of their days."""

    habits: tuple[Pair, ...]
    sessions: tuple[Labelled, ...]


def pool_of(rows: Iterable[Mapping[str, Any]]) -> list[Labelled]:
    """The sessions of an extraction set that can be read and in which the person speaks."""
    pool = []
    for index, row in enumerate(rows):
        try:
            transcript = read_session(row["session"], Format(row["format"]))
        except TranscriptError:
            continue
        if transcript.own_messages:
            general = [label for label in row["labels"] if label["scope"] == Scope.GENERAL.value]
            pool.append(Labelled(index, transcript, tuple(row["labels"]), _pairs(row["labels"]), _pairs(general)))
    return pool


def _pairs(labels: Iterable[Mapping[str, Any]]) -> frozenset[Pair]:
    return frozenset(Pair(dimension=label["dimension"], value=label["value"]) for label in labels)


class Crowd:
    """Draws people from a pool of labelled sessions.

    Raises:
        HabitusError: when the pool has no label-free session, or labels for too few dimensions.
    """

    def __init__(self, pool: Sequence[Labelled], carrying: int = CARRYING) -> None:
        self._carrying = carrying
        self._plain = [each for each in pool if not each.labels]
        self._by_pair = {pair: [each for each in pool if pair in each.general] for pair in all_pairs()}
        known = {pair.dimension for pair, found in self._by_pair.items() if found}
        if not self._plain or len(known) < HABITS:
            raise HabitusError(f"the set needs label-free sessions, and labelled ones of {HABITS} dimensions or more")

    def draw(self, chance: random.Random) -> SimulatedPerson:
        """The next person. Whoever's habits no session can express without a rival is drawn again.

        Raises:
            HabitusError: when `DRAWS` people in a row are such.
        """
        for _ in range(DRAWS):
            habits = self._habits(chance)
            expressed = [self._expressions(habit, habits) for habit in habits]
            if all(expressed):
                return SimulatedPerson(habits, self._sessions(expressed, chance))
        raise HabitusError("the set's labelled sessions contradict one another too often to make a person of them")

    def _sessions(self, expressed: Sequence[Sequence[Labelled]], chance: random.Random) -> tuple[Labelled, ...]:
        carrying = [_endless(found, chance) for found in expressed]
        sessions = [next(carrying[at % HABITS]) for at in range(self._carrying)]
        plain = _endless(self._plain, chance)
        sessions += [next(plain) for _ in range(SESSIONS - self._carrying)]
        chance.shuffle(sessions)
        return tuple(sessions)

    def _habits(self, chance: random.Random) -> tuple[Pair, ...]:
        habits: dict[str, Pair] = {}
        for pair in chance.sample(all_pairs(), len(all_pairs())):
            if self._by_pair[pair] and len(habits) < HABITS:
                habits.setdefault(pair.dimension, pair)
        return tuple(habits.values())

    def _expressions(self, habit: Pair, habits: Sequence[Pair]) -> list[Labelled]:
        """The sessions that give general evidence for a habit, and none of any scope against one of the person's."""
        values = {each.dimension: each for each in habits}
        return [
            each for each in self._by_pair[habit] if all(values.get(pair.dimension, pair) == pair for pair in each.said)
        ]


def _endless(found: Sequence[Labelled], chance: random.Random) -> Iterator[Labelled]:
    """The sessions in random order, and over again in another one when there are too few."""
    while True:
        yield from chance.sample(found, len(found))


def as_lived(person: SimulatedPerson) -> list[tuple[Labelled, Transcript, str, date]]:
    """Each session with its transcript as one of this person's, its context and its day."""
    lived = []
    for number, each in enumerate(person.sessions):
        turns = [replace(turn, identity=f"{number}-{at}") for at, turn in enumerate(each.transcript.turns)]
        transcript = replace(
            each.transcript, session_id=f"session {number}", user_id="", tenant_id="", task_context="",
            ended_at=None, turns=turns,
        )  # fmt: skip
        lived.append((each, transcript, f"task {number}", FIRST_DAY + timedelta(days=number * DAYS_APART)))
    return lived
