"""One row of the tables, and the composed facets that rows may name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Weights = Mapping[str, float]
"""Chances by facet name."""

COMPOSED: MappingProxyType[str, Weights] = MappingProxyType(
    {
        "edit": {
            "change": 1,
            "trivial": 1,
            "errors": 0.3,
            "types": 0.8,
            "comments": 0.8,
            "docstrings": 0.8,
            "indent": 0.8,
            "quotes": 0.8,
            "code_delivery=full_file": 0.6,
            "code_delivery=changed_parts": 0.9,
            "code_delivery=unified_diff": 0.9,
            "change_scope=minimal_diff": 0.8,
            "change_scope=refactor_freely": 0.8,
        },
        "newcode": {
            "code": 1,
            "change": 1,
            "tests": 0.9,
            "types": 0.8,
            "comments": 0.8,
            "docstrings": 0.8,
            "indent": 0.8,
            "quotes": 0.8,
            "code_delivery=full_file": 0.8,
            "code_delivery=changed_parts": 0.8,
            "code_delivery=unified_diff": 0.8,
            "code_explanation=code_only": 0.7,
        },
        "codeout": {
            "code": 1,
            "file": 0.9,
            "change": 1,
            "codeq": 0.9,
            "tests": 1,
            "types": 0.9,
            "comments": 0.9,
            "code_delivery=full_file": 0.8,
            "code_delivery=changed_parts": 0.9,
            "code_delivery=unified_diff": 0.9,
            "code_explanation=code_only": 0.9,
            "code_explanation=with_explanation": 0.7,
        },
        "open": {
            "question": 0.9,
            "explain": 1,
            "compare": 1,
            "steps": 1,
            "listing": 1,
            "advice": 1,
            "fact": 0.8,
            "summary": 0.7,
            "recap": 0.8,
            "codeq": 0.7,
            "plan": 0.8,
            "data": 0.6,
            "sources": 0.8,
        },
        "work": {"agent": 1, "big": 0.8, "vague": 0.8},
        "briefly": {"response_density=concise_direct": 1, "verbosity_ceiling_tokens=150": 1},
        "atlength": {"response_density=detailed_explanatory": 1},
    }
)

LESS: MappingProxyType[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "codetalk": ("codeq", ("shell",)),
        "look": ("run", ("change", "big")),
        "verse": ("creative", ("letter",)),
        "patch": ("code_delivery=unified_diff", ("message", "commit")),
    }
)
"""A facet where none of the others holds: a question about code and not about a machine, and so on."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a table says about one dimension or pair.

    Attributes:
        base: the chance of a place in the answer when no facet speaks.
        place: facets that make room for it.
        drive: facets that make it what the query is about.
        block: facets that leave no room for it.
        calm: facets under which it is not what the query is about after all.
        keep: for a pair, how much of its dimension's drive it keeps.
    """

    base: float = 0.0
    place: Weights = field(default_factory=dict)
    drive: Weights = field(default_factory=dict)
    block: Weights = field(default_factory=dict)
    calm: Weights = field(default_factory=dict)
    keep: float = 1.0
