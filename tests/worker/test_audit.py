"""The canary scan finds a private string however it is encoded, and says only where and how many."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_worker import audit as module
from habitus_worker.audit import audit
from habitus_worker.ledger import connect

PRIVATE = "s3cr3t-Marigold"


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode().hex().encode(),
        lambda text: json.dumps({"a": text}).encode(),
        lambda text: base64.b64encode(text.encode()),
        lambda text: base64.b64encode(b"x" + text.encode() + b"yz"),
        lambda text: base64.b64encode(b"xy" + text.encode() + b"z"),
    ],
)
def test_a_string_is_found_in_each_encoding(tmp_path: Path, encode: object) -> None:
    (tmp_path / "left.bin").write_bytes(b"before" + encode(PRIVATE) + b"after")  # type: ignore[operator]
    found = audit([PRIVATE, "something else"], [tmp_path])
    assert found.places == ((str(tmp_path / "left.bin"), 1),)
    assert not found.clean


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=12), st.binary(max_size=5), st.binary(max_size=5))
def test_any_string_is_found_inside_base64_whatever_stands_around_it(text: str, before: bytes, after: bytes) -> None:
    blob = base64.b64encode(before + text.encode() + after)
    assert not audit([text], texts=[("blob", blob)]).clean


def test_a_string_in_a_file_name_is_found(tmp_path: Path) -> None:
    (tmp_path / PRIVATE).mkdir()
    assert not audit([PRIVATE], [tmp_path]).clean


def test_a_string_across_two_chunks_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 64)
    (tmp_path / "left.bin").write_bytes(b"." * 60 + PRIVATE.encode() + b"." * 60)
    assert not audit([PRIVATE], [tmp_path]).clean


def test_strings_too_short_to_mean_anything_are_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "left.bin").write_bytes(b"ab abc abcd")
    assert audit(["ab", "abcd"], [tmp_path]).clean


@pytest.mark.parametrize("kind", ["string", "hash", "list", "set", "zset", "key"])
def test_a_string_in_any_kind_of_live_redis_value_is_found(redis_url: str, kind: str) -> None:
    client = connect(redis_url)
    write = {
        "string": lambda: client.set("k", PRIVATE),
        "hash": lambda: client.hset("k", "f", PRIVATE),
        "list": lambda: client.rpush("k", PRIVATE),
        "set": lambda: client.sadd("k", PRIVATE),
        "zset": lambda: client.zadd("k", {PRIVATE: 1}),
        "key": lambda: client.set(PRIVATE, "v"),
    }
    write[kind]()
    assert not audit([PRIVATE], redis_url=redis_url).clean


def test_a_clean_place_is_called_clean_and_its_bytes_are_counted(tmp_path: Path) -> None:
    (tmp_path / "left.bin").write_bytes(b"." * 1000)
    found = audit([PRIVATE], [tmp_path])
    assert found.clean
    assert found.bytes_read >= 1000
