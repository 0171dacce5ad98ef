"""The gate before the vote: what the query itself contradicts, and what its recipient or medium makes wrong."""

from types import MappingProxyType

from habitus_classifier.contradictions import CONTRADICTIONS
from habitus_classifier.evidence import NAMES, Cause, Evidence, Terms, terms
from habitus_classifier.facets import asked
from habitus_classifier.policy import Reason
from habitus_schema.vocabulary import Dimension

D = Dimension

SURE = 0.4
"""From this chance on a contradiction closes the gate."""

_RECIPIENT: MappingProxyType[tuple[D, str], float] = MappingProxyType(
    {
        **{(D.CODE_FENCE_STYLE, value): 1.0 for value in ("triple_backtick", "quad_backtick")},
        (D.LIST_STYLE, "bullets"): 0.8,
        (D.LIST_STYLE, "numbered"): 0.8,
        (D.TABLE_USAGE, "prefer"): 0.9,
        (D.HEADING_USAGE, "use"): 1.0,
        (D.EMOJI_USAGE, "allowed"): 0.9,
        (D.SOURCE_CITATION, "include"): 0.9,
    }
)
"""What a letter or post to somebody else must not carry, and how surely (settled case of the labelling rules)."""
_MOOT: MappingProxyType[tuple[D, str], dict[str, float]] = MappingProxyType(
    {
        (D.TEST_POLICY, "on_request"): {"tests": 1.0},
        (D.VERIFICATION_FOOTER, "none"): {"verify": 0.8, "run": 0.7},
    }
)
"""What a pair holds back until it is asked for, when the query asks for it (settled case)."""

_LETTER, _MEDIUM = NAMES["letter"], NAMES["medium"]
_RIVALS: dict[tuple[D, str], Terms] = {key: terms(weights) for key, weights in CONTRADICTIONS.items()}
_OWN = {(dimension, value): NAMES[asked(dimension, value)] for dimension, value in CONTRADICTIONS}
_HELD = {key: Cause(weights) for key, weights in _MOOT.items()}


def _strongest(vector: list[float], weighted: Terms) -> float:
    return max(weight * vector[index] for index, weight in weighted)


def closed_by(evidence: Evidence, dimension: D, value: str) -> Reason | None:
    """Why the pair is ignored before any vote, or None when the vote decides.

    What the query asks for outright is never stopped by its recipient: 'add emoji to this invitation'.
    """
    key, vector = (dimension, value), evidence.vector
    if key in _HELD and evidence.of(_HELD[key]) >= SURE:
        return Reason.MOOT
    own = vector[_OWN[key]]
    rival = _strongest(vector, _RIVALS[key])
    if rival >= SURE and rival > own:
        return Reason.CONTRADICTED
    wrong = _RECIPIENT.get(key, 0.0)
    if wrong and own < SURE and wrong * vector[_LETTER] >= SURE:
        return Reason.MEDIUM if vector[_MEDIUM] >= SURE else Reason.RECIPIENT
    return None
