"""The embedded stack on a folder: one at a time, and never with fresh keys over an old database."""

from pathlib import Path

import pytest

from habitus_schema.errors import HabitusError
from habitus_worker.settings import Settings, read_settings
from habitus_worker.stack import embedded_stack


def _settings(home: Path) -> Settings:
    return read_settings(home=home, redis_url="", database_url="")


def test_a_second_stack_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with (
        embedded_stack(_settings(tmp_path)),
        pytest.raises(HabitusError, match="already: stop it first"),
        embedded_stack(_settings(tmp_path)),
    ):
        raise AssertionError("two stacks ran on one folder")


def test_a_database_whose_keys_are_gone_is_not_given_fresh_ones(tmp_path: Path) -> None:
    with embedded_stack(_settings(tmp_path)):
        pass
    (tmp_path / "keys.json").unlink()
    with pytest.raises(HabitusError, match="restore it from your backup"), embedded_stack(_settings(tmp_path)):
        raise AssertionError("it started with fresh keys")
    assert not (tmp_path / "keys.json").exists()


def test_what_it_makes_is_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with embedded_stack(_settings(home)):
        assert home.stat().st_mode & 0o077 == 0
        assert [path.name for path in home.iterdir() if path.stat().st_mode & 0o077] == []


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HabitusError, match="cannot write to"), embedded_stack(_settings(tmp_path / "file")):
        raise AssertionError("it started on a file")
