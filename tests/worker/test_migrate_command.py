"""`habitus migrate`, and what other commands say to a database of another version."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from habitus_schema.tables import SCHEMA_VERSION


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def habitus(home: Path, *words: str) -> tuple[int, str, str]:
    run = subprocess.run(
        [sys.executable, "-m", "habitus_worker", "--home", str(home), *words], capture_output=True, text=True
    )
    return run.returncode, run.stdout.strip(), run.stderr.strip()


def stamp(home: Path, version: int) -> None:
    with sqlite3.connect(home / "habitus.db") as connection:
        connection.execute("UPDATE schema_version SET version = ?", (version,))
    connection.close()


def test_an_empty_database_is_made_and_a_current_one_left_alone(home: Path) -> None:
    assert habitus(home, "migrate") == (
        0, f"schema version none to {SCHEMA_VERSION}; 0 profiles settled anew", ""
    )  # fmt: skip
    assert habitus(home, "migrate") == (0, f"schema version {SCHEMA_VERSION}: nothing to do", "")
    assert habitus(home, "rejections", "--json") == (0, "", "")


def test_a_database_of_another_version_is_refused_by_every_command_with_what_to_do(home: Path) -> None:
    habitus(home, "migrate")
    stamp(home, 0)
    status, out, err = habitus(home, "rejections")
    assert (status, out) == (2, "")
    assert err.endswith("run `habitus migrate`")
    stamp(home, SCHEMA_VERSION + 1)
    for command in ("rejections", "migrate"):
        status, out, err = habitus(home, command)
        assert (status, out) == (2, "")
        assert f"schema version {SCHEMA_VERSION + 1}, this habitus needs {SCHEMA_VERSION}" in err


def test_a_database_that_is_not_there_fails_in_one_line(home: Path) -> None:
    status, out, err = habitus(home / "missing", "migrate")
    assert (status, out, err.count("\n")) == (1, "", 0)
    assert err.startswith("habitus: the database does not answer")
