"""Sealed payloads that lie in files: found by their form, opened with the deployment's keys, read piece by piece.

A sealed payload (`habitus_worker.seal`) is a Fernet token: base64url of a byte 0x80 and a time, so ``gAAAA...``.
"""

import re
from collections.abc import Iterable, Iterator

import zstandard
from cryptography.fernet import InvalidToken, MultiFernet

MAX_TOKEN = 64 * 1024 * 1024
"""Bytes: a longer run of base64 is looked at in pieces, and so not opened. No session that is taken is as long."""
PIECE = 8 * 1024 * 1024
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
_TOKEN = re.compile(rb"gAAAA[A-Za-z0-9_-]{95,}={0,2}")


def tokens(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Whatever has the form of a sealed payload, also where it lies across two blocks."""
    rest = b""
    for block in blocks:
        read = rest + block
        ended = len(read.rstrip(_LETTERS))  # what follows may go on in the next block
        if len(read) - ended > MAX_TOKEN:
            ended = len(read)
        yield from _TOKEN.findall(read[:ended])
        rest = read[ended:]
    yield from _TOKEN.findall(rest)


def opened(token: bytes, keys: MultiFernet, overlap: int) -> Iterator[bytes]:
    """What is sealed in it, unpacked piece by piece, each beginning with the last `overlap` bytes of the one before.

    Nothing when no key opens it.
    """
    try:
        packed = keys.decrypt(token)
    except InvalidToken:
        return
    tail = b""
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            while piece := reader.read(PIECE):
                yield tail + piece
                tail = piece[-overlap:]
    except zstandard.ZstdError:
        yield packed  # no session; but the key opened it, so what it says can be read
