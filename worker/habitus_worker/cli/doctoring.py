"""The command that looks a deployment over: doctor."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from habitus_worker.cli.output import console, print_json
from habitus_worker.cli.state import State

if TYPE_CHECKING:
    from habitus_worker.doctor.finding import Finding

commands = typer.Typer()
LEAST_WIDTH = 30
"""Columns for what was found, and for the advice below it, however narrow the terminal is."""


@commands.command(epilog="Example: habitus doctor --zone content")
def doctor(
    context: typer.Context,
    zone: Annotated[str, typer.Option(help="What this host serves: content, record or all.")] = "all",
    json: Annotated[bool, typer.Option("--json", help="One finding a line.")] = False,
) -> int:
    """Look a deployment over: ok, warn or bad, and what to do; exit 1 when anything is bad. Changes nothing."""
    from habitus_worker.doctor.finding import Verdict
    from habitus_worker.doctor.run import examine
    from habitus_worker.fleet import Zone

    state: State = context.obj
    try:
        chosen = Zone(zone)
    except ValueError:
        raise typer.BadParameter("choose content, record or all", param_hint="--zone") from None
    findings = list(examine(state.settings, chosen))
    if json:
        for each in findings:
            print_json(asdict(each))
    else:
        _print(findings)
    return int(any(each.verdict is Verdict.BAD for each in findings))


def _print(findings: Sequence["Finding"]) -> None:
    """What was found in one column, the advice on lines of its own below it: side by side neither had the room."""
    out = console()
    name = max((len(each.check) for each in findings), default=0)
    indent = " " * (len("warn") + name + 4)
    width = max(out.width, len(indent) + LEAST_WIDTH)
    for each in findings:
        head = f"{each.verdict.value:4}  {each.check:{name}}  "
        texts = [(head, each.found)] + ([(f"{indent}do: ", each.advice)] if each.advice else [])
        for first, text in texts:
            # Commands and names are copied, so they are never cut.
            folded = textwrap.fill(
                text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False,
                break_on_hyphens=False,
            )  # fmt: skip
            out.print(folded, markup=False, soft_wrap=True)
