"""One message read: the windows in which it asks for something, and whether it holds a wish back."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from habitus_schema.models import Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import TurnKind
from habitus_schema.vocabulary import Dimension, VerbosityCeilingTokens

from habitus_tasks.extract.caps import ceiling
from habitus_tasks.extract.classifier import DIMENSION_OF, PAIRS, Scored
from habitus_tasks.extract.cues import Cue, has
from habitus_tasks.extract.evidence import Evidence
from habitus_tasks.extract.names import entity_name
from habitus_tasks.extract.own import Own
from habitus_tasks.extract.windows import Window

THRESHOLD = 0.95
"""Probability from which a pair is evidence: set for precision (docs/extraction.md has the curve)."""
TOPIC = 0.2
"""Probability of a dimension's values together from which a message speaks about the dimension at all."""
HELD = 0.5
"""Probability from which a window is a one-off, a withdrawal or left open."""
TIED = 0.5
"""Probability from which a wish is tied to a named entity."""
DIMENSIONS = tuple(Dimension)


class State(IntEnum):
    """What the state head tells apart, in its order."""

    PLAIN = 0
    ONE_OFF = 1
    WITHDRAWN = 2
    UNDECIDED = 3


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What one message says: evidence by pair, the dimensions it speaks about, and the state of each."""

    own: Own
    evidence: tuple[Evidence, ...]
    topics: frozenset[Dimension]
    held: tuple[tuple[Dimension, State], ...]
    withdraws: bool
    undecided: bool


def _covers(outer: Window, inner: Window) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def _state(scored: Scored, index: int, words: str) -> State:
    """The state that holds a window's wish back: of the window, or of a wider one; a one-off cue needs no second word."""
    windows = scored.tokenized.windows
    around = [i for i, window in enumerate(windows) if _covers(window, windows[index])]
    strongest = scored.states[around].max(axis=0)
    for state in (State.UNDECIDED, State.ONE_OFF):
        if strongest[state] > HELD:
            return state
    if has(Cue.ONE_OFF, words) and not has(Cue.HABIT, words):
        return State.ONE_OFF
    return State.PLAIN


def _signal(own: Own, words: str) -> Signal:
    standing = own.turn.kind is TurnKind.MEMORY or not own.before or has(Cue.HABIT, words)
    return Signal.STANDING if standing else Signal.CORRECTION


def _evidence(own: Own, scored: Scored, pair: int, index: int, weight: float) -> Evidence:
    text = own.turn.prose
    words = scored.tokenized.windows[index].span.of(text)
    tied = scored.entity[index] > TIED
    value = PAIRS[pair]
    if value.dimension is Dimension.VERBOSITY_CEILING_TOKENS:
        cap = ceiling(words)
        value = Pair(dimension=value.dimension, value=cap.value) if cap else value
    return Evidence(
        value,
        own.index,
        weight,
        _signal(own, words),
        Scope.ENTITY if tied else Scope.GENERAL,
        entity_name(words) or entity_name(text) if tied else "",
        "classifier",
    )


def _ceilings() -> np.ndarray:
    return np.flatnonzero(DIMENSION_OF == DIMENSIONS.index(Dimension.VERBOSITY_CEILING_TOKENS))


def _with_caps(scored: Scored, own: Own) -> np.ndarray:
    """Pair probabilities by window; where a numeric cap is written, its ceiling takes those of all ceilings."""
    pairs = scored.pairs[:, : len(PAIRS)].copy()
    columns = _ceilings()
    order = [ceiling_.value for ceiling_ in VerbosityCeilingTokens]
    for i, window in enumerate(scored.tokenized.windows):
        total = pairs[i, columns].sum()
        cap = ceiling(window.span.of(own.turn.prose)) if total > TOPIC else None
        if cap:
            pairs[i, columns] = 0
            pairs[i, columns[order.index(cap.value)]] = total
    return pairs


def read(own: Own, scored: Scored) -> Reading:
    """What the person's message says, from its scores."""
    pairs = _with_caps(scored, own)
    found: list[Evidence] = []
    held: list[tuple[Dimension, State]] = []
    for pair in np.flatnonzero(pairs.max(axis=0) > THRESHOLD):
        index = int(pairs[:, pair].argmax())
        state = _state(scored, index, scored.tokenized.windows[index].span.of(own.turn.prose))
        if state is State.PLAIN:
            found.append(_evidence(own, scored, int(pair), index, float(pairs[index, pair])))
        else:
            held.append((PAIRS[pair].dimension, state))
    by_dimension = np.array([pairs[:, DIMENSION_OF == d].sum(axis=1).max() for d in range(len(DIMENSIONS))])
    topics = frozenset(DIMENSIONS[d] for d in np.flatnonzero(by_dimension > TOPIC))
    states = scored.states.max(axis=0)
    return Reading(
        own, tuple(found), topics, tuple(held), states[State.WITHDRAWN] > HELD, states[State.UNDECIDED] > HELD
    )
