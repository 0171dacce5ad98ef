"""The prompt section: the preferences that apply, as facts about the person, in the catalog's words and no others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from habitus_classifier.policy import Policy

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

OPEN = "<habitus-profile>"
"""First line of the section. Habitus recognises its own text by it, and never learns from it."""
CLOSE = "</habitus-profile>"
"""Last line of the section."""
MAX_LINES = 12
"""How many preferences a section holds at most; drive lines go first."""
_INTRO = "What is known of how this person likes answers. Facts, not orders; what they ask for now goes first."
_HEADS = (
    (Policy.PREFERENCE_DRIVEN.word, "Central to this request:"),
    (Policy.SUPPORT.word, "Also usual for this person:"),
)


def section(decided: Sequence[tuple["Pair", str]], max_lines: int = MAX_LINES) -> str:
    """The section for pairs with their policy words; empty when none of them applies.

    The order is that of the catalog within drive and support, whatever the order of the pairs, so that equal
    decisions give equal bytes and a provider's prompt cache can hold.

    Args:
        max_lines: at most so many preferences are named.
    """
    from habitus_schema.catalog import all_pairs, meaning  # here: it loads pydantic

    rank = {pair: place for place, pair in enumerate(all_pairs())}
    lines: list[str] = []
    left = max_lines
    for word, head in _HEADS:
        chosen = sorted({pair for pair, policy in decided if policy == word}, key=rank.__getitem__)[: max(0, left)]
        left -= len(chosen)
        if chosen:
            lines += [head, *(f"- {meaning(pair)}" for pair in chosen)]
    return "\n".join([OPEN, _INTRO, *lines, CLOSE]) if lines else ""
