"""The records of RPEval, from the JSON files of a clone of its repository.

A set is a folder with ``single_testset.json`` and ``multi_testset.json``. A record has a ``question``, a ``persona``
(one text, or a list) or an ``implicit_persona`` (conversations that show the same), and an ``intent_type``.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from habitus_schema.errors import HabitusError

KINDS = ("single", "multi")
LABELS = {
    **dict.fromkeys(("a", "ignore", "忽略偏好"), "A"),
    **dict.fromkeys(("b", "support", "supportive", "支持性偏好"), "B"),
    **dict.fromkeys(("c", "dominate", "dominant", "drive", "以偏好为主线"), "C"),
}
"""Every spelling of a label in its files and its own scorer, in lower case."""
_IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One question with its preferences. Holds text: never printed, logged or kept.

    Attributes:
        set: the name of its folder, such as ``explicit_preference``.
        kind: ``single`` or ``multi``.
        number: its place in the file, from 0.
        gold: one letter a preference.
    """

    set: str
    kind: str
    number: int
    question: str
    preferences: tuple[str, ...]
    gold: str

    @property
    def name(self) -> tuple[str, str, int]:
        """What identifies it without a word of it."""
        return self.set, self.kind, self.number


def load(folder: Path, limit: int | None = None) -> list[Record]:
    """The records of every set below `folder`.

    Args:
        folder: a clone of the repository, its ``benchmark_dataset``, or one set.
        limit: of each file, only so many records from the start.

    Raises:
        HabitusError: when there is no file, or one of another form; naming the file and the record, never its text.
    """
    found = [record for path in _files(folder) for record in _read(path, limit)]
    if not found:
        raise HabitusError(f"no single_testset.json or multi_testset.json below {folder}: name a clone of RPEval")
    return found


def fingerprint(folder: Path) -> str:
    """Changes when a file does, so that results are never continued on other data."""
    digest = hashlib.sha256()
    for path in _files(folder):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(folder: Path) -> list[Path]:
    return sorted(path for kind in KINDS for path in folder.rglob(f"{kind}_testset.json"))


def _read(path: Path, limit: int | None) -> Iterator[Record]:
    try:
        rows = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        raise HabitusError(f"{path} is no JSON file that can be read") from None
    kind = path.name.partition("_")[0]
    if not isinstance(rows, list):
        raise HabitusError(f"{path} holds no list of records")
    for number, row in enumerate(rows[:limit]):
        try:
            yield _record(path.parent.name, kind, number, row)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise HabitusError(f"{path}, record {number + 1}: not of RPEval's form") from None


def _record(folder: str, kind: str, number: int, row: dict[str, Any]) -> Record:
    implicit = _IMPLICIT in folder and row.get("implicit_persona")
    persona = row["implicit_persona"] if implicit else row["persona"]
    texts = (persona,) if kind == "single" else tuple(persona)
    question, gold = row["question"], _gold(kind, row["intent_type"])
    if not isinstance(question, str) or not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("text")
    return Record(folder, kind, number, question, texts, gold)


def _gold(kind: str, label: Any) -> str:
    labels = [label] if kind == "single" else list(label)
    return "".join(LABELS[each.strip().lower()] for each in labels if each.strip())
