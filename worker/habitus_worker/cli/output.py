"""How commands speak: JSON lines for programs, tables for people, messages on stderr."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

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
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        table.add_column(name, no_wrap=place == 0, overflow="fold")  # the first column names the row: never cut it
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    if table.row_count:
        console().print(table)
    else:
        console().print(f"[bold]{title}[/bold]: {empty}\n")


def say(message: str) -> None:
    """A message to the person, on stderr."""
    console(stderr=True).print(message, markup=False, soft_wrap=True)
