"""Settings: which source wins, and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from habitus_schema.errors import UsageError
from habitus_worker.settings import choose_config, read_settings


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import os

    for name in [name for name in os.environ if name.startswith("HABITUS_")]:
        monkeypatch.delenv(name)
    yield
    choose_config(None)


def test_a_file_outranks_the_environment_and_a_flag_outranks_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HABITUS_K", "3")
    monkeypatch.setenv("HABITUS_ATTEMPTS", "7")
    assert read_settings().k == 3
    (tmp_path / "habitus.toml").write_text("k = 4\nwindow_days = 30\n")
    choose_config(tmp_path / "habitus.toml")
    assert (read_settings().k, read_settings().attempts, read_settings().window_days) == (4, 7, 30)
    assert read_settings(k=5).k == 5
    assert read_settings(k=None).k == 4


@pytest.mark.parametrize("k", ["1", "0", "-3"])
def test_a_recurrence_below_two_is_refused_at_start_up(monkeypatch: pytest.MonkeyPatch, k: str) -> None:
    monkeypatch.setenv("HABITUS_K", k)
    with pytest.raises(UsageError, match="setting k"):
        read_settings()


def test_a_refusal_names_the_variable_and_says_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HABITUS_REDIS_URL", "http://cache")
    with pytest.raises(UsageError, match=r"^setting redis_url \(HABITUS_REDIS_URL\): it begins with redis://"):
        read_settings()


def test_a_wrong_value_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HABITUS_ATTEMPTS", "hunter2")
    with pytest.raises(UsageError, match="setting attempts") as refused:
        read_settings()
    assert "hunter2" not in str(refused.value)


def test_an_unknown_setting_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "habitus.toml").write_text("windw_days = 30\n")
    choose_config(tmp_path / "habitus.toml")
    with pytest.raises(UsageError, match="windw_days"):
        read_settings()


def test_a_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "habitus.toml").write_text("k = = 3")
    choose_config(tmp_path / "habitus.toml")
    with pytest.raises(UsageError, match="not valid TOML"):
        read_settings()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--config"):
        choose_config(tmp_path / "none.toml")


def test_urls_point_into_the_home_until_they_are_set(tmp_path: Path) -> None:
    settings = read_settings(home=tmp_path)
    assert settings.redis == f"unix://{tmp_path}/redis.sock?db=0"
    assert settings.database == f"sqlite:///{tmp_path}/habitus.db"
    assert read_settings(redis_url="redis://r:6379/1").redis == "redis://r:6379/1"


def test_a_relative_home_is_taken_from_where_the_program_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    assert read_settings(home="h1").redis == f"unix://{tmp_path}/h1/redis.sock?db=0"
    monkeypatch.setenv("HABITUS_HOME", "h2")
    assert read_settings().database == f"sqlite:///{tmp_path}/h2/habitus.db"
    monkeypatch.setenv("HABITUS_HOME", "~/h3")
    assert read_settings().keys == tmp_path / "ada" / "h3" / "keys.json"


def test_a_home_of_a_user_who_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match="setting home") as refused:
        read_settings(home="~nobody-of-that-name/h1")
    assert "nobody" not in str(refused.value)


def test_passwords_in_urls_stay_out_of_the_repr() -> None:
    assert "s3cret" not in repr(read_settings(redis_url="redis://u:s3cret@h:1/0"))


def test_evidence_that_still_counts_is_not_let_go() -> None:
    assert read_settings(evidence_days=180, window_days=180).evidence_days == 180
    with pytest.raises(UsageError, match="evidence_days"):
        read_settings(evidence_days=179, window_days=180)
