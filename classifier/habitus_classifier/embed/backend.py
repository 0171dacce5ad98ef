"""Sentence embeddings as a backend: the facets are told by them and by the built-in model together.

Tables, gate, modules and vote are the same as the built-in backend's; what differs is who recognises the query. The two
are wrong about different wordings: n-grams about words they never saw, a sentence vector about a short ask in a long
text.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from habitus_classifier.decide import judgements
from habitus_classifier.embed import encoder, heads
from habitus_classifier.evidence import evidence_of, facets_of
from habitus_classifier.judgement import Judgement
from habitus_classifier.text import read

if TYPE_CHECKING:
    from habitus_schema.pairs import Pair

SHARE = 0.4
"""How much the embeddings' word counts beside the built-in model's: best on ``validation-policies.jsonl``."""
CLAUSES = 6
"""Clauses that are looked at one by one for what they ask: an ask would drown in the rest."""
_CLAUSE = re.compile(r"[.!?;:,()\n。！？；：，、]+")


class Embeddings:
    """Judges pairs. Safe to share between threads; the first call loads the encoder, about a second."""

    def __call__(self, query: str, pairs: Sequence["Pair"]) -> list[Judgement]:
        """One judgement a pair, in order."""
        if not pairs:
            return []
        return judgements(evidence_of(self.facets(query)), pairs)

    def facets(self, query: str) -> list[float]:
        """The chance of each of `FACETS`."""
        text = read(query).exact
        clauses = [clause for clause in map(str.strip, _CLAUSE.split(text)) if clause][:CLAUSES]
        found = encoder.vectors([text, *(clauses if len(clauses) > 1 else [])])
        told = heads.facets(heads.load(), found[0], found[1:])
        pairs = zip(told, facets_of(query), strict=True)
        return [SHARE * one + (1.0 - SHARE) * other for one, other in pairs]

    def __repr__(self) -> str:
        return "Embeddings()"
