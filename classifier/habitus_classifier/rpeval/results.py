"""Answers so far, so that a run that stopped goes on: one line each, letters and costs, not a word of RPEval."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from habitus_schema.errors import UsageError


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system said of one record, and what it cost.

    Attributes:
        letters: one a preference; ``?`` where there was nothing that could be read.
        seconds: from the first call of the record to the last answer.
    """

    set: str
    kind: str
    number: int
    system: str
    letters: str
    seconds: float
    calls: int
    prompt_tokens: int
    completion_tokens: int

    @property
    def name(self) -> tuple[str, str, int]:
        """The record's."""
        return self.set, self.kind, self.number


class Results:
    """The file of answers. Its first line says of which data and model they are.

    Raises:
        UsageError: when the file is of other data, another model, or is no such file.
    """

    def __init__(self, path: Path, data: str, model: str) -> None:
        self._head = {"rpeval": data, "model": model}
        self.answers: list[Answer] = []
        text = path.read_text("utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # a last line without its end was cut off, and would spoil the next
        lines = whole.splitlines()
        if lines:
            self._check(path, lines[0])
            self.answers = [Answer(**row) for row in map(_row, lines[1:]) if row is not None]
        self._done = {(*answer.name, answer.system) for answer in self.answers}
        if whole != text:
            path.write_text(whole, "utf-8")
        self._file = path.open("a", encoding="utf-8")
        if not lines:
            self._write(self._head)

    def _check(self, path: Path, head: str) -> None:
        if _row(head) != self._head:
            raise UsageError(f"{path} holds answers of another model or other data: name another file with --results")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, answer: Answer) -> None:
        """Keeps an answer, on disk at once."""
        self.answers.append(answer)
        self._done.add((*answer.name, answer.system))
        self._write(asdict(answer))

    def of(self, system: str) -> Iterator[Answer]:
        """The answers of one system."""
        return (answer for answer in self.answers if answer.system == system)

    def has(self, name: tuple[str, str, int], system: str) -> bool:
        """Whether the system answered on the record."""
        return (*name, system) in self._done

    def _write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()


def _row(line: str) -> dict[str, Any] | None:
    """A line's object; None for one that was cut off when the program was."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None
