"""`habitus eval rpeval`: the vote on RPEval's files, beside what needs no model and what is given all pairs at once."""

import asyncio
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from habitus_classifier.llm import Endpoint
from habitus_classifier.rpeval.asking import SYSTEMS, Run, patient
from habitus_classifier.rpeval.baselines import always_ignore, preference_only
from habitus_classifier.rpeval.figures import FIGURES, Figure, figures
from habitus_classifier.rpeval.files import Record, fingerprint, load
from habitus_classifier.rpeval.results import Results
from habitus_worker.cli.output import console, say
from habitus_worker.cli.scoring import Report, print_report

KEY = "HABITUS_EVAL_KEY"
"""The variable that holds the endpoint's key: on a command line it would be seen by everybody on the machine."""
Letters = Mapping[tuple[str, str, int], str]


def evaluate(folder: Path, endpoint: Endpoint, limit: int | None, results: Path, at_once: int, as_json: bool) -> int:
    """Asks what the results lack, then prints the figures; returns 1 when records are left without an answer."""
    records = load(folder, limit)
    with Results(results, fingerprint(folder), endpoint.model) as kept:
        run = Run(patient(endpoint), records, kept, at_once)
        if run.left:
            _ask(run)
        print_report("RPEval", _report(records, kept), as_json)
    if run.unanswered:
        say(f"habitus: {run.unanswered} answers are missing and count as wrong: run the same command again")
    return min(run.unanswered, 1)


def endpoint_of(url: str, model: str) -> Endpoint:
    """The endpoint with the key of the environment."""
    return Endpoint(url, model, key=os.environ.get(KEY, ""))


def _ask(run: Run) -> None:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("asking", total=len(run.left))
        asyncio.run(run.ask(lambda: bar.advance(task)))


def _report(records: Sequence[Record], kept: Results) -> Report:
    by_set: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_set[record.set].append(record)
    systems: dict[str, Letters] = {
        **{system: {answer.name: answer.letters for answer in kept.of(system)} for system in SYSTEMS},
        "always ignore": always_ignore(records),
        "preference only": {
            name: letters for each in by_set.values() for name, letters in preference_only(each).items()
        },
    }
    totals = {"records": len(records), "questions": len({record.question for record in records})}
    tables = {
        name: [_row(system, figures(each, letters)) for system, letters in systems.items()]
        for name, each in sorted(by_set.items())
    }
    return Report(totals, tables | {"cost": [_cost(system, kept) for system in SYSTEMS]})


def _row(system: str, found: Mapping[str, Figure]) -> dict[str, Any]:
    shown = {name: _shown(found[name]) for name in FIGURES}
    return {"system": system, **shown}


def _shown(figure: Figure) -> str:
    if not figure.of:
        return ""
    return f"{figure.share:.3f} [{figure.low:.2f}, {figure.high:.2f}] {figure.right}/{figure.of}"


def _cost(system: str, kept: Results) -> dict[str, Any]:
    answers = list(kept.of(system))
    seconds = sorted(answer.seconds for answer in answers) or [0.0]
    return {
        "system": system,
        "answers": len(answers),
        "calls": sum(answer.calls for answer in answers),
        "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
        "completion_tokens": sum(answer.completion_tokens for answer in answers),
        "median_s": median(seconds),
        "p95_s": seconds[int(0.95 * (len(seconds) - 1))],
    }
