"""Reads a file that holds one session or many. A broken session gives a rejection in its place; the rest still runs."""

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import BinaryIO

from habitus_schema.codes import Code
from habitus_schema.errors import TranscriptError
from habitus_schema.models import Rejection
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.api_threads import whole_threads
from habitus_tasks.parse.detect import TEXT_FORMATS, detect, text_format
from habitus_tasks.parse.framing import HEAD, Framing, framing
from habitus_tasks.parse.jsonio import decode, plain
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.readers import RECORDS, TEXTS, read_session
from habitus_tasks.parse.source import chunks, elements, lines

_SNIFFED_RECORDS = 256
"""Values that may precede the first one that shows the format."""


def read(
    stream: BinaryIO,
    format: Format | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Iterator[Transcript | Rejection]:
    """Every session of a file, in order, each as a transcript or as the rejection that stands in its place.

    Args:
        stream: a binary stream of JSON Lines, a JSON array, one JSON object, or Markdown; plain or zstd-compressed.
            It need not seek, and is read once.
        format: the format, or None to tell it from the content (for each session anew in a mixed log).
        limits: what is read at most; see `Limits`. Memory stays under 200 MB with the defaults.
    """
    nothing = True
    try:
        for found in _read(chunks(stream, limits.stream_bytes), format, limits):
            nothing = False
            yield found
    except TranscriptError as error:
        yield Rejection(code=error.code)
        return
    if nothing:  # an empty array is no more a transcript than an empty file
        yield Rejection(code=Code.MALFORMED_TRANSCRIPT)


def _read(parts: Iterator[bytes], format_: Format | None, limits: Limits) -> Iterator[Transcript | Rejection]:
    head = b""
    while len(head) < HEAD and (part := next(parts, b"")):
        head += part
    parts, kind = chain([head], parts), framing(head[:HEAD])
    if kind is Framing.EMPTY or (kind is Framing.NOISE and format_ is None):
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
    if format_ in TEXT_FORMATS or (kind is Framing.TEXT and format_ is None):
        yield from _texts(parts, head, format_, limits)
    elif kind is Framing.DOCUMENT:
        yield _session(_whole(parts, limits.session_bytes), format_, limits)
    else:
        raws = (elements if kind is Framing.ARRAY else lines)(parts, limits.session_bytes)
        yield from _values(raws, format_, limits)


def _whole(parts: Iterable[bytes], most: int) -> bytes:
    whole = bytearray()
    for part in parts:
        whole += part
        if len(whole) > most:
            raise TranscriptError(Code.TOO_LARGE)
    return bytes(whole)


def _values(raws: Iterator[bytes | None], format_: Format | None, limits: Limits) -> Iterator[Transcript | Rejection]:
    """The sessions in a row of JSON values: one session of records, or a session a value."""
    raws = (raw for raw in raws if raw is None or raw.strip())
    sniffed, found, size = list[bytes | None](), format_, 0
    while not found and len(sniffed) < _SNIFFED_RECORDS and size < limits.session_bytes:
        raw = next(raws, b"")
        if raw == b"":
            break
        sniffed.append(raw)
        size += len(raw or b"")
        found = _format_of(raw)
    raws = chain(sniffed, raws)
    if found and found in RECORDS:
        yield _records(raws, found, limits)
    else:
        yield from whole_threads(_each(raws, format_, limits), limits.session_chars)


def _each(raws: Iterable[bytes | None], format_: Format | None, limits: Limits) -> Iterator[Transcript | Rejection]:
    """A session a value. A file in which no value can be read at all is one broken session, and not one a line."""
    unread, readable = 0, False
    for raw in raws:
        session = _session(raw, format_, limits)
        if not readable and _is_no_json(raw, session):
            unread += 1
            continue
        readable = True
        yield from repeat(Rejection(code=Code.MALFORMED_TRANSCRIPT), unread)
        unread = 0
        yield session
    if unread:
        yield Rejection(code=Code.MALFORMED_TRANSCRIPT)


def _is_no_json(raw: bytes | None, session: Transcript | Rejection) -> bool:
    if raw is None or isinstance(session, Transcript) or session.code is not Code.MALFORMED_TRANSCRIPT:
        return False
    try:
        decode(raw)
    except TranscriptError:
        return True
    return False


def _format_of(raw: bytes | None) -> Format | None:
    try:
        value = decode(raw or b"")
    except TranscriptError:
        return None
    found = detect(value)
    return None if found in RECORDS and isinstance(value, list) else found


def _records(raws: Iterable[bytes | None], format_: Format, limits: Limits) -> Transcript | Rejection:
    """One session of many records; those that cannot be read are None, which the reader counts."""
    count = 0

    def values() -> Iterator[object]:
        nonlocal count
        for raw in raws:
            count += 1
            try:
                yield decode(raw) if raw is not None and len(raw) <= limits.record_bytes else None
            except TranscriptError:
                yield None

    try:
        transcript = RECORDS[format_](values(), limits)
    except TranscriptError as error:
        return Rejection(code=error.code)
    readable = transcript.messages or transcript.skipped < count
    return transcript if readable else Rejection(code=Code.MALFORMED_TRANSCRIPT)


def _session(raw: bytes | None, format_: Format | None, limits: Limits) -> Transcript | Rejection:
    if raw is None:
        return Rejection(code=Code.TOO_LARGE)
    try:
        return read_session(decode(raw), format_, limits)
    except TranscriptError as error:
        return Rejection(code=error.code)


def _texts(
    parts: Iterable[bytes], head: bytes, format_: Format | None, limits: Limits
) -> Iterator[Transcript | Rejection]:
    found = format_ or text_format(head.decode("utf-8", "replace"))
    if found is None:
        raise TranscriptError(Code.UNSUPPORTED_FORMAT)
    rows = (
        plain(raw.decode("utf-8-sig", "replace")) for raw in lines(iter(parts), limits.record_bytes) if raw is not None
    )
    none = True
    for transcript in TEXTS[found](rows, limits):
        none = False
        yield transcript
    if none:
        raise TranscriptError(Code.MALFORMED_TRANSCRIPT)
