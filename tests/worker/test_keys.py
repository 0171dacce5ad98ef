"""The key file: made once, private, and refused when anything about it is wrong."""

import json
from pathlib import Path

import pytest

from habitus_schema.errors import UsageError
from habitus_worker.keys import Watched, create_keys, load_id_keys, load_keys, mask_url
from habitus_worker.rotation import add_id_key


def test_a_key_file_made_on_first_use_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    create_keys(tmp_path / "deep" / "keys.json")
    assert (tmp_path / "deep" / "keys.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["keys.json"]


def test_a_key_file_that_exists_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    first = create_keys(path)
    assert create_keys(path).ids == first.ids == load_keys(path).ids


def test_the_newest_sealing_key_writes_and_older_ones_still_read(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    old = create_keys(path).seal.encrypt(b"sealed before rotation")
    document = json.loads(path.read_text())
    document["seal"]["s2"] = "wHEX1qN4w0pFS3wJ0aZt1H2zqk8fO0j3iN0qk2p8mKo="
    path.write_text(json.dumps(document))
    rotated = load_keys(path)
    assert rotated.seal.decrypt(old) == b"sealed before rotation"
    del document["seal"]["s1"]
    path.write_text(json.dumps(document))
    assert load_keys(path).seal.decrypt(rotated.seal.encrypt(b"sealed after")) == b"sealed after"


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"id": {}, "seal": {}}', '{"id": {"k1": "abc"}, "seal": {"s1": "x"}}', '{"id": 1, "seal": 2}'],
)
def test_a_damaged_key_file_is_refused_without_showing_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(UsageError, match="restore it from your backup"):
        load_keys(path)


def test_a_missing_key_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="habitus up"):
        load_keys(tmp_path / "keys.json")


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    create_keys(tmp_path / "keys.json")
    (tmp_path / "keys.json").chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        load_keys(tmp_path / "keys.json")


def test_a_password_in_a_url_is_masked() -> None:
    assert mask_url("redis://user:s3cret@host:1/0") == "redis://user:***@host:1/0"
    assert mask_url("unix:///run/redis.sock?db=0") == "unix:///run/redis.sock?db=0"


def test_a_running_worker_sees_a_new_key_at_once_and_goes_on_while_the_file_is_away(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    create_keys(path)
    keys = Watched(path, load_id_keys)
    assert keys().names == ("k1",)
    assert keys() is keys(), "read once as long as it stays the same"
    add_id_key(path)
    assert keys().names == ("k1", "k2")
    path.rename(tmp_path / "away.json")
    assert keys().names == ("k1", "k2")


@pytest.mark.parametrize("id_keys", ['{"k1": null, "k2": null}', '{"k1": "ab"}', "[]", '{"K1": "' + "0" * 64 + '"}'])
def test_id_keys_of_another_form_are_refused(tmp_path: Path, id_keys: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(f'{{"id": {id_keys}}}')
    path.chmod(0o600)
    with pytest.raises(UsageError):
        load_id_keys(path)


def test_a_settled_key_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"id": {"k1": "0" * 64}, "settled": "k9"}))
    path.chmod(0o600)
    with pytest.raises(UsageError, match="restore it from your backup"):
        load_id_keys(path)
