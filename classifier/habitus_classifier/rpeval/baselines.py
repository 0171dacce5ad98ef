"""What needs no model: always ignore, and a guess from the preference alone.

The second shows how much of a set is in the wording of its preferences: naive Bayes over character n-grams, fitted at
run time on the questions of the other folds and thrown away afterwards. It never sees a query.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from habitus_classifier.rpeval.files import Record

FOLDS = 10
_SIZES = (1, 2, 3)
_READ = 1200
"""Characters of a preference that are counted."""
Letters = dict[tuple[str, str, int], str]


def always_ignore(records: Sequence[Record]) -> Letters:
    """A for every preference."""
    return {record.name: "A" * len(record.gold) for record in records}


def preference_only(records: Sequence[Record]) -> Letters:
    """What the words of the preference alone suggest; a question is never judged by preferences of its own."""
    questions = {question: at % FOLDS for at, question in enumerate(dict.fromkeys(r.question for r in records))}
    found: Letters = {}
    for fold in range(FOLDS):
        model = _Bayes([record for record in records if questions[record.question] != fold])
        for record in records:
            if questions[record.question] == fold:
                found[record.name] = "".join(map(model.letter, record.preferences))
    return found


def _grams(text: str) -> set[str]:
    text = text[:_READ]
    return {text[at : at + size] for size in _SIZES for at in range(len(text) - size + 1)}


class _Bayes:
    """Counts in how many preferences of each label an n-gram is found."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._seen: dict[str, Counter[str]] = defaultdict(Counter)
        self._labels: Counter[str] = Counter()
        for record in records:
            for preference, label in zip(record.preferences, record.gold, strict=False):
                self._labels[label] += 1
                self._seen[label].update(_grams(preference))

    def letter(self, preference: str) -> str:
        grams = sorted(_grams(preference))
        return max("ABC", key=lambda label: (self._score(label, grams), label == "A"))

    def _score(self, label: str, grams: Sequence[str]) -> float:
        count, seen = self._labels[label], self._seen[label]
        prior = math.log((count + 1) / (self._labels.total() + 3))
        return prior + sum(math.log((seen[gram] + 0.5) / (count + 1)) for gram in grams)
