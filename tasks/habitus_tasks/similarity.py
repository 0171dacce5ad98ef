"""How alike two sketches are (see `habitus_tasks.sketch`), as the record zone stores and compares them."""

import struct
from collections.abc import Sequence

from habitus_schema.models import SKETCH_SIZE

THRESHOLD = 0.5
"""Similarity from which two sessions are one task context (design: recurrence and promotion; measured in
docs/promotion.md)."""
_BITS = 8
SKETCH_COLUMNS = SKETCH_SIZE * _BITS // 64
"""Whole numbers of 64 bits in which a sketch is stored."""
_LAYOUT = struct.Struct(f">{SKETCH_COLUMNS}q")


def pack(sketch: Sequence[int]) -> tuple[int, ...]:
    """The sketch as `SKETCH_COLUMNS` whole numbers of 64 bits with sign; of each signature the lowest eight bits."""
    return _LAYOUT.unpack(bytes(value & 0xFF for value in sketch))


def similarity(one: Sequence[int], other: Sequence[int]) -> float:
    """Estimated Jaccard similarity of two packed sketches, from 0 to 1.

    Eight bits agree by chance once in 256; the estimate is corrected for it (Li and Koenig 2010, "b-Bit minwise
    hashing", theorem 1 for sets that are small beside the space of words).
    """
    difference = int.from_bytes(_LAYOUT.pack(*one)) ^ int.from_bytes(_LAYOUT.pack(*other))
    same = difference.to_bytes(SKETCH_SIZE).count(0) / SKETCH_SIZE
    chance = 1 / (1 << _BITS)
    return max(0.0, (same - chance) / (1 - chance))
