"""Commands that need no service: extract, gate, classify, simulate, eval."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from habitus_schema.errors import HabitusError, UsageError
from habitus_schema.models import Rejection
from habitus_schema.transcript import Format, Transcript
from habitus_worker.cli.inputs import json_lines, named, open_input, rows_of
from habitus_worker.cli.output import print_json, print_table, say, say_fallback
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_tasks.pipeline import Extractor

commands = typer.Typer()
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
OneFile = Annotated[Path, typer.Argument(help="JSON Lines; - reads stdin.")]


@commands.command(epilog="Example: habitus extract session.jsonl --json")
def extract(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="Transcripts; - reads stdin.")],
    format: Annotated[Format | None, typer.Option(help="Detected from the content when left out.")] = None,
    json: Json = False,
) -> int:
    """Show what habitus would learn from transcripts. Keeps nothing, needs no service."""
    from habitus_tasks.parse import read
    from habitus_worker.extractors import extractor_of

    state: State = context.obj
    extractor = extractor_of(state.settings, state.settings.task_seconds, say_fallback)
    refused = 0
    for path in files:
        try:
            with open_input(path) as stream:
                for session in read(stream, format):
                    refused += isinstance(session, Rejection)
                    row = _extracted(session, state, extractor)
                    print_json(row) if json else _print_extracted(path, row)
        except HabitusError as error:
            refused += 1
            say(f"habitus: {error}")
    return min(refused, 1)


def _extracted(session: Transcript | Rejection, state: State, extractor: "Extractor") -> dict[str, Any]:
    from habitus_tasks.pipeline import Caller, record_of

    if isinstance(session, Rejection):
        return {
            "session": None, "format": None, "messages": 0, "own_messages": 0, "candidates": [],
            "rejections": [rejection_row(session)],
        }  # fmt: skip
    record = record_of(session, Caller(), "0" * 32, state.id_key, extractor)
    return {
        "session": record.session,
        "format": session.format.value,
        "messages": session.messages,
        "own_messages": session.own_messages,
        "candidates": [
            {**seen.pair.model_dump(mode="json"), "signal": seen.signal.value, "scope": seen.scope.value}
            for seen in record.observations
        ],
        "rejections": [rejection_row(rejection) for rejection in record.rejections],
    }


def rejection_row(rejection: Rejection) -> dict[str, Any]:
    """A rejection as every command prints it."""
    return {"stage": rejection.stage.value, **rejection.model_dump(mode="json")}


def _print_extracted(path: Path, row: dict[str, Any]) -> None:
    print_table(
        f"{path}: {row['format'] or 'unreadable'}, {row['own_messages']} of {row['messages']} messages are own words",
        ["preference", "signal", "scope"],
        [(f"{c['dimension']}={c['value']}", c["signal"], c["scope"]) for c in row["candidates"]],
        empty="no preference in it",
    )
    if row["rejections"]:
        print_table(
            "turned down",
            ["stage", "code", "dimension"],
            [(r["stage"], r["code"], r["dimension"]) for r in row["rejections"]],
        )


@commands.command(epilog="Example: habitus gate candidates.jsonl --json")
def gate(context: typer.Context, file: OneFile, json: Json = False) -> int:
    """Judge candidates with their notes: accepted, deferred or rejected with a closed code."""
    from habitus_tasks.gate import judge

    state: State = context.obj
    rows, broken = [], 0
    for number, line in json_lines(file):
        if line is None:
            broken += 1
            say(f"habitus: {file}, line {number}: not a JSON object")
            continue
        verdict = judge(
            line.get("dimension_key"), line.get("dimension_value"), line.get("observed_across_distinct_contexts"),
            line.get("source_justification_note"), k=state.settings.k,
        )  # fmt: skip
        code = verdict.code.value if verdict.code else None
        row = {"id": line.get("id"), "verdict": verdict.verdict.value, "code": code, "detector": verdict.detector}
        print_json(row) if json else rows.append(list(row.values()))
    if not json:
        print_table("Verdicts", ["id", "verdict", "code", "detector"], rows)
    return min(broken, 1)


@commands.command(epilog='Example: habitus classify --user ada "why is my loop slow?"')
def classify(
    context: typer.Context,
    query: Annotated[str | None, typer.Argument(help="The new query.")] = None,
    user: Annotated[str | None, typer.Option(callback=named, help="Whose profile to read.")] = None,
    tenant: Annotated[str | None, typer.Option(callback=named)] = None,
    batch: Annotated[Path | None, typer.Option(help="Queries with preferences, JSON Lines; - reads stdin.")] = None,
    json: Json = False,
) -> int:
    """Decide for each preference and a query: ignore, support or drive."""
    from habitus_worker.cli.deciding import decide_batch, decide_for

    if batch is not None:
        return decide_batch(batch, json)
    if not user or query is None:
        raise UsageError("give --user and a query, or --batch FILE")
    decide_for(context.obj, user, tenant, query, json)
    return 0


@commands.command(epilog="Example: habitus simulate scenarios.jsonl --json")
def simulate(
    context: typer.Context,
    file: OneFile,
    observations: Annotated[
        bool, typer.Option("--observations", help="Lines hold observations, not sessions.")
    ] = False,
    json: Json = False,
) -> int:
    """Run recurrence scenarios through the real record code, in memory."""
    from habitus_worker.cli.simulating import simulate_line

    state: State = context.obj
    broken = 0
    for number, line in json_lines(file):
        row = simulate_line(line, observations, state.id_key) if line is not None else None
        if row is None:
            broken += 1
            say(f"habitus: {file}, line {number}: not a scenario (see docs/commands.md)")
        elif json:
            print_json(row)
        else:
            print_table(
                f"{row['id']}",
                ["person", "preference", "contexts", "status"],
                [(p["subject"], f"{p['dimension']}={p['value']}", p["contexts"], p["status"]) for p in row["profile"]],
                empty="nothing promoted",
            )
    return min(broken, 1)


class EvalKind(StrEnum):
    """What to score."""

    EXTRACTION = "extraction"
    POLICY = "policy"
    GATE = "gate"
    RECURRENCE = "recurrence"
    PERSON = "person"
    RPEVAL = "rpeval"


@commands.command("eval", epilog="Example: habitus eval extraction labelled.jsonl")
def evaluate(
    context: typer.Context,
    kind: EvalKind,
    files: Annotated[
        list[Path] | None, typer.Argument(help="JSON Lines; - reads stdin. May be left out for `person`.")
    ] = None,
    people: Annotated[int, typer.Option(min=1, help="For `person`: how many to simulate.")] = 100,
    seed: Annotated[int, typer.Option(help="For `person`: the same seed gives the same people.")] = 1,
    carrying: Annotated[int, typer.Option(min=0, max=40, help="For `person`: sessions of 40 with a habit.")] = 13,
    endpoint: Annotated[str, typer.Option(help="For `rpeval`: an OpenAI-compatible address, up to /v1.")] = "",
    model: Annotated[str, typer.Option(help="For `rpeval`: the model's name there.")] = "default",
    limit: Annotated[int | None, typer.Option(min=1, help="For `rpeval`: only so many records of a file.")] = None,
    results: Annotated[Path, typer.Option(help="For `rpeval`: answers so far; a run goes on from it.")] = Path(
        "rpeval-results.jsonl"
    ),
    at_once: Annotated[int, typer.Option(min=1, help="For `rpeval`: records asked for at once.")] = 4,
    ablation: Annotated[bool, typer.Option("--ablation", help="For `policy`: modules, vote and baselines.")] = False,
    json: Json = False,
) -> int:
    """Score a stage against a labelled set; `person` the whole way over simulated people, `rpeval` a language model.

    For `rpeval`, name the folder of a clone of RPEval; the endpoint's key is read from HABITUS_EVAL_KEY.
    """
    if kind is EvalKind.PERSON:
        from habitus_worker.cli.crowd import print_people

        print_people(files or [], people, seed, carrying, json)
        return 0
    if kind is EvalKind.RPEVAL:
        from habitus_worker.cli.rpeval import endpoint_of
        from habitus_worker.cli.rpeval import evaluate as evaluate_rpeval

        if not files or not endpoint:
            raise UsageError(
                "name the folder and the model: habitus eval rpeval DIR --endpoint http://127.0.0.1:8080/v1"
            )
        return evaluate_rpeval(files[0], endpoint_of(endpoint, model), limit, results, at_once, json)
    from habitus_worker.cli.scoring import print_score

    if not files:
        raise UsageError(f"name a labelled set: habitus eval {kind.value} FILE")
    rows = [row for file in files for row in rows_of(file)]
    print_score(kind.value, rows, json, context.obj.settings, only="ablation" if ablation else None)
    return 0
