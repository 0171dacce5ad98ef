"""`habitus partition` and `habitus upkeep`, as an operator runs them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from habitus_worker.cli import app


def run(home: Path, database: str, *words: str, **settings: str) -> tuple[int, str]:
    options = ["--home", str(home), *(["--database-url", database] if database else [])]
    done = CliRunner().invoke(app, [*options, *words], env=settings)
    return done.exit_code, " ".join(done.output.split())


def test_the_log_is_partitioned_once_and_upkeep_says_what_became_of_its_days(
    tmp_path: Path, empty_postgres: Callable[[], str]
) -> None:
    url = empty_postgres()
    code, said = run(tmp_path, url, "partition")
    assert (code, "has a partition" in said) == (0, True)
    assert run(tmp_path, url, "partition") == (0, "the rejection log is partitioned: nothing to do")
    kept = {"HABITUS_LOG_DAYS": "30", "HABITUS_EVIDENCE_DAYS": "365"}
    code, said = run(tmp_path, url, "upkeep", **kept)
    assert code == 0
    assert said.endswith("0 old observations erased days of the log: 0 made, 0 dropped, 0 old lines deleted")


@pytest.mark.parametrize("words", [["partition"], ["upkeep"]])
def test_what_cannot_be_done_is_said_in_one_line(tmp_path: Path, words: list[str]) -> None:
    code, _ = run(tmp_path, "", *words, HABITUS_EVIDENCE_DAYS="1")
    assert code != 0
