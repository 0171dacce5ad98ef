"""The committed scenarios: with their pairs extracted right, every profile comes out right."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from habitus_schema.ids import IdKey
from habitus_tasks.recurrence_eval import score

PATH = Path(__file__).parents[2] / "data" / "recurrence.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_scenario_whose_pairs_are_extracted_right_comes_out_right(row: dict[str, Any]) -> None:
    assert score([row], IdKey.generate(), date(2026, 11, 29), by_labels=True).wrong == (), row["about"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_scenario_that_nothing_is_extracted_from_comes_out_wrong(row: dict[str, Any]) -> None:
    empty = row | {"labels": [[] for _ in row["sessions"]]}
    assert score([empty], IdKey.generate(), date(2026, 11, 29), by_labels=True).wrong != ()
