"""The three modules: each ranks {ignore, support, drive} from what it may see, and from nothing else.

MLE gets the group, CPE-Recall the dimension, CPE-Intent the pair; the value never reaches the first two.
"""

from functools import cache

from habitus_schema.vocabulary import VALUES, Dimension

from habitus_classifier.evidence import NAMES, Rule, Terms, either, terms
from habitus_classifier.facets import asked
from habitus_classifier.tables import DIMENSIONS, GROUPS, PAIRS, Row

_GROUPS = {name: Rule(row) for name, row in GROUPS.items()}
_DIMENSIONS = {dimension: Rule(row) for dimension, row in DIMENSIONS.items()}
_ASKS: dict[Dimension, Terms] = {
    dimension: terms({asked(dimension, str(value)): 1.0 for value in values}) for dimension, values in VALUES.items()
}
_PLAIN = Rule(Row())


def ranking(place: float, drive: float) -> str:
    """Orders the policies by fit.

    Args:
        place: the chance that the answer has room for the preference, 0..1.
        drive: the chance that the query is about it, 0..1; being about it makes room.
    """
    place = max(place, drive)
    ignore, support, lead = 1.0 - place, place * (1.0 - drive), place * drive
    if ignore >= support:
        return "ABC" if support >= lead else ("ACB" if ignore >= lead else "CAB")
    if support >= lead:
        return "BAC" if ignore >= lead else "BCA"
    return "CBA"


def _room(vector: list[float], rule: Rule) -> float:
    place = 1.0 - (1.0 - rule.base) * (1.0 - either(vector, rule.place))
    return place * (1.0 - either(vector, rule.block))


def _lead(vector: list[float], rule: Rule) -> float:
    return either(vector, rule.drive) * (1.0 - either(vector, rule.calm))


def mle(vector: list[float], group: str) -> str:
    """The policy a typical asker of this query would want for any preference of this group."""
    rule = _GROUPS[group]
    return ranking(_room(vector, rule), _lead(vector, rule))


def cpe_recall(vector: list[float], dimension: Dimension) -> str:
    """Whether this query brings this dimension to mind."""
    rule = _DIMENSIONS[dimension]
    asks = either(vector, _ASKS[dimension])
    return ranking(_room(vector, rule), max(asks, _lead(vector, rule)))


@cache
def _pair(dimension: Dimension, value: str) -> tuple[Rule, Rule, int]:
    row = PAIRS.get((dimension, value))
    return _DIMENSIONS[dimension], Rule(row) if row else _PLAIN, NAMES[asked(dimension, value)]


def cpe_intent(vector: list[float], dimension: Dimension, value: str) -> str:
    """Whether the query's intent, its recipient and medium agree with this pair or leave it open."""
    rule, own, ask = _pair(dimension, value)
    place = 1.0 - (1.0 - _room(vector, rule)) * (1.0 - either(vector, own.place))
    place *= 1.0 - either(vector, own.block)
    return ranking(place, max(vector[ask], own.keep * _lead(vector, rule)))
