"""One message read: the windows in which it asks for something, and whether it holds a wish back."""

from collections.abc import Sequence
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
from habitus_tasks.extract.last_output import VIOLATED
from habitus_tasks.extract.names import entity_name, name_signs
from habitus_tasks.extract.own import Own
from habitus_tasks.extract.windows import Window

BELIEVABLE, UNSUPPORTED = 0.75, 0.96
"""Probability from which a pair is evidence: when the last output violates it (`last_output`), and when no output
speaks for it. Set for precision; docs/extraction.md has the curve."""
TOPIC = 0.2
"""Probability of a dimension's values together from which a message speaks about the dimension at all."""
LEANING = 0.3
"""Probability from which a later message casts doubt on an earlier rival: a pair missed in one session comes back,
a pair that the person took back is a wrong profile."""
HELD, HELD_WITH_CUE = 0.3, 0.08
"""Probability from which a window is a one-off, a withdrawal or left open: alone, and with a cue word beside it. Low,
since a wish held back by mistake comes back in another session, and a false one does not go away."""
TIED, TIED_WITH_NAME = 0.75, 0.3
"""Probability from which a wish is tied to a named entity: alone, and when a name stands in the same window."""
DIMENSIONS = tuple(Dimension)
_CEILINGS, _DENSITIES = (
    [i for i, pair in enumerate(PAIRS) if pair.dimension is dimension]
    for dimension in (Dimension.VERBOSITY_CEILING_TOKENS, Dimension.RESPONSE_DENSITY)
)


class State(IntEnum):
    """What the state head tells apart, in its order."""

    PLAIN = 0
    ONE_OFF = 1
    WITHDRAWN = 2
    UNDECIDED = 3


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What one message says: evidence by pair, the dimensions it speaks about, and the state of each.

    `leanings`: pairs it may well ask for, surely enough to cast doubt on an earlier rival and not to be evidence.
    """

    own: Own
    evidence: tuple[Evidence, ...]
    topics: frozenset[Dimension]
    held: tuple[tuple[Dimension, State], ...]
    withdraws: bool
    undecided: bool
    leanings: frozenset[Pair] = frozenset()


def _covers(outer: Window, inner: Window) -> bool:
    return outer.first <= inner.first and inner.last <= outer.last


def holds(scored: Scored, rows: Sequence[int], state: State, words: str) -> bool:
    """Whether some of a message's windows are in a state, by the state head and, for less, by a cue word as well."""
    strongest = float(scored.states[list(rows), state].max())
    return strongest > HELD or (strongest > HELD_WITH_CUE and has(Cue(state.name.lower()), words))


def _state(scored: Scored, index: int, text: str) -> State:
    """The state that holds a window's wish back, as the window or a wider one around it says."""
    windows = scored.tokenized.windows
    around = [i for i, window in enumerate(windows) if _covers(window, windows[index])]
    words = windows[index].span.of(text)
    for state in (State.UNDECIDED, State.ONE_OFF):
        if holds(scored, around, state, words):
            return state
    return State.ONE_OFF if has(Cue.ONE_OFF, words) and not has(Cue.HABIT, words) else State.PLAIN


def _tied(scored: Scored, index: int, words: str) -> bool:
    named = any(name_signs(words)[:2])
    return bool(scored.entity[index] > (TIED_WITH_NAME if named else TIED))


def _signal(own: Own, words: str) -> Signal:
    standing = own.turn.kind is TurnKind.MEMORY or not own.before or has(Cue.HABIT, words)
    return Signal.STANDING if standing else Signal.CORRECTION


def _evidence(own: Own, scored: Scored, pair: int, index: int, weight: float) -> Evidence:
    text = own.turn.prose
    words = scored.tokenized.windows[index].span.of(text)
    tied = _tied(scored, index, words)
    return Evidence(
        PAIRS[pair],
        own.index,
        weight,
        _signal(own, words),
        Scope.ENTITY if tied else Scope.GENERAL,
        entity_name(words) or entity_name(text) if tied else "",
        "classifier",
    )


def _with_caps(scored: Scored, own: Own) -> np.ndarray:
    """Pair probabilities by window. A numeric cap that is written takes those of all ceilings, and brevity's go.

    'A numeric cap alone gives `verbosity_ceiling_tokens`; "short" alone gives `response_density`' (labelling.md).
    """
    pairs = scored.pairs[:, : len(PAIRS)].copy()
    for i, window in enumerate(scored.tokenized.windows):
        total = pairs[i, _CEILINGS].sum()
        cap = ceiling(window.span.of(own.turn.prose)) if total > TOPIC else None
        if cap:
            pairs[i, [*_CEILINGS, *_DENSITIES]] = 0
            pairs[i, _CEILINGS[list(VerbosityCeilingTokens).index(cap)]] = total
    return pairs


def _thresholds(scored: Scored) -> np.ndarray:
    """The threshold of each pair after this output."""
    return np.where(scored.decided == VIOLATED, BELIEVABLE, UNSUPPORTED)


def read(own: Own, scored: Scored) -> Reading:
    """What the person's message says, from its scores."""
    pairs = _with_caps(scored, own)
    found: list[Evidence] = []
    held: list[tuple[Dimension, State]] = []
    for pair in np.flatnonzero(pairs.max(axis=0) > _thresholds(scored)):
        index = int(pairs[:, pair].argmax())
        state = _state(scored, index, own.turn.prose)
        if state is State.PLAIN:
            found.append(_evidence(own, scored, int(pair), index, float(pairs[index, pair])))
        else:
            held.append((PAIRS[pair].dimension, state))
    by_dimension = np.array([pairs[:, d == DIMENSION_OF].sum(axis=1).max() for d in range(len(DIMENSIONS))])
    topics = frozenset(DIMENSIONS[d] for d in np.flatnonzero(by_dimension > TOPIC))
    leanings = frozenset(PAIRS[pair] for pair in np.flatnonzero(pairs.max(axis=0) > LEANING))
    rows = range(len(scored.states))
    back, open_ = (holds(scored, rows, state, own.turn.prose) for state in (State.WITHDRAWN, State.UNDECIDED))
    return Reading(own, tuple(found), topics, tuple(held), back, open_, leanings)
