"""Evidence: what one turn of the person says about one pair, before the session is weighed as a whole."""

from dataclasses import dataclass

from habitus_schema.models import Scope, Signal
from habitus_schema.pairs import Pair


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """One turn's evidence for one pair.

    Attributes:
        turn: index in `Transcript.turns`.
        weight: how sure the component is, 0 to 1; rules give 1.
        cue: the closed id of the component that found it.
    """

    pair: Pair
    turn: int
    weight: float
    signal: Signal
    scope: Scope = Scope.GENERAL
    entity: str = ""
    cue: str = ""
