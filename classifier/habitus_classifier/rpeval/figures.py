"""RPEval's figures: single accuracy, MICRO and MACRO with their IA and LKO parts, with intervals by question.

Single: right records. MICRO: right slots. MACRO: records with every slot right. IA: the multi records whose labels are
all A; LKO: the others (research: always A gives .333 single, 641 of 803 slots, 60 of 150 records). A slot without an
answer is wrong. Questions repeat with other preferences, so resampling takes whole questions.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from habitus_classifier.rpeval.files import Record

RESAMPLES = 1000
MISSING = "?"
"""The letter of a slot without an answer that can be read."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A share with its 95 % interval by question."""

    right: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """0..1; 0 of nothing is 0."""
        return self.right / self.of if self.of else 0.0


Counted = tuple[int, int]
"""Right, and out of how many."""


def _slots(record: Record, letters: str) -> Counted:
    return sum(gold == letter for gold, letter in zip(record.gold, letters, strict=False)), len(record.gold)


def _whole(record: Record, letters: str) -> Counted:
    return int(letters[: len(record.gold)] == record.gold), 1


def _ia(record: Record) -> bool:
    return set(record.gold) == {"A"}


def _any(record: Record) -> bool:
    return True


def _lko(record: Record) -> bool:
    return not _ia(record)


FIGURES: Mapping[str, tuple[str, Callable[[Record], bool], Callable[[Record, str], Counted]]] = {
    "single": ("single", _any, _slots),
    "micro": ("multi", _any, _slots),
    "micro_ia": ("multi", _ia, _slots),
    "micro_lko": ("multi", _lko, _slots),
    "macro": ("multi", _any, _whole),
    "macro_ia": ("multi", _ia, _whole),
    "macro_lko": ("multi", _lko, _whole),
}
"""For each figure: the kind of record it is over, which of them, and how one is counted."""


def figures(records: Sequence[Record], letters: Mapping[tuple[str, str, int], str]) -> dict[str, Figure]:
    """The figures of a set's records.

    Args:
        letters: one letter a preference by `Record.name`; what is missing is wrong.
    """
    return {name: _figure(list(_counts(name, records, letters))) for name in FIGURES}


def _counts(
    name: str, records: Sequence[Record], letters: Mapping[tuple[str, str, int], str]
) -> Iterator[tuple[str, Counted]]:
    kind, wanted, count = FIGURES[name]
    for record in records:
        if record.kind == kind and wanted(record):
            yield record.question, count(record, letters.get(record.name, MISSING * len(record.gold)))


def _figure(counts: Sequence[tuple[str, Counted]]) -> Figure:
    groups: dict[str, Counted] = defaultdict(lambda: (0, 0))
    for question, (right, of) in counts:
        before = groups[question]
        groups[question] = (before[0] + right, before[1] + of)
    low, high = _interval(list(groups.values()))
    return Figure(sum(each[0] for each in groups.values()), sum(each[1] for each in groups.values()), low, high)


def _interval(groups: Sequence[Counted]) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile over resamples of whole questions; the same for the same counts."""
    if not groups:
        return 0.0, 0.0
    chance = random.Random(0)  # noqa: S311 - resampling, not a secret
    shares = []
    for _ in range(RESAMPLES):
        drawn = chance.choices(groups, k=len(groups))
        shares.append(sum(right for right, _ in drawn) / sum(of for _, of in drawn))
    shares.sort()
    return shares[int(0.025 * RESAMPLES)], shares[int(0.975 * RESAMPLES) - 1]
