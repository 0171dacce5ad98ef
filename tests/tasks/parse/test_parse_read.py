"""Files of any cut: one session or many, whole or broken, plain or compressed."""

import io
import json
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from habitus_schema.codes import Code
from habitus_schema.models import Rejection
from habitus_schema.transcript import Format, Speaker, Transcript
from habitus_tasks.parse import Limits, read

MALFORMED, UNSUPPORTED, TOO_LARGE = Code.MALFORMED_TRANSCRIPT, Code.UNSUPPORTED_FORMAT, Code.TOO_LARGE
SMALL = Limits(record_bytes=2_000, session_bytes=4_000, stream_bytes=200_000)


def _envelope(text: str = "hello", session: str = "s") -> dict[str, Any]:
    return {"session_id": session, "messages": [{"role": "user", "content": text}]}


def _claude(text: str, number: int = 1) -> dict[str, Any]:
    uuid = f"00000000-0000-4000-8000-{number:012d}"
    return {"type": "user", "uuid": uuid, "sessionId": "s", "message": {"role": "user", "content": text}}


def _rows(*values: object, end: str = "\n") -> bytes:
    return "".join(json.dumps(value) + end for value in values).encode()


def _told(data: bytes, format_: Format | None = None, limits: Limits = Limits()) -> list[object]:  # noqa: B008
    """For each session the person's words, or the code of the rejection that stands in its place."""
    sessions = read(io.BytesIO(data), format_, limits)
    return [session.code if isinstance(session, Rejection) else _words(session) for session in sessions]


def _words(session: Transcript) -> list[str]:
    return [turn.text for turn in session.turns if turn.speaker is Speaker.PERSON]


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\n ", b"\xef\xbb\xbf", b"\0" * 5000, b"\0\0\n\0\0\n"])
def test_a_file_with_nothing_in_it_is_malformed(data: bytes) -> None:
    assert _told(data) == [MALFORMED]


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b'{"session_id": "s", "mess',
        b"{}{",
        b'{"a":\n1',
        b"[",
        b"[[[",
        b"\xff\xfe{\0}\0",
        b"\x89PNG\r\n\x1a\n\0\0",
    ],
)
def test_a_file_that_cannot_be_read_is_malformed(data: bytes) -> None:
    assert set(_told(data)) <= {MALFORMED}


@pytest.mark.parametrize(
    "data", [b"hello\n", b"# A readme\n\nwith text", b'{"a": 1}', b'[{"a": 1}]', b'{"a": 1}\n{"b": 2}\n']
)
def test_content_that_no_reader_knows_is_unsupported(data: bytes) -> None:
    assert set(_told(data)) == {UNSUPPORTED}


def test_a_value_that_is_nested_too_deeply_is_malformed() -> None:
    assert _told(b'{"a": ' * 10_000) == [MALFORMED]
    assert _told(b'{"a":\n' * 10_000) == [MALFORMED]
    assert _told(_rows(_envelope("a")) + b'{"a": [' * 10_000) == [["a"], MALFORMED]


def test_many_envelopes_are_many_sessions() -> None:
    assert _told(_rows(_envelope("a"), _envelope("b"), _envelope("c"))) == [["a"], ["b"], ["c"]]


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (b"{\n", MALFORMED),
        (b'{"session_id": "s", "messages": [{"role": "us\n', MALFORMED),
        (b"\0\0\0\0\n", MALFORMED),
        (b"5\n", MALFORMED),
        (b'{"session_id": "s"}\n', UNSUPPORTED),
        (b'{"what": "ever"}\n', UNSUPPORTED),
        (b"[" * 3_000 + b"\n", MALFORMED),
        (b'{"a": ' * 500 + b"\n", MALFORMED),
        (_rows(_envelope("x" * 5_000)), TOO_LARGE),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_session_leaves_a_rejection_in_its_place_and_the_rest_is_read(
    broken: bytes, code: Code, place: int
) -> None:
    rows = [_rows(_envelope("a")), _rows(_envelope("b"))]
    rows.insert(place, broken)
    expected: list[object] = [["a"], ["b"]]
    expected.insert(place, TOO_LARGE if len(broken) > SMALL.session_bytes else code)
    assert _told(b"".join(rows), limits=SMALL) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\n  \n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n\n"])
