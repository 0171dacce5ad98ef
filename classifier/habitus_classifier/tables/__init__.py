"""Tables: for each dimension, the facets that make room for it, that make it the subject, and that shut it out.

Weights are chances in 0..1, joined by noisy-or. Where a row leans on a settled case of the labelling rules, it says so.
"""

from types import MappingProxyType

from habitus_classifier.tables.form import FORM
from habitus_classifier.tables.row import COMPOSED, LESS, Row, Weights
from habitus_classifier.tables.values import PAIRS
from habitus_classifier.tables.work import WORK
from habitus_schema.vocabulary import Dimension

__all__ = ["COMPOSED", "DIMENSIONS", "GROUPS", "LESS", "PAIRS", "Row", "Weights"]

DIMENSIONS: MappingProxyType[Dimension, Row] = MappingProxyType({**FORM, **WORK})
"""What CPE-Recall goes by: the query and the dimension."""

GROUPS: MappingProxyType[str, Row] = MappingProxyType(
    {
        "formatting": Row(
            base=0.4, place={"open": 0.8, "prose": 0.8, "letter": 0.7}, block={"config": 0.5, "commit": 0.5}
        ),
        "response": Row(base=0.7, place={"open": 0.8}, block={"letter": 0.5, "creative": 0.4}),
        "code": Row(
            place={"newcode": 1, "codeq": 0.5, "file": 0.7},
            drive={"comments": 0.6, "types": 0.6, "indent": 0.6, "tests": 0.5},
            block={"letter": 1, "message": 0.8},
        ),
        "workflow": Row(
            place={"work": 0.85, "setup": 0.9, "shell": 0.5, "run": 0.6},
            drive={"setup": 0.6, "commit": 0.5, "progress": 0.6, "plan": 0.6},
            block={"letter": 0.9, "recap": 0.8},
        ),
    }
)
"""What MLE goes by: the query and the dimension's group."""
