"""How commands speak: JSON lines for programs, tables for people, messages on stderr."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

NARROW = 100
"""Columns of a terminal under which prose is left out of a table."""
PROSE = frozenset({"meaning", "what to do", "rivals", "signals"})
PIPE_WIDTH = 120
"""Columns of a table that no terminal bounds."""


def console(stderr: bool = False) -> Console:
    """A console on stdout or stderr; wide enough for our tables where there is no terminal."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=False)


def print_json(row: object) -> None:
    """One JSON object on one line, at once, so that a reader of the pipe sees it."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], empty: str = "nothing yet") -> None:
    """A table, or `empty` in its place when it has no rows."""
    out = console()
    # Words of a closed vocabulary are copied into other commands, so they are never cut; prose gives way, and goes
    # first where the terminal is narrow.
    shown = [at for at, name in enumerate(columns) if name not in PROSE or out.width >= NARROW]
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for at in shown:
        table.add_column(columns[at], no_wrap=columns[at] not in PROSE, overflow="fold")
    for row in rows:
        table.add_row(*("" if row[at] is None else str(row[at]) for at in shown))
    if table.row_count:
        out.print(table, crop=False, soft_wrap=out.width < NARROW)
    else:
        console().print(f"[bold]{title}[/bold]: {empty}\n")


def say(message: str) -> None:
    """A message to the person, on stderr."""
    console(stderr=True).print(message, markup=False, soft_wrap=True)


def say_fallback(fault: str) -> None:
    """Tells the person that an LLM did not help with a session, in a closed word why, and who read it instead."""
    say(f"habitus: the LLM did not help ({fault}): the embedded extractor read the session")
