"""What is written is true: every command, dependency, file and link that the documents name is there."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from habitus_worker.cli import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")
        if not hasattr(command, "commands") or command.invoke_without_command:
            yield f"{prefix}{name}", command


COMMANDS = dict(_commands(typer.main.get_command(app)))


def test_every_command_is_in_the_table_of_commands_and_every_row_is_a_command() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    rows = {row for cell in re.findall(r"^\| `habitus ([^`]+)`", text, re.M) for row in _spelled_out(cell)}
    assert rows == set(COMMANDS)


def _spelled_out(cell: str) -> Iterator[str]:
    """`profile pin\\|unpin X --user ID` names two commands; options and arguments are not part of a name."""
    words = [word for word in cell.replace("\\|", "|").split() if re.fullmatch(r"[a-z][a-z|-]*", word)]
    first, *rest = words
    if first in ("profile", "deadletters", "keys", "bench", "tokens", "hook"):
        yield from (f"{first} {verb}" for verb in rest[0].split("|"))
    else:
        yield " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else first


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_shows_an_example_of_itself(name: str) -> None:
    assert COMMANDS[name].epilog.startswith(f"Example: habitus {name}")
    assert COMMANDS[name].help


def test_every_dependency_is_named_with_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    wanted += [each for extra in extras.values() for each in extra]
    named = {
        package.strip()
        for row in re.findall(r"^\| ([a-z][^|]*) \|", (ROOT / "docs" / "dependencies.md").read_text(), re.M)
        for package in row.split(",")
    } - {"package"}
    assert {re.match(r"[A-Za-z0-9-]+", each)[0] for each in wanted} == named  # type: ignore[index]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text()):
        assert (document.parent / target).exists(), target


def test_every_place_where_a_thing_is_added_exists() -> None:
    text = (ROOT / "README.md").read_text()
    for path in re.findall(r"`((?:schema|tasks|worker|classifier|training|deploy|docs|tests)/[^`*]*)`", text):
        assert (ROOT / path).exists(), path


def test_the_python_example_of_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    exec(compile(code, "README.md", "exec"), {"print": lambda text: None})
