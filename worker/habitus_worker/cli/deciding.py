"""`habitus classify`: decisions printed as the contract has them."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from habitus_classifier import Decision, Decisions, decide
from habitus_classifier.profile import Reader
from habitus_schema.ids import Kind
from habitus_schema.pairs import Pair
from habitus_worker.cli.inputs import json_lines
from habitus_worker.cli.output import console, print_json, print_table, say
from habitus_worker.cli.state import State
from habitus_worker.keys import load_keys


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
    settings = state.settings
    keys = load_keys(settings.keys).ids
    names = tenant or settings.tenant
    reader = Reader(settings.database)
    ids = keys.forms(keys.keyed(Kind.TENANT, names)), keys.forms(keys.keyed(Kind.SUBJECT, names, user))
    # While keys are rotated, the profile lies under the older or the newer id: the reader asks for both.
    found = (reader.pairs(*each) for each in reversed(list(zip(*ids, strict=True))))
    pairs = next(filter(None, found), ())
    show_decisions(None, decide(query, pairs), as_json)


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
