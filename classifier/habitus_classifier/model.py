"""The facet model: a linear model over hashed n-grams, read from one small binary file, summed in big integers.

Format of ``weights.bin`` (little endian): the magic ``HFM1``, the numbers of rows (features) and of facets as two
uint32; a float32 scale and a float32 bias for each facet; the sorted feature hashes as uint32; then one row a feature
of one byte a facet, the weight plus 128.

A row is one Python integer with a 16-bit lane for each facet, so one addition adds a feature's weights for all
facets: this is what makes the model fast without a numeric library. A lane holds 257 rows before it could overflow.
"""

import struct
from array import array
from collections.abc import Iterable
from functools import cache
from math import exp, sqrt
from pathlib import Path

from habitus_classifier.facets import FACETS

MAGIC = b"HFM1"
_CHUNK = 256


class FacetModel:
    """The loaded weights. Safe to share between threads: what it keeps is only ever filled in, with equal values.

    Raises:
        ValueError: when the data is not a weights file for the facets of this version.
    """

    def __init__(self, data: bytes) -> None:
        rows, facets = struct.unpack_from("<II", data, 4)
        head = 12 + 8 * facets + 4 * rows
        if data[:4] != MAGIC or facets != len(FACETS) or len(data) != head + rows * facets:
            raise ValueError("the weights do not fit this version")
        self._facets = facets
        self._scales = struct.unpack_from(f"<{facets}f", data, 12)
        self._biases = struct.unpack_from(f"<{facets}f", data, 12 + 4 * facets)
        self._rows = dict(zip(struct.unpack_from(f"<{rows}I", data, 12 + 8 * facets), range(rows), strict=True))
        self._data = data
        self._head = head
        self._wide: list[int] = [0] * rows

    def _widen(self, row: int) -> int:
        """The row as an integer of 16-bit lanes (kept: at most the whole file, twice its size)."""
        start = self._head + row * self._facets
        lanes = bytearray(2 * self._facets)
        lanes[::2] = self._data[start : start + self._facets]
        wide = self._wide[row] = int.from_bytes(lanes, "little")
        return wide

    def _sums(self, rows: list[int]) -> list[int]:
        wide = self._wide
        total = [0] * self._facets
        for start in range(0, len(rows), _CHUNK):
            lanes = array("H", sum(wide[row] or self._widen(row) for row in rows[start : start + _CHUNK]).to_bytes(
                2 * self._facets, "little"))
            total = [old + new for old, new in zip(total, lanes, strict=True)]
        return total

    def probabilities(self, features: Iterable[int]) -> list[float]:
        """The probability of each facet, in the order of `FACETS`."""
        find = self._rows.get
        rows = [row for row in map(find, features) if row is not None]
        norm = 1 / sqrt(len(rows) or 1)
        shift = 128 * len(rows)
        return [
            1 / (1 + exp(-max(-30.0, min(30.0, bias + (lane - shift) * scale * norm))))
            for lane, scale, bias in zip(self._sums(rows), self._scales, self._biases, strict=True)
        ]


@cache
def load() -> FacetModel:
    """The model that ships with the package, read once."""
    return FacetModel(Path(__file__).with_name("weights.bin").read_bytes())
