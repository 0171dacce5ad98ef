"""The canary scan finds a private string however it is encoded, and says only where and how many."""

import base64
import json
from datetime import date
from pathlib import Path

import pytest
from cryptography.fernet import Fernet, MultiFernet
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_worker import audit as module
from habitus_worker import sealed
from habitus_worker.audit import audit
from habitus_worker.ledger import connect
from habitus_worker.seal import Submission, seal

PRIVATE = "s3cr3t-Marigold"
KEYS = MultiFernet([Fernet(Fernet.generate_key()), Fernet(Fernet.generate_key())])


def _sealed(words: str, keys: MultiFernet = KEYS) -> bytes:
    said = Transcript(Format.HABITUS, "s", (Turn(Speaker.PERSON, words),))
    return seal(Submission(said, Caller("ada", day=date(2026, 11, 1))), keys)


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


@pytest.mark.parametrize("chunk", [64, 8 * 1024 * 1024])
def test_a_string_in_a_sealed_payload_is_found_wherever_the_payload_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    token = _sealed(f"x {PRIVATE} y")
    rotated = _sealed(f"x {PRIVATE} y", MultiFernet([*KEYS._fernets][1:]))
    (tmp_path / "redis.aof").write_bytes(b"*2\r\n$3\r\nSET\r\n" + token + b"\r\n" + _sealed("nothing") + b"\r\n")
    (tmp_path / "at-the-end.aof").write_bytes(b"$9\r\n" + rotated)
    found = audit([PRIVATE, "something else"], [tmp_path], keys=KEYS)
    names = ("at-the-end.aof", "redis.aof")
    assert found.places == tuple((f"sealed payload in {tmp_path / name}", 1) for name in names)


def test_a_string_across_two_pieces_of_a_sealed_payload_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "PIECE", 64)
    for shift in range(64):
        (tmp_path / f"{shift}.aof").write_bytes(_sealed("." * shift + PRIVATE))
    assert len(audit([PRIVATE], [tmp_path], keys=KEYS).places) == 64


def test_a_sealed_payload_that_no_key_opens_is_passed_over(tmp_path: Path) -> None:
    other = MultiFernet([Fernet(Fernet.generate_key())])
    (tmp_path / "redis.aof").write_bytes(_sealed(PRIVATE, other) + b"\n" + _sealed(PRIVATE)[:-8])
    assert audit([PRIVATE], [tmp_path], keys=KEYS).clean
    assert audit([PRIVATE], [tmp_path]).clean


def test_something_else_that_was_sealed_with_the_key_is_searched_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "left").write_bytes(KEYS.encrypt(b"unpacked " + PRIVATE.encode()))
    assert not audit([PRIVATE], [tmp_path], keys=KEYS).clean


def test_a_run_of_letters_too_long_to_hold_does_not_hide_what_comes_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 64)
    monkeypatch.setattr(sealed, "MAX_TOKEN", 4096)
    held: list[int] = []
    real = sealed._TOKEN

    class Watching:
        def findall(self, read: bytes) -> list[bytes]:
            held.append(len(read))
            return real.findall(read)

    monkeypatch.setattr(sealed, "_TOKEN", Watching())
    (tmp_path / "left").write_bytes(b"gAAAA" * 20_000 + b"\n" + _sealed(PRIVATE) + b"\n")
    assert not audit([PRIVATE], [tmp_path], keys=KEYS).clean
    assert max(held) <= 4096 + 64


def test_a_file_that_goes_while_the_others_are_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-scratch").write_bytes(b"x")
    (tmp_path / "left").write_text(PRIVATE)
    is_file = Path.is_file

    def gone(path: Path) -> bool:
        found = is_file(path)
        if path.name == "a-scratch":
            path.unlink()
        return found

    monkeypatch.setattr(Path, "is_file", gone)
    assert audit([PRIVATE], [tmp_path], keys=KEYS).places == ((str(tmp_path / "left"), 1),)
