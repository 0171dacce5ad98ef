"""`habitus classify`: decisions printed as the contract has them."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from habitus_classifier import Decision, Decisions, decide
from habitus_classifier.profile import Reader
from habitus_schema.errors import UsageError
from habitus_schema.pairs import Pair
from habitus_worker.cli.inputs import json_lines
from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State
from habitus_worker.databases import database_of
from habitus_worker.decision_log import DecisionLog
from habitus_worker.id_keys import load_id_keys
from habitus_worker.stored import stored


def decide_batch(path: Path, as_json: bool) -> int:
    """Decides every line of a policy set; returns 1 when a line could not be read."""
    broken = 0
    for number, line in json_lines(path):
        asked = _asked(line)
        if asked is None or line is None:
            broken += 1
            say(f"habitus: {path}, line {number}: needs a query and preferences of the catalog")
            continue
        show_decisions(line.get("id"), decide(*asked), as_json)
    return min(broken, 1)


def _asked(line: dict[str, Any] | None) -> tuple[str, list[Pair]] | None:
    try:
        query = line["query"]  # type: ignore[index]
        pairs = [Pair.model_validate(each) for each in line["preferences"]]  # type: ignore[index]
    except (KeyError, TypeError, ValidationError):
        return None
    return (query, pairs) if isinstance(query, str) else None


def decide_for(state: State, user: str, tenant: str | None, query: str, as_json: bool) -> None:
    """Decides one query with a person's stored profile."""
    if not query.strip():
        raise UsageError("the query is empty: write it in quotes")
    settings = state.settings
    keys = load_id_keys(settings.keys)
    pairs = stored(Reader(settings.database).pairs, keys, tenant or settings.tenant, user)
    decisions = decide(query, pairs)
    show_decisions(None, decisions, as_json)
    log = DecisionLog(lambda: database_of(settings), settings.decision_share)
    log.note(decisions)
    log.flush()


def show_decisions(name: object, decisions: Decisions, as_json: bool) -> None:
    """Prints the decisions of one query, under its name; never the query itself."""
    if as_json:
        print_json({"id": name, "decisions": [_row(each) for each in decisions.items], "prompt": decisions.prompt})
        return
    print_table(
        "Decisions" if name is None else str(name),
        ["preference", "decision", "why"],
        [(each.pair, each.policy, each.reason.value) for each in decisions.items],
        empty="the profile is empty",
    )
    console().print(decisions.prompt or "(nothing is added to the prompt)", markup=False, end="\n\n")


def _row(decision: Decision) -> dict[str, Any]:
    return {
        **decision.pair.model_dump(mode="json"),
        "policy": decision.policy,
        "rankings": dict(decision.rankings),
        "scores": dict(decision.scores),
        "reason": decision.reason.value,
    }
