"""From labelled rows to training examples: one for each segment of a message, with what it should be heard as."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from rows import PAIRS, STATES, Row

from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.classifier import verdict_row
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.output import Output, vector
from habitus_tasks.extract.segments import tokenize

OPEN_KINDS = ("withdrawn", "undecided", "reversal")
"""Sequences whose early messages are wishes that the labels do not name: only their last words could teach."""
UNSAID = 0.3
"""Probability of any pair under which a message of a labelled sequence is taken for one without a wish."""
DIMENSIONS = [dimension.value for dimension in Dimension]
Guess = Callable[[Sequence[int]], np.ndarray]
"""Probabilities of pairs and then of states, one row for each example asked about."""


@dataclass
class Example:
    """One segment. `free`: nothing is asked for; `pairs_known`, `topics_known`: whether the labels tell."""

    ids: tuple[int, ...]
    output: int
    pairs: list[int] = field(default_factory=list)
    tied: list[int] = field(default_factory=list)
    state: int = 0
    topics: list[int] = field(default_factory=list)
    pairs_known: bool = True
    topics_known: bool = True
    standing: bool = False


@dataclass
class Group:
    """The examples of one sequence, by message, whose labels hold for the sequence as a whole."""

    row: Row
    examples: list[list[int]]


@dataclass
class Examples:
    """All examples, and the sequences that are still to be spread over theirs (`resolve`)."""

    items: list[Example] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    ready: list[int] = field(default_factory=list)
    facts: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    verdicts: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float32))


def _teach(example: Example, row: Row, labels: Sequence[dict[str, str]], states: Sequence[tuple[str, str]]) -> None:
    """Writes the labels that one example has into it."""
    index = {(pair.dimension.value, pair.value): i for i, pair in enumerate(PAIRS)}
    for label in labels:
        pair = index[(label["dimension"], label["value"])]
        example.pairs.append(pair)
        example.topics.append(DIMENSIONS.index(label["dimension"]))
        if label["scope"] == "entity":
            example.tied.append(pair)
    for state, dimension in states:
        example.state = STATES.index(state)
        example.topics += [DIMENSIONS.index(dimension)] if dimension else []
        example.topics_known &= bool(dimension)
    example.standing = bool(labels) and row.single and all(label["signal"] == "standing" for label in labels)


def of_rows(rows: Sequence[Row]) -> Examples:
    """The examples of all rows."""
    found = Examples()
    outputs: list[Output] = []
    for row in rows:
        own: list[list[int]] = []
        for text, output in zip(row.texts, row.outputs, strict=True):
            outputs.append(output)
            own.append([])
            for segment in tokenize(text).segments:
                own[-1].append(len(found.items))
                found.items.append(Example(segment.ids, len(outputs) - 1))
        whole = row.single and len(own[0]) == 1
        if whole:
            _teach(found.items[own[0][0]], row, row.labels, row.rejected)
            found.ready.append(own[0][0])
        elif row.labels or row.rejected:
            found.groups.append(Group(row, own))
        elif row.kind not in OPEN_KINDS:
            found.ready += [i for message in own for i in message]
    found.facts = np.array([vector(output) for output in outputs], dtype=np.float32)
    found.verdicts = np.array([verdict_row(output) for output in outputs], dtype=np.float32)
    return found


def _state_places(group: Group, scores: dict[int, np.ndarray]) -> dict[int, list[tuple[str, str]]]:
    """For each state the example that says so: one with a cue word for it, else the likeliest."""
    places: dict[int, list[tuple[str, str]]] = {}
    for state in sorted({name for name, _ in group.row.rejected} & set(STATES[1:])):
        later = 1 if state == "withdrawn" and len(group.examples) > 1 else 0
        own = range(later, len(group.examples))
        cued = [k for k in own if has(Cue(state), group.row.texts[k])]
        choice = [i for k in (cued or own) for i in group.examples[k]]
        if choice:
            best = max(choice, key=lambda i: scores[i][len(PAIRS) + STATES.index(state)])
            places[best] = [entry for entry in group.row.rejected if entry[0] == state]
    return places


def resolve(examples: Examples, guess: Guess) -> list[int]:
    """Spreads the labels of sequences over their messages as the model itself hears them; indices of what can teach.

    A choice by expectation-maximisation: the message that the model takes for the likeliest is taught to say it.
    """
    asked = [i for group in examples.groups for message in group.examples for i in message]
    scores = dict(zip(asked, guess(asked), strict=True))
    taught = []
    for group in examples.groups:
        own = [i for message in group.examples for i in message]
        states = _state_places(group, scores)
        index = {(pair.dimension.value, pair.value): k for k, pair in enumerate(PAIRS)}
        said: dict[int, list[dict[str, str]]] = {}
        for label in group.row.labels:
            best = max(own, key=lambda i: scores[i][index[(label["dimension"], label["value"])]])
            said.setdefault(best, []).append(label)
        for i in own:
            old = examples.items[i]
            examples.items[i] = fresh = Example(old.ids, old.output)
            _teach(fresh, group.row, said.get(i, []), states.get(i, []))
            quiet = scores[i][: len(PAIRS)].max() < UNSAID and group.row.kind not in OPEN_KINDS
            fresh.pairs_known = i in said or quiet or bool(states.get(i))
            if fresh.pairs_known:
                taught.append(i)
    return taught


def redrawn(examples: Examples, chosen: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each example the output that stands before it in this epoch.

    Half of the label-free ones and some of the standing ones get another row's output: what was said before must not
    decide by itself, and a habit holds whatever was said before.
    """
    own = np.array([examples.items[i].output for i in chosen])
    free = np.array([not examples.items[i].pairs for i in chosen])
    standing = np.array([examples.items[i].standing for i in chosen])
    some, none = (np.flatnonzero(examples.facts[:, 0] == there) for there in (1, 0))
    dice = rng.random(len(own))
    anything = rng.choice(some, len(own))
    other = np.where(rng.random(len(own)) < 0.75, anything, rng.choice(none, len(own)))
    drawn = np.where(free & (dice < 0.5), anything, own)
    return np.where(standing & (dice < 0.4), other, drawn)
