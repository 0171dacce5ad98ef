"""The data that the weights come from: in the vocabulary, and apart from what measures them."""

import json
from pathlib import Path

from habitus_schema.pairs import Pair

ROOT = Path(__file__).parents[3]
DATA = sorted((ROOT / "training" / "extraction" / "data").glob("*.jsonl"))
MEASURES = [
    ROOT / "tests" / "data" / "extraction_dev.jsonl",
    *sorted((ROOT / "training" / "extraction" / "validation").glob("*.jsonl")),
]
LONG = 60
"""Characters from which two people do not write the same message by chance."""


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_label_of_the_training_data_is_a_pair_of_the_catalog() -> None:
    labels = {(label["dimension"], label["value"]) for path in DATA for row in rows(path) for label in row["labels"]}
    assert {str(Pair(dimension=dimension, value=value)) for dimension, value in labels}


def test_no_message_of_the_training_data_stands_in_a_measuring_set() -> None:
    measured = "\n".join(path.read_text("utf-8") for path in MEASURES)
    texts = {
        text
        for path in DATA
        for row in rows(path)
        for text in [row.get("text"), *(message["content"] for message in row.get("messages", []))]
        if text and len(text) >= LONG
    }
    assert [text for text in texts if json.dumps(text, ensure_ascii=False)[1:-1] in measured] == []
