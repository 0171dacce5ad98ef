"""What the hook takes from an event: an id, a path, or nothing."""

import json
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_hook.event import MAX_BYTES, parse, path_of, quoted, read_event, session_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=5), st.sampled_from([None, 2]), st.booleans())
def test_an_object_is_read_as_the_json_module_reads_it(value: dict[str, Any], indent: int | None, plain: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    assert parse(f" {text}\r\n".encode("utf-8", "surrogatepass")) == json.loads(text)


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_an_object_or_nothing(data: bytes) -> None:
    assert isinstance(parse(data), dict)


@given(st.text())
def test_a_string_is_written_as_the_json_module_reads_it(text: str) -> None:
    assert json.loads(quoted(text)) == text


@given(JSON)
def test_an_id_is_a_short_word_that_can_stand_in_a_file_name(value: object) -> None:
    found = session_of(value)
    assert found == "" or (found == value and "/" not in found and len(found) <= 128)


@given(JSON | st.text(max_size=20).map("/".__add__))
def test_a_path_is_absolute_and_of_one_line(value: object) -> None:
    found = path_of(value)
    assert found == "" or (found == value and found.startswith("/") and found.isprintable())


def test_ids_and_paths_of_the_agents_are_taken_as_they_are() -> None:
    assert session_of("5e55f00d-0000-4000-8000-000000000001") == "5e55f00d-0000-4000-8000-000000000001"
    path = "/home/ada/Käse und Brot/.claude/projects/-w/x.jsonl"
    assert path_of(path) == path


def test_no_more_is_read_than_an_event_can_be() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"x" * MAX_BYTES)
    os.close(writing)
    assert read_event(reading, 1.0) == {}
    os.close(reading)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("told", [b"", b'{"session_id": "5e55-1"'])
def test_what_never_comes_is_not_waited_for(told: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, told)
    assert read_event(reading, 0.05) == {}
    os.close(writing)
    os.close(reading)
