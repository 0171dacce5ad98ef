"""The facet model: a linear model over hashed n-grams, read from one small binary file, summed in big integers.

Format of ``weights.bin`` (little endian): the magic ``HFM1``, the numbers of rows (features) and of facets as two
uint32; a float32 scale and a float32 bias for each facet; the sorted feature hashes as uint32; then one row a feature
of one byte a facet, the weight plus 128.

A row is one Python integer with a 16-bit lane for each facet, so one addition adds a feature's weights for all
facets: this is what makes the model fast without a numeric library. A lane holds 257 rows before it could overflow.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from math import exp, log, sqrt
from operator import add
from pathlib import Path

from habitus_classifier.facets import FACETS

MAGIC = b"HFM1"
FLOOR = 0.15
"""A chance up to this is noise."""
_LEAST = log(FLOOR / (1 - FLOOR))
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

    def _sums(self, rows: list[int]) -> Sequence[int]:
        wide, total = self._wide, [0] * self._facets
        for start in range(0, len(rows), _CHUNK):
            whole = sum(wide[row] or self._widen(row) for row in rows[start : start + _CHUNK])
            lanes = struct.unpack(f"<{self._facets}H", whole.to_bytes(2 * self._facets, "little"))
            if len(rows) <= _CHUNK:
                return lanes
            total = list(map(add, total, lanes))
        return total

    def chances(self, features: Iterable[int], first: int = 0) -> list[float]:
        """The chance of each facet from position ``first`` of `FACETS` on; 0 when it is below `FLOOR`.

        What is over the floor is stretched to 0..1, so that noise counts as nothing.
        """
        find = self._rows.get
        rows = [row for row in map(find, features) if row is not None]
        norm = 1 / sqrt(len(rows) or 1)
        shift = 128 * len(rows)
        lanes = self._sums(rows)[first:]
        logits = [
            bias + (lane - shift) * scale * norm
            for lane, scale, bias in zip(lanes, self._scales[first:], self._biases[first:], strict=True)
        ]
        return [0.0 if logit < _LEAST else (1 / (1 + exp(-logit)) - FLOOR) / (1 - FLOOR) for logit in logits]


@cache
def load() -> FacetModel:
    """The model that ships with the package, read once."""
    return FacetModel(Path(__file__).with_name("weights.bin").read_bytes())
