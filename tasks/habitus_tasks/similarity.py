"""How alike two sketches are (see `habitus_tasks.sketch`), as the record zone stores and compares them."""

import struct
from collections.abc import Iterable, Sequence

from habitus_schema.models import SKETCH_SIZE

THRESHOLD = 0.5
"""Similarity from which two sessions are one task context (design: recurrence and promotion; measured in
docs/promotion.md)."""
_BITS = 8
SKETCH_COLUMNS = SKETCH_SIZE * _BITS // 64
"""Whole numbers of 64 bits in which a sketch is stored."""
_CHANCE = 1 / (1 << _BITS)
_LAYOUT = struct.Struct(f">{SKETCH_COLUMNS}q")


def pack(sketch: Sequence[int]) -> tuple[int, ...]:
    """The sketch as `SKETCH_COLUMNS` whole numbers of 64 bits with sign; of each signature the lowest eight bits."""
    return _LAYOUT.unpack(bytes(value & 0xFF for value in sketch))


def similarity(one: Sequence[int], other: Sequence[int]) -> float:
    """Estimated Jaccard similarity of two packed sketches, from 0 to 1.

    Eight bits agree by chance once in 256; the estimate is corrected for it (Li and Koenig 2010, "b-Bit minwise
    hashing", theorem 1 for sets that are small beside the space of words).
    """
    return _estimate(_number(one) ^ _number(other))


def most_similar(own: Sequence[int], others: Iterable[Sequence[int]]) -> int | None:
    """The place of the first of the packed sketches most similar to `own`, when it is at least `THRESHOLD` similar."""
    number = _number(own)
    scores = [_estimate(number ^ _number(other)) for other in others]
    best = max(scores, default=0.0)
    return scores.index(best) if best >= THRESHOLD else None


def _number(packed: Sequence[int]) -> int:
    return int.from_bytes(_LAYOUT.pack(*packed))


def _estimate(difference: int) -> float:
    same = difference.to_bytes(SKETCH_SIZE).count(0) / SKETCH_SIZE
    return max(0.0, (same - _CHANCE) / (1 - _CHANCE))
