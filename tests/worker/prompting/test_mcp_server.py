"""The MCP server, asked by a real MCP client over stdin and stdout of a real process."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from habitus_schema.pairs import Pair
from habitus_tasks import profile
from habitus_worker.cli.profiles import rule_of, subject_of
from habitus_worker.databases import database_of
from habitus_worker.keys import create_keys
from habitus_worker.settings import Settings

PROSE = Pair(dimension="response_density", value="concise_direct")
QUERY = "why does my script stop after an hour?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which ada pinned one pair."""
    home = tmp_path_factory.mktemp("home")
    settings = Settings(home=home)
    create_keys(settings.keys)
    database = database_of(settings)
    profile.pin(database, *subject_of(settings, "ada", None), PROSE, rule_of(settings))
    database.close()
    return home


def asked(home: Path, ask: Callable[[Client], Awaitable[Any]], log: Path, user: str = "ada") -> Any:
    """What the client gets; the server's stderr goes to `log`."""
    words = ["-m", "habitus_worker", "--home", str(home), "mcp", "--user", user]

    async def conversation() -> Any:
        with log.open("w") as errors:
            transport = stdio_client(StdioServerParameters(command=sys.executable, args=words), errlog=errors)
            async with Client(transport) as client:
                return await ask(client)

    return asyncio.run(conversation())


def test_a_client_gets_the_lines_the_profile_and_its_explanation(home: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> Any:
        names = {tool.name: tool for tool in (await client.list_tools()).tools}
        calls = [("relevant_lines", {"query": QUERY}), ("profile", {}), ("explain_profile", {})]
        return names, client.instructions, [await client.call_tool(*call) for call in calls]

    names, instructions, (lines, shown, explained) = asked(home, ask, tmp_path / "log")
    assert set(names) == {"relevant_lines", "profile", "explain_profile"}
    assert all(tool.annotations.read_only_hint for tool in names.values())
    assert all("user" not in tool.input_schema.get("properties", {}) for tool in names.values())
    assert "relevant_lines" in instructions
    assert lines.structured_content["lines"].startswith("<habitus-profile>\n")
    assert lines.structured_content["applied"] == [
        {"dimension": "response_density", "value": "concise_direct", "policy": "support"}
    ]
    (row,) = shown.structured_content["result"]
    assert (row["value"], row["pinned"]) == ("concise_direct", True)
    (why,) = explained.structured_content["result"]
    assert why["reason"] == "pinned"


def test_what_a_query_rules_out_gives_no_lines(home: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool("relevant_lines", {"query": "explain recursion in depth, with all background"})

    assert asked(home, ask, tmp_path / "log").structured_content == {"lines": "", "applied": []}


def test_another_person_has_a_profile_of_their_own(home: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool("profile", {})

    assert asked(home, ask, tmp_path / "log", user="bob").structured_content == {"result": []}


def test_a_wrong_call_leaves_no_word_of_it_on_the_servers_side(home: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> Any:
        found = await client.call_tool("relevant_lines", {"query": ["quokka"]})
        missing = await client.call_tool("relevant_lines", {"wish": "quokka"})
        return found.is_error, missing.is_error

    assert asked(home, ask, tmp_path / "log") == (True, True)
    assert "quokka" not in (tmp_path / "log").read_text()
