"""Reading JSON Lines that a person names: clear, content-free refusals with the line's number."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, BinaryIO

import typer

from habitus_schema.errors import HabitusError

_OPEN_ALREADY = ("/dev/stdin", "/dev/fd/")
"""What the shell has opened for us, a pipe as a rule: it cannot hang before somebody writes into it and ends."""


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Each line's number with its object, or with None when it is not a JSON object. Blank lines are passed over.

    Raises:
        HabitusError: when the file cannot be opened.
    """
    with open_input(path) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, _object(line)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line.decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Every object of a labelled set.

    Raises:
        HabitusError: at the first line that is not a JSON object, naming the line.
    """
    rows = []
    for number, row in json_lines(path):
        if row is None:
            raise HabitusError(f"{path}, line {number}: not a JSON object")
        rows.append(row)
    return rows


def open_input(path: Path) -> BinaryIO:
    """Opens a file the person named; `-` is stdin.

    Raises:
        HabitusError: naming the file, when it cannot be opened, or is a pipe or a device, which could hang for ever.
    """
    if str(path) == "-":
        return sys.stdin.buffer
    try:
        mode = path.stat().st_mode
        if not (S_ISREG(mode) or S_ISDIR(mode) or str(path).startswith(_OPEN_ALREADY)):
            raise HabitusError(f"{path} is not a regular file: name one, or give a pipe on stdin and name -")
        return path.open("rb")
    except FileNotFoundError:
        raise HabitusError(f"no such file: {path}") from None
    except OSError:
        raise HabitusError(f"cannot read {path}: check that it is a file and that you may read it") from None


def named(value: str | None) -> str | None:
    """Callback of every option that names a person or a tenant: an empty name would be a person of its own."""
    if value is not None and not value.strip():
        raise typer.BadParameter("must not be empty")
    return value
