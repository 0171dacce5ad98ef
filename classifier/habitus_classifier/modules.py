"""The three modules: each ranks {ignore, support, drive} from what it may see, and from nothing else.

MLE gets the group, CPE-Recall the dimension, CPE-Intent the pair; the value never reaches the first two.
"""

from habitus_classifier.evidence import NAMES, Cause, Evidence, Rule
from habitus_classifier.facets import asked
from habitus_classifier.tables import DIMENSIONS, GROUPS, PAIRS, Row
from habitus_schema.vocabulary import VALUES, Dimension

_GROUPS = {name: Rule(row) for name, row in GROUPS.items()}
GROUP_NAMES = tuple(_GROUPS)
"""All that the first module can tell apart."""
_DIMENSIONS = {dimension: Rule(row) for dimension, row in DIMENSIONS.items()}
_ASKS = {
    dimension: Cause({asked(dimension, str(value)): 1.0 for value in values}) for dimension, values in VALUES.items()
}
_PLAIN = Rule(Row())
_PAIRS = {
    (dimension, str(value)): (Rule(PAIRS[dimension, str(value)]) if (dimension, str(value)) in PAIRS else _PLAIN)
    for dimension, values in VALUES.items()
    for value in values
}
_ASKED = {(dimension, value): NAMES[asked(dimension, value)] for dimension, value in _PAIRS}


PLACE_POWER, DRIVE_POWER = 0.85, 0.6
"""Chances are raised to these: when a query is like several kinds, each has but a part of the chance."""


def ranking(place: float, drive: float) -> str:
    """Orders the policies by fit.

    Args:
        place: the chance that the answer has room for the preference, 0..1.
        drive: the chance that the query is about it, 0..1; being about it makes room.
    """
    drive **= DRIVE_POWER
    place = max(place**PLACE_POWER, drive)
    ignore, support, lead = 1.0 - place, place * (1.0 - drive), place * drive
    if ignore >= place:  # no room is likelier than room for either
        return "ABC" if support >= lead else "ACB"
    if support >= lead:
        return "BAC" if ignore >= lead else "BCA"
    return "CAB" if ignore >= support else "CBA"


def _room(evidence: Evidence, rule: Rule) -> float:
    place = 1.0 - (1.0 - rule.base) * (1.0 - evidence.of(rule.place))
    return place * (1.0 - evidence.of(rule.block))


def _lead(evidence: Evidence, rule: Rule) -> float:
    return evidence.of(rule.drive) * (1.0 - evidence.of(rule.calm))


def mle(evidence: Evidence, group: str) -> str:
    """The policy a typical asker of this query would want for any preference of this group."""
    rule = _GROUPS[group]
    return ranking(_room(evidence, rule), _lead(evidence, rule))


def cpe_recall(evidence: Evidence, dimension: Dimension) -> str:
    """Whether this query brings this dimension to mind."""
    rule = _DIMENSIONS[dimension]
    return ranking(_room(evidence, rule), max(evidence.of(_ASKS[dimension]), _lead(evidence, rule)))


def cpe_intent(evidence: Evidence, dimension: Dimension, value: str) -> str:
    """Whether the query's intent, its recipient and medium agree with this pair or leave it open."""
    rule, own = _DIMENSIONS[dimension], _PAIRS[dimension, value]
    place = 1.0 - (1.0 - _room(evidence, rule)) * (1.0 - evidence.of(own.place))
    place *= 1.0 - evidence.of(own.block)
    return ranking(place, max(evidence.vector[_ASKED[dimension, value]], own.keep * _lead(evidence, rule)))
