"""Literal spellings of pairs (`fence_backtick_count=4`), as the catalog lists them."""

from habitus_schema.catalog import spellings
from habitus_schema.pairs import Pair


def spelled(text: str) -> frozenset[Pair]:
    """The pairs whose literal spelling stands in the text, whatever its case and the spaces around its sign."""
    folded = "".join(text.casefold().split())
    return frozenset(pair for spelling, pair in spellings().items() if spelling.casefold() in folded)
