"""An MCP server for one person: which habits apply to a query, their profile, and why each pair is in it or not.

Whose profile it is, is fixed when it starts: the model that calls the tools cannot ask about anybody else.
"""

import logging
from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from habitus_classifier import decide
from habitus_classifier.profile import Reader
from habitus_schema import catalog
from habitus_schema.errors import HabitusError
from habitus_tasks import profile
from habitus_tasks.store import Database
from habitus_worker.cli.profiles import explanation_row, profile_row, rule_of, subject_of
from habitus_worker.databases import database_of
from habitus_worker.decision_log import DecisionLog
from habitus_worker.id_keys import load_id_keys
from habitus_worker.settings import Settings
from habitus_worker.stored import stored

INSTRUCTIONS = (
    "habitus knows how this person likes answers, and nothing of what they work on. Before answering a request, call "
    "relevant_lines with the request, word for word, and take the lines it gives as facts about the person."
)
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
Row = dict[str, Any]
Args = ParamSpec("Args")
Result = TypeVar("Result")


def serve(settings: Settings, user: str, tenant: str) -> None:
    """Answers on stdin and stdout until the client closes them. Logs nothing: a traceback could hold a query.

    Raises:
        UsageError: when the keys or the database are not usable.
    """
    logging.disable(logging.CRITICAL)
    database = database_of(settings)
    log = DecisionLog(lambda: database, settings.decision_share)
    try:
        server(settings, database, log, user, tenant).run()
    finally:
        log.flush()


def server(settings: Settings, database: Database, log: DecisionLog, user: str, tenant: str) -> MCPServer[Any]:
    """The server with its tools. Raises as `serve` does."""
    keys, reader = load_id_keys(settings.keys), Reader(settings.database)
    person = subject_of(settings, user, tenant)
    made: MCPServer[Any] = MCPServer("habitus", instructions=INSTRUCTIONS, version=version("habitus"))

    @made.tool(annotations=_READS)
    @_content_free
    def relevant_lines(query: str) -> Row:
        """The lines about this person that apply to a request (word for word): empty when none does. It is not kept."""
        decisions = decide(query, stored(reader.pairs, keys, tenant, user))
        log.note(decisions)
        applied = [
            {**each.pair.model_dump(mode="json"), "policy": each.policy}
            for each in decisions.items
            if each.policy != "ignore"
        ]
        return {"lines": decisions.prompt, "applied": applied}

    @made.tool(name="profile", annotations=_READS)
    @_content_free
    def show_profile() -> list[Row]:
        """How this person likes answers: each preference with its meaning, and how often and when it was seen."""
        return [{**profile_row(row), "meaning": catalog.meaning(row.pair)} for row in profile.show(database, *person)]

    @made.tool(annotations=_READS)
    @_content_free
    def explain_profile() -> list[Row]:
        """Why each preference is in the profile or not: contexts, days, signals, rivals."""
        return [explanation_row(each) for each in profile.explain(database, *person, rule_of(settings))]

    return made


def _content_free(tool: Callable[Args, Result]) -> Callable[Args, Result]:
    """What a tool says of a failure: our own words, or a class name."""

    @wraps(tool)
    def careful(*args: Args.args, **kwargs: Args.kwargs) -> Result:
        try:
            return tool(*args, **kwargs)
        except HabitusError as error:
            raise ToolError(str(error)) from None
        except Exception as error:  # noqa: BLE001 - its words could be those of a query
            raise ToolError(f"internal error ({type(error).__name__})") from None

    return careful
