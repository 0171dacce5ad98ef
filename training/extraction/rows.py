"""Labelled rows of the data files: single messages with what came before them, and sequences of messages."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from habitus_schema.catalog import all_pairs
from habitus_schema.transcript import ActionKind, Speaker, Turn, TurnKind
from habitus_tasks.extract.output import Output, of_turns

DATA = Path(__file__).parent / "data"
PAIRS = all_pairs()
INDEX = {(pair.dimension.value, pair.value): i for i, pair in enumerate(PAIRS)}
TOOL_LINE = re.compile(r"^\[tool: (\w+)\][ ]?(.*)$", re.MULTILINE)
ACTIONS = {"Bash": ActionKind.COMMAND, "Edit": ActionKind.EDIT, "Write": ActionKind.WRITE}
STATES = ("none", "one_off", "withdrawn", "undecided")


@dataclass
class Row:
    """One labelled row: its messages, each with the output before it, and what the row as a whole is evidence for."""

    texts: list[str]
    outputs: list[Output]
    labels: list[dict[str, str]]
    kind: str
    lang: str
    source: str
    rejected: list[tuple[str, str]] = field(default_factory=list)
    """State and dimension ("" for unknown) of each wish that the row holds back or takes back."""

    @property
    def single(self) -> bool:
        """Whether the row is one message."""
        return len(self.texts) == 1

    @property
    def pairs(self) -> list[int]:
        """The labelled pairs, as indices into the catalog."""
        return [INDEX[(label["dimension"], label["value"])] for label in self.labels]


def assistant_turns(text: str) -> list[Turn]:
    """An output written as text, with its `[tool: Name] argument` lines as the acts they stand for."""
    turns: list[Turn] = []
    begin = 0
    for match in TOOL_LINE.finditer(text):
        turns += [Turn(Speaker.ASSISTANT, said) for said in [text[begin : match.start()].strip()] if said]
        kind, argument = ACTIONS.get(match.group(1), ActionKind.OTHER), match.group(2).strip()
        path = argument if kind in (ActionKind.EDIT, ActionKind.WRITE) else ""
        turns.append(
            Turn(
                Speaker.ASSISTANT, "" if path else argument, kind=TurnKind.ACTION, action=kind, path=path.split(" ")[0]
            )
        )
        begin = match.end()
    return turns + [Turn(Speaker.ASSISTANT, said) for said in [text[begin:].strip()] if said]


def _messages(row: dict[str, Any]) -> Iterator[tuple[str, Output]]:
    if "messages" not in row:
        yield row["text"], of_turns(assistant_turns(row.get("prev") or ""))
        return
    before: list[Turn] = []
    for message in row["messages"]:
        if message["role"] == "assistant":
            before += assistant_turns(message["content"])
        elif message["role"] == "user":
            yield message["content"], of_turns(before)
            before = []


def load(folder: Path = DATA) -> list[Row]:
    """All rows of all data files, in the order of the files' names. A line cut off while it is written is left out."""
    rows: list[Row] = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            try:
                raw = json.loads(line)
            except json.JSONDecodeError:
                continue
            messages = list(_messages(raw))
            known = all((label["dimension"], label["value"]) in INDEX for label in raw["labels"])
            if messages and known:
                rejected = [(entry["code"].lower(), entry["dimension"] or "") for entry in raw.get("rejected", [])]
                if raw["kind"] in STATES[1:] and len(messages) == 1:
                    rejected = rejected or [(raw["kind"], "")]
                texts, outputs = zip(*messages, strict=True)
                rows.append(
                    Row(list(texts), list(outputs), raw["labels"], raw["kind"], raw["lang"], path.stem, rejected)
                )
    return rows
