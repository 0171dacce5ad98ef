"""`habitus profile pin`: a pin that takes another's place says so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from habitus_tasks.store import open_database
from habitus_worker import cli
from habitus_worker.keys import create_keys


@pytest.fixture
def pin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[[str, str], str]:
    """Pins a pair for a person of an empty deployment; returns what is printed."""
    monkeypatch.setenv("HABITUS_HOME", str(tmp_path))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    create_keys(tmp_path / "keys.json")
    open_database(f"sqlite:///{tmp_path / 'habitus.db'}").close()

    def run(pair: str, user: str) -> str:
        monkeypatch.setattr("sys.argv", ["habitus", "profile", "pin", pair, "--user", user])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        return capsys.readouterr().out

    return run


def test_the_pin_that_was_replaced_is_named(pin: Callable[[str, str], str]) -> None:
    assert pin("list_style=bullets", "ada") == "done\n"
    assert pin("list_style=numbered", "ada") == "done; it takes the place of list_style=bullets, which was pinned\n"


def test_no_other_persons_and_no_other_dimensions_pin_is_named(pin: Callable[[str, str], str]) -> None:
    pin("list_style=bullets", "bert")
    pin("emoji_usage=none", "ada")
    assert pin("list_style=numbered", "ada") == "done\n"
    assert pin("list_style=numbered", "ada") == "nothing to change\n"
