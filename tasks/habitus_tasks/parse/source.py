"""Bytes of a transcript file: decompressed, cut into lines or array elements, and never all in memory at once."""

import re
from collections.abc import Iterator
from typing import IO, BinaryIO, Protocol, cast

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError

CHUNK = 256 * 1024
"""Bytes read at a time."""
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW = 128 * 1024 * 1024
"""The largest window a zstd frame may ask for: what the command line tool allows without being told."""
_STRUCTURE, _STRING_END = re.compile(rb'["{}\[\],]'), re.compile(rb'["\\]')


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Prefixed:
    """A stream with bytes put back in front."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``."""
        if self._head:
            part, self._head = self._head[:size], self._head[size:] if size >= 0 else b""
            return part
        return self._stream.read(size)


def chunks(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """The stream's bytes, decompressed when it is zstd.

    Args:
        stream: a binary stream; it need not seek.
        most: bytes after which reading stops.

    Raises:
        TranscriptError: TOO_LARGE past ``most``; MALFORMED_TRANSCRIPT when the compression is broken.
    """
    head = b""
    while len(head) < len(_ZSTD_MAGIC) and (more := stream.read(len(_ZSTD_MAGIC) - len(head))):
        head += more
    source: _Readable = _Prefixed(head, stream)
    parts = _decompressed(source) if head == _ZSTD_MAGIC else iter(lambda: source.read(CHUNK), b"")
    total = 0
    for part in parts:
        total += len(part)
        if total > most:
            raise TranscriptError(Code.TOO_LARGE)
        yield part


def _decompressed(source: _Readable) -> Iterator[bytes]:
    import zstandard  # in the worker extra; only a compressed file needs it

    reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(
        cast(IO[bytes], source), read_size=CHUNK, read_across_frames=True
    )
    try:
        yield from iter(lambda: reader.read(CHUNK), b"")
    except zstandard.ZstdError:
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT) from None


def lines(parts: Iterator[bytes], longest: int) -> Iterator[bytes | None]:
    """The lines without their ends; None in place of one longer than ``longest`` bytes."""
    tail, over = bytearray(), False
    for part in parts:
        *whole, rest = part.split(b"\n")
        for piece in whole:
            yield None if over or len(tail) + len(piece) > longest else bytes(tail + piece)
            tail.clear()
            over = False
        over = over or len(tail) + len(rest) > longest
        if over:
            tail.clear()
        else:
            tail += rest
    if over or tail:
        yield None if over else bytes(tail)


def elements(parts: Iterator[bytes], longest: int) -> Iterator[bytes | None]:
    """The elements of the JSON array that the bytes hold; None in place of one longer than ``longest`` bytes.

    Only the brackets, commas and quotes are looked at, so a broken element does not hide the ones after it unless
    it leaves a string or a bracket open.
    """
    scanner = _ArrayScanner(longest)
    for part in parts:
        yield from scanner.feed(part)
    yield from scanner.close()


class _ArrayScanner:
    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._element = bytearray()
        self._over = self._in_string = self._escaped = False
        self._depth = 0

    def feed(self, part: bytes) -> Iterator[bytes | None]:
        start = at = 0
        while at < len(part):
            if self._in_string:
                at = self._skip_string(part, at)
                continue
            found = _STRUCTURE.search(part, at)
            if not found:
                break
            at, token = found.end(), found[0]
            if token == b'"':
                self._in_string = True
            elif token in b"{[":
                self._depth += 1
                start = at if self._depth == 1 else start
            elif self._depth and (token != b"," or self._depth == 1):
                self._depth -= token != b","
                if self._depth == 0 or token == b",":
                    self._keep(part[start : at - 1])
                    yield from self._take()
                    start = at
        if self._depth > 0:
            self._keep(part[start:])

    def close(self) -> Iterator[bytes | None]:
        yield from self._take()

    def _skip_string(self, part: bytes, at: int) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        found = _STRING_END.search(part, at)
        if not found:
            return len(part)
        self._escaped = found[0] == b"\\"
        self._in_string = self._escaped
        return found.end()

    def _keep(self, piece: bytes) -> None:
        self._over = self._over or len(self._element) + len(piece) > self._longest
        if self._over:
            self._element.clear()
        else:
            self._element += piece

    def _take(self) -> Iterator[bytes | None]:
        element, over = bytes(self._element).strip(), self._over
        self._element, self._over = bytearray(), False
        if over or element:
            yield None if over else element
