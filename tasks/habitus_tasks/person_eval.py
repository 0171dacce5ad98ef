"""Does a simulated person's profile hold all five true habits and nothing false? What `habitus eval person` prints.

The same sessions go through the record code twice, once with the extractor's candidates and once with the labels in
their place. What the labels promote is true, whether it is one of the five habits or came along in sessions that speak
of several; what only the extractor promotes is false.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from habitus_schema.ids import IdKey
from habitus_schema.models import Extraction, Status
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Transcript
from habitus_tasks.extract import extract
from habitus_tasks.labelled import as_labelled
from habitus_tasks.pipeline import Caller, Extractor, extraction_of, record_of
from habitus_tasks.simulate import simulate_records
from habitus_tasks.simulated_person import CARRYING, HABITS, Crowd, Labelled, SimulatedPerson, as_lived, pool_of

K = 2
Promoted = frozenset[Pair]
Say = Callable[[str], None]


@dataclass(slots=True)
class Score:
    """How many people came out right.

    Attributes:
        right: people with all five habits promoted and nothing false.
        complete, clean: people with all five promoted; people with nothing false.
        by_labels: people who come out right with the labels in the extractor's place.
        drawn, promoted: by habit, how many people have it, and for how many it was promoted.
        false: by pair, for how many people it was promoted without being true.
    """

    people: int = 0
    right: int = 0
    complete: int = 0
    clean: int = 0
    by_labels: int = 0
    drawn: Counter[Pair] = field(default_factory=Counter)
    promoted: Counter[Pair] = field(default_factory=Counter)
    false: Counter[Pair] = field(default_factory=Counter)

    def add(self, habits: Promoted, true: Promoted, found: Promoted) -> None:
        """Counts one person, by what the labels and what the extractor promote."""
        false = found - true - habits
        self.people += 1
        self.complete += habits <= found
        self.clean += not false
        self.right += habits <= found and not false
        self.by_labels += habits <= true
        self.drawn.update(habits)
        self.promoted.update(habits & found)
        self.false.update(false)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of right people lies with 95 % confidence (Wilson 1927)."""
        if not self.people:
            return 0.0, 1.0
        z, n, share = 1.96, self.people, self.right / self.people
        middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def score(
    rows: Iterable[Mapping[str, Any]],
    people: int,
    seed: int,
    *,
    carrying: int = CARRYING,
    extractor: Extractor = extract,
    say: Say = lambda _: None,
) -> Score:
    """Runs so many people. The same seed gives the same people; a session's text is extracted from once.

    Args:
        rows: an extraction set (formats.md of the contract) that the extractor was not trained on.
        carrying: how many of a person's sessions carry one of the habits.
        say: told now and then how far it is.

    Raises:
        HabitusError: when the set has too few sessions to make people of.
    """
    chance = random.Random(seed)  # noqa: S311 - which people there are is no secret
    crowd, result = Crowd(pool_of(rows), carrying), Score()
    cached: dict[int, Extraction] = {}
    key = IdKey.generate()

    def heard(each: Labelled) -> Extractor:
        if each.index not in cached:
            cached[each.index] = extraction_of(each.transcript, extractor)
        return lambda _transcript: cached[each.index]

    for number in range(1, people + 1):
        person = crowd.draw(chance)
        true = promoted(person, lambda each: as_labelled(each.labels), key)
        result.add(frozenset(person.habits), true, promoted(person, heard, key))
        if number % 10 == 0:
            say(f"{number} of {people} people, {len(cached)} sessions read")
    return result


def promoted(person: SimulatedPerson, extractor: Callable[[Labelled], Extractor], key: IdKey) -> Promoted:
    """What the profile holds after all sessions, by the real record code."""

    def recorded(each: Labelled, transcript: Transcript, caller: Caller) -> Any:
        return record_of(transcript, caller, "0" * 32, key, extractor(each))

    records = [
        recorded(each, transcript, Caller(user="someone", context=context, day=day))
        for each, transcript, context, day in as_lived(person)
    ]
    return frozenset(
        Pair(dimension=row.dimension, value=row.value)
        for row in simulate_records(K, records).profile
        if row.status is Status.PROMOTED
    )


def shares(result: Score) -> dict[str, Any]:
    """The figures that decide, by name."""
    people = max(result.people, 1)
    low, high = result.interval
    return {
        "people": result.people, "right": result.right / people, "right_low": max(low, 0.0), "right_high": high,
        "all_habits_promoted": result.complete / people, "nothing_false_promoted": result.clean / people,
        "habits_promoted": result.promoted.total() / max(result.people * HABITS, 1),
        "false_promotions": result.false.total(), "right_when_extracted_right": result.by_labels / people,
    }  # fmt: skip
