"""The facet model: a linear model over hashed n-grams, read from one small binary file, summed in big integers.

It has two parts. The kinds of query (sets of facets that occur together, such as 'a letter to somebody') compete, so
that one of them is always likely: their chances are a softmax, and a facet's chance is that of all kinds that have it.
The asks ('as a table') of one dimension compete with one another and with 'nothing asked': a softmax each.

Format of ``weights.bin`` (little endian): the magic ``HFM2``; the numbers of features, kinds and asks as uint32; for
each kind its facets as a uint64 with a bit for each of `TASKS` and `ABOUT`, in order; a float32 scale and a float32
bias for each kind and ask; the sorted feature hashes as uint32; then one row a feature of one byte a kind and ask, the
weight plus 128.

A row is one Python integer with a 16-bit lane for each kind and ask, so one addition adds a feature's weights for all:
this is what makes the model fast without a numeric library. A lane holds 257 rows before it could overflow.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from math import exp, log, sqrt
from operator import add
from pathlib import Path

from habitus_classifier.facets import ABOUT, ASKS, TASKS
from habitus_schema.vocabulary import VALUES

MAGIC = b"HFM2"
FLOOR = 0.15
"""A chance of an ask up to this is noise."""
_LEAST = log(FLOOR / (1 - FLOOR))
_MOST = 50.0
"""Logits above this are all the same, and would overflow in time."""
_FAINT = 0.01
"""A kind less likely than this is passed over."""
_CHUNK = 256
_TASKS = len(TASKS) + len(ABOUT)


def _spans() -> tuple[tuple[int, int], ...]:
    """Where the asks of each dimension begin and end among `ASKS`."""
    ends = list(accumulate(len(values) for values in VALUES.values()))
    return tuple(zip([0, *ends], ends, strict=False))


_SPANS = _spans()


class FacetModel:
    """The loaded weights. Safe to share between threads: what it keeps is only ever filled in, with equal values.

    Attributes:
        known: the features that have a row.

    Raises:
        ValueError: when the data is not a weights file for the facets of this version.
    """

    def __init__(self, data: bytes) -> None:
        rows, kinds, asks = struct.unpack_from("<III", data, 4)
        outputs = kinds + asks
        scales_at = 16 + 8 * kinds
        hashes_at = scales_at + 8 * outputs
        head = hashes_at + 4 * rows
        if data[:4] != MAGIC or asks != len(ASKS) or len(data) != head + rows * outputs:
            raise ValueError("the weights do not fit this version")
        masks = struct.unpack_from(f"<{kinds}Q", data, 16)
        self._members = tuple(tuple(bit for bit in range(_TASKS) if mask >> bit & 1) for mask in masks)
        self._kinds, self._outputs = kinds, outputs
        self._scales = struct.unpack_from(f"<{outputs}f", data, scales_at)
        self._biases = struct.unpack_from(f"<{outputs}f", data, scales_at + 4 * outputs)
        self._tail = self._scales[kinds:], self._biases[kinds:]
        self.known = dict(zip(struct.unpack_from(f"<{rows}I", data, hashes_at), range(rows), strict=True))
        self._data, self._head = data, head
        self._wide: list[int] = [0] * rows

    def _widen(self, row: int) -> int:
        """The row as an integer of 16-bit lanes (kept: at most the whole file, twice its size)."""
        start = self._head + row * self._outputs
        lanes = bytearray(2 * self._outputs)
        lanes[::2] = self._data[start : start + self._outputs]
        wide = self._wide[row] = int.from_bytes(lanes, "little")
        return wide

    def _sums(self, rows: list[int]) -> Sequence[int]:
        wide, total = self._wide, [0] * self._outputs
        for start in range(0, len(rows), _CHUNK):
            whole = sum(wide[row] or self._widen(row) for row in rows[start : start + _CHUNK])
            lanes = struct.unpack(f"<{self._outputs}H", whole.to_bytes(2 * self._outputs, "little"))
            if len(rows) <= _CHUNK:
                return lanes
            total = list(map(add, total, lanes))
        return total

    def _logits(self, features: Iterable[int], first: int) -> list[float]:
        find = self.known.get
        rows = [row for row in map(find, features) if row is not None]
        norm = 1 / sqrt(len(rows) or 1)
        shift = 128 * len(rows)
        scales, biases = (self._scales, self._biases) if first == 0 else self._tail
        sums = self._sums(rows)
        return [
            bias + (lane - shift) * scale * norm
            for lane, scale, bias in zip(sums[first:] if first else sums, scales, biases, strict=True)
        ]

    def _tasks(self, logits: list[float]) -> list[float]:
        most = max(logits, default=0.0)
        likely = [(exp(logit - most), kind) for kind, logit in enumerate(logits)]
        total = sum(weight for weight, _ in likely) or 1.0
        chances = [0.0] * _TASKS
        for weight, kind in likely:
            if weight > _FAINT * total:
                for facet in self._members[kind]:
                    chances[facet] += weight / total
        return [min(1.0, chance) for chance in chances]

    def facets(self, features: Iterable[int]) -> list[float]:
        """The chance of each facet, in the order of `FACETS`."""
        logits = self._logits(features, 0)
        return self._tasks(logits[: self._kinds]) + _asked(logits[self._kinds :])

    def asks(self, features: Iterable[int]) -> list[float]:
        """The chance of each ask alone, in the order of `ASKS`."""
        return _asked(self._logits(features, self._kinds))


def _asked(logits: list[float]) -> list[float]:
    """Chances over the floor, stretched to 0..1, so that noise counts as nothing.

    The values of a dimension compete with one another and with 'nothing asked', whose logit is 0.
    """
    chances = [0.0] * len(logits)
    if max(logits) <= _LEAST:
        return chances
    for first, end in _SPANS:
        span = logits[first:end]
        if max(span) > _LEAST:
            odds = [exp(min(logit, _MOST)) for logit in span]
            total = 1.0 + sum(odds)
            for place, each in enumerate(odds, first):
                chances[place] = max(0.0, each / total - FLOOR) / (1 - FLOOR)
    return chances


@cache
def load() -> FacetModel:
    """The model that ships with the package, read once."""
    return FacetModel(Path(__file__).with_name("weights.bin").read_bytes())