def test_line_ends_blank_lines_and_byte_order_marks_do_not_matter(start: bytes, end: str) -> None:
    assert _told(start + _rows(_envelope("a\r\nb"), _envelope("c"), end=end)) == [["a\nb"], ["c"]]


def test_the_last_line_needs_no_end() -> None:
    assert _told(_rows(_envelope("a"), _envelope("b")).rstrip()) == [["a"], ["b"]]


@pytest.mark.parametrize("indent", [None, 2])
def test_one_session_may_stand_over_many_lines(indent: int | None) -> None:
    assert _told(json.dumps(_envelope("a"), indent=indent).encode()) == [["a"]]


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_of_sessions_is_many_sessions(indent: int | None) -> None:
    sessions = [_envelope('a, [b] "c" \\'), {"what": 1}, _envelope("d")]
    assert _told(json.dumps(sessions, indent=indent).encode()) == [['a, [b] "c" \\'], UNSUPPORTED, ["d"]]


def test_an_array_of_records_is_one_session() -> None:
    assert _told(json.dumps([_claude("a", 1), _claude("b", 2)]).encode()) == [["a", "b"]]


def test_an_array_that_breaks_off_still_gives_what_came_before() -> None:
    data = json.dumps([_envelope("a"), _envelope("b")]).encode()
    assert _told(data[:-20]) == [["a"], MALFORMED]


def test_an_element_that_is_too_long_leaves_a_rejection_in_its_place() -> None:
    data = json.dumps([_envelope("a"), _envelope("x" * 5_000), _envelope("b")]).encode()
    assert _told(data, limits=SMALL) == [["a"], TOO_LARGE, ["b"]]


def test_lists_of_records_on_a_line_each_are_many_sessions() -> None:
    assert _told(_rows([_claude("a")], [_claude("b")])) == [["a"], ["b"]]


def test_a_document_that_is_too_long_is_refused() -> None:
    assert _told(json.dumps(_envelope("x" * 5_000), indent=1).encode(), limits=SMALL) == [TOO_LARGE]


def test_a_long_record_among_many_is_skipped_and_counted() -> None:
    data = _rows(_claude("a", 1), _claude("x" * 3_000, 2), _claude("y" * 9_000, 3), _claude("b", 4))
    (session,) = read(io.BytesIO(data), limits=SMALL)
    assert isinstance(session, Transcript)
    assert (_words(session), session.skipped) == (["a", "b"], 2)


