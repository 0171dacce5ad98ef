"""The prompt section: the preferences that apply, as facts about the person, in the catalog's words and no others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from habitus_classifier.policy import Policy
from habitus_schema.vocabulary import VALUES

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


_TEXT = 400
"""Characters of a preference in free text that are shown."""


def section(decided: "Sequence[tuple[Pair | str, str]]", max_lines: int = MAX_LINES) -> str:
    """The section for preferences with their policy words; empty when none of them applies.

    Pairs come in the catalog's words and its order within drive and support, whatever their order here, so that equal
    decisions give equal bytes and a provider's prompt cache can hold; free text comes after them, on one line each.

    Args:
        max_lines: at most so many preferences are named.
    """
    lines: list[str] = []
    left = max_lines
    for word, head in _HEADS:
        chosen = _ordered([each for each, policy in decided if policy == word])[: max(0, left)]
        left -= len(chosen)
        if chosen:
            lines += [head, *(f"- {text}" for text in chosen)]
    return "\n".join([OPEN, _INTRO, *lines, CLOSE]) if lines else ""


_RANK = [(dimension, str(value)) for dimension, values in VALUES.items() for value in values]
"""The catalog's order."""


def _ordered(preferences: "Sequence[Pair | str]") -> list[str]:
    from habitus_schema.catalog import meaning  # here: it reads the catalog

    chosen = {(each.dimension, each.value): each for each in preferences if not isinstance(each, str)}
    pairs = [chosen[key] for key in _RANK if key in chosen]
    texts = dict.fromkeys(_one_line(each) for each in preferences if isinstance(each, str))
    return [*map(meaning, pairs), *texts]


def _one_line(text: str) -> str:
    """A preference in free text that can neither end the section nor begin another line of it."""
    return " ".join(text.split())[:_TEXT].replace("<", "(").replace(">", ")")
