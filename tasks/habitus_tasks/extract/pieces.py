"""Text as the encoder's tokens: its own vocabulary (XLM-RoBERTa's), read by the SentencePiece library."""

import unicodedata
from collections.abc import Sequence
from functools import cache

from sentencepiece import SentencePieceProcessor

from habitus_tasks.extract.encoder_file import encoder_file

BOS, PAD, EOS = 0, 1, 2
_NORMAL, _UNKNOWN, _CONTROL = b"\x01", b"\x02", b"\x03"
_UNIGRAM = b"\x18\x01\xc0\x02\x03\xc8\x02\x00\xd0\x02\x02\xd8\x02\x01"
"""Trainer fields: a unigram model; ids of unknown, start, end and padding."""
_PLAIN = b"\x0a\x08identity\x18\x01\x20\x01\x28\x01"
"""Normaliser fields: no rewrites, a space before the text, spaces joined and made visible."""


def _field(tag: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
    return bytes([tag]) + length + content


def _piece(word: bytes, score: bytes, kind: bytes) -> bytes:
    """One piece of a SentencePiece model: field 1 is its text, 2 its score, 3 its kind. Loops 250,000 times."""
    size = len(word)
    if size < 118:  # the usual case, in one expression: this is most of the time that loading takes
        return b"\x0a%c\x0a%c%b\x15%b\x18%b" % (size + 9, size, word, score, kind)
    return _field(0x0A, _field(0x0A, word) + b"\x15" + score + b"\x18" + kind)


def _model(pieces: Sequence[bytes], scores: Sequence[bytes], unknown: int) -> bytes:
    """The vocabulary as a SentencePiece model (its protocol buffer has no other writer that needs no training)."""
    kinds = {unknown: _UNKNOWN, BOS: _CONTROL, PAD: _CONTROL, EOS: _CONTROL}
    found = [
        _piece(word, score, kinds.get(i, _NORMAL)) for i, (word, score) in enumerate(zip(pieces, scores, strict=True))
    ]
    return b"".join([*found, _field(0x12, _UNIGRAM), _field(0x1A, _PLAIN)])


@cache
def _processor() -> SentencePieceProcessor:
    known = encoder_file()
    return SentencePieceProcessor(model_proto=_model(known.pieces, known.scores, known.unknown))


def tokens(text: str) -> list[int]:
    """The token ids of a text, without sentence marks. White space of any kind is one space."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    ids: list[int] = _processor().encode(plain, out_type=int)
    return ids