@pytest.mark.parametrize(
    "bad", [b"\0" * 3000, b"{", b'{"type": "user", "uuid": "tru', b"\xff\xfe\xfd", b"null", b"3", b"[]"]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_bad_record_is_counted_and_passed_over(bad: bytes, place: int) -> None:
    rows = [_rows(_claude("a", 1)), _rows(_claude("b", 2))]
    rows.insert(place, bad + b"\n")
    (session,) = read(io.BytesIO(b"".join(rows)))
    assert isinstance(session, Transcript)
    assert (_words(session), session.skipped) == (["a", "b"], 1)


def test_a_text_format_keeps_no_more_of_a_turn_than_the_limit() -> None:
    aider = b"# aider chat started at 2026-08-01 08:00:00\n#### hello\n\n" + b"model text\n" * 1000 + b"> Tokens\n"
    specstory = b"_**User**_\nhello\n_**Agent**_\n" + b"model text\n" * 1000
    for data in (aider, specstory):
        (session,) = read(io.BytesIO(data), limits=Limits(turn_chars=500))
        assert isinstance(session, Transcript)
        assert _words(session) == ["hello"]
        assert len(session.turns[1].text) <= 500


def test_bytes_that_are_no_text_and_lone_surrogates_are_replaced() -> None:
    data = b'{"session_id": "s", "messages": [{"role": "user", "content": "a\xff b \\ud800 c \\u0000d"}]}'
    assert _told(data) == [["a\ufffd b \ufffd c d"]]


def test_a_stream_that_is_too_long_is_refused_after_what_was_read() -> None:
    told = _told(_rows(*[_envelope(f"word {number}", str(number)) for number in range(6_000)]), limits=SMALL)
    assert told[-1] is TOO_LARGE


@pytest.mark.parametrize("frames", [1, 3])
def test_compressed_files_are_read(frames: int) -> None:
    parts = [zstandard.compress(_rows(_envelope(str(number)))) for number in range(frames)]
    assert _told(b"".join(parts)) == [[str(number)] for number in range(frames)]


def test_a_compressed_file_that_breaks_off_gives_what_can_be_read() -> None:
    data = zstandard.compress(_rows(*[_envelope(str(number)) for number in range(5)]))
    assert _told(data[:-8])[-1] in (MALFORMED, ["4"])
    assert _told(zstandard.compress(b"x")[:4] + b"\xff" * 50) == [MALFORMED]


def test_a_compressed_file_that_grows_without_end_is_refused() -> None:
    assert _told(zstandard.compress(b"\n" * 50_000_000), limits=SMALL)[-1] is TOO_LARGE


def test_a_stream_that_cannot_seek_and_gives_little_at_a_time_is_read() -> None:
    class Trickle(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self._data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            part = self._data.read(min(3, len(buffer)))
            buffer[: len(part)] = part
            return len(part)

    data = _rows(_envelope("a"), _envelope("b"))
    sessions = list(read(Trickle(data)))  # type: ignore[arg-type]
    assert [_words(session) for session in sessions if isinstance(session, Transcript)] == [["a"], ["b"]]


def test_a_named_format_that_the_content_is_not_is_malformed() -> None:
    assert _told(_rows(_envelope("a")), Format.CHATGPT_EXPORT) == [MALFORMED]
    assert _told(_rows({"what": "ever"}), Format.CLAUDE_CODE) == [MALFORMED]
    assert _told(b"hello\n", Format.CODEX_ROLLOUT) == [MALFORMED]
    assert _told(b"hello\n", Format.AIDER) == [MALFORMED]


ATOMS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = st.sampled_from(
    [
        "type",
        "uuid",
        "parentUuid",
        "sessionId",
        "message",
        "messages",
        "role",
        "content",
        "payload",
        "mapping",
        "current_node",
        "parent",
        "children",
        "author",
        "parts",
        "content_type",
        "metadata",
        "input",
        "output",
        "item",
        "info",
        "request",
        "response",
        "body",
        "toolUseResult",
        "attachment",
        "isMeta",
        "id",
        "tool_use_id",
        "is_error",
        "text",
        "name",
        "prompt",
        "origin",
        "kind",
        "answers",
        "questions",
        "options",
        "choices",
        "system",
        "model",
    ]
)
VALUES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6))


@settings(max_examples=40)
@given(st.lists(VALUES, max_size=6), st.sampled_from([None, *Format]))
def test_no_value_of_any_shape_stops_a_reader(values: list[object], format_: Format | None) -> None:
    for session in read(io.BytesIO(_rows(*values)), format_):
        assert isinstance(session, Transcript | Rejection)


@settings(max_examples=40)
@given(
    st.dictionaries(KEYS, VALUES, max_size=8),
    st.sampled_from(["user", "assistant", "system", "attachment", "session_meta"]),
)
def test_no_record_of_any_shape_stops_a_reader_of_records(fields: dict[str, object], kind: str) -> None:
    record = {**fields, "type": kind}
    wrapped = {"type": "response_item" if kind == "user" else "event_msg", "payload": {**fields, "type": "message"}}
    for rows, format_ in (([record], Format.CLAUDE_CODE), ([wrapped], Format.CODEX_ROLLOUT)):
        assert len(list(read(io.BytesIO(_rows(*rows)), format_))) == 1


@given(st.binary(max_size=300), st.sampled_from([None, *Format]))
def test_no_bytes_stop_the_reading(data: bytes, format_: Format | None) -> None:
    for session in read(io.BytesIO(data), format_):
        assert isinstance(session, Transcript | Rejection)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5), st.integers(1, 400))
def test_cutting_a_file_anywhere_loses_the_session_that_is_cut_and_no_other(texts: list[str], cut: int) -> None:
    rows = [_rows(_envelope(f"{number} {text}")) for number, text in enumerate(texts)]
    data = b"".join(rows)
    cut = min(cut, len(data))
    whole = sum(1 for number in range(len(rows)) if len(b"".join(rows[: number + 1])) <= cut + 1)
    assert _told(data[:cut])[:whole] == _told(data)[:whole]


def test_an_empty_array_is_no_transcript() -> None:
    assert list(read(io.BytesIO(b"[]"))) == [Rejection(code=Code.MALFORMED_TRANSCRIPT)]
