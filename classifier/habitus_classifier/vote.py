"""The vote: positions are summed, the lowest sum wins.

Source: RP-Reasoner (arXiv 2601.16621) for the sums and first places. It breaks what is left by chance; here the most
conservative of the tied policies wins, so that the same profile and query always give the same answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from habitus_classifier.policy import WORDS, Policy

CONSERVATIVE = "ABC"
"""What an unparseable ranking counts as: ignore, then support, then drive."""
ORDERS = frozenset({"ABC", "ACB", "BAC", "BCA", "CAB", "CBA"})
"""The six rankings there are."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcome of a vote.

    Attributes:
        policy: the winner.
        scores: summed positions by policy word (1 is first); three modules give sums of 3 to 9.
    """

    policy: Policy
    scores: Mapping[str, int]


def parse_ranking(text: str) -> str:
    """The three letters of a ranking such as ``B > C > A``, or `CONSERVATIVE` when it is none.

    Args:
        text: letters A, B, C in any case, apart by ``>``, commas or spaces, or by nothing.
    """
    if text in ORDERS:
        return text
    letters = "".join(text.upper().replace(">", " ").replace(",", " ").split()) if len(text) <= 64 else ""
    return letters if letters in ORDERS else CONSERVATIVE


@lru_cache
def _tally(orders: tuple[str, ...]) -> Tally:
    sums = {letter: sum(order.index(letter) + 1 for order in orders) for letter in "ABC"}
    firsts = {letter: -sum(order[0] == letter for order in orders) for letter in "ABC"}
    best = min("ABC", key=lambda letter: (sums[letter], firsts[letter], letter))
    scores = MappingProxyType({word: sums[policy.value] for policy, word in WORDS.items()})
    return Tally(Policy(best), scores)


def tally(orders: tuple[str, ...]) -> Tally:
    """The vote over rankings that `parse_ranking` gave; fewer than two are no vote, and the policy is ignore."""
    found = _tally(orders)
    return found if len(orders) >= 2 else Tally(Policy.IGNORE, found.scores)


def aggregate_rankings(rankings: Iterable[str]) -> Tally:
    """The vote over the rankings of the modules that answered.

    Fewer than two rankings are no vote: the policy is ignore. Ties go to more first places, then to the most
    conservative of the tied.

    Args:
        rankings: one text a module, most fitting first; see `parse_ranking`.
    """
    return tally(tuple(parse_ranking(ranking) for ranking in rankings))
