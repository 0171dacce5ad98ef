"""The catalog: what each pair of the closed vocabulary means, and how it is said to a reader."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from habitus_schema.vocabulary import VALUES, Dimension

if TYPE_CHECKING:  # a reader that is waited for asks for the meanings alone, and pydantic is most of its time
    from habitus_schema.pairs import Pair


@cache
def _catalog() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("catalog.toml").read_text("utf-8"))


def version() -> int:
    """The catalog's version: stored beside every row, so that a later one can map or drop its values."""
    return int(_catalog()["version"])


@cache
def all_pairs() -> tuple["Pair", ...]:
    """Every pair of the vocabulary, in the catalog's order."""
    from habitus_schema.pairs import Pair

    return tuple(Pair(dimension=dimension, value=value) for dimension, values in VALUES.items() for value in values)


def group(dimension: Dimension) -> str:
    """The dimension's group: ``formatting``, ``response``, ``code`` or ``workflow``."""
    return str(_catalog()["dimensions"][dimension]["group"])


def meaning(pair: "Pair") -> str:
    """What the pair asks for, in the catalog's words: the only text about a preference that is ever shown."""
    return str(_catalog()["dimensions"][pair.dimension]["values"][pair.value])


@cache
def spellings() -> Mapping[str, "Pair"]:
    """Literal spellings a person may write, with the pairs they mean. For the extractor; the gate takes none."""
    from habitus_schema.pairs import Pair

    return MappingProxyType(
        {
            spelling: Pair(dimension=Dimension(dimension), value=value)
            for spelling, (dimension, value) in _catalog()["spellings"].items()
        }
    )
