"""What the facet model learns from: closed labels, many languages, and nothing of the sets it is measured on."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from habitus_classifier.facets import ASKS, FACETS
from habitus_schema.pairs import Pair

ROOT = Path(__file__).parents[2]
DATA = ROOT / "training" / "policy" / "data"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


QUERIES = lines(DATA / "queries-en.jsonl") + lines(DATA / "queries-languages.jsonl")
PHRASES = lines(DATA / "asks-en.jsonl") + lines(DATA / "asks-languages.jsonl")
FRAMES = lines(DATA / "frames.jsonl")
POLARITY = lines(DATA / "polarity.jsonl")
VALIDATION = [row for path in sorted(DATA.glob("validation-policies*.jsonl")) for row in lines(path)]
MEASURED = lines(ROOT / "tests" / "data" / "policy_dev.jsonl") + VALIDATION


def test_every_label_is_a_facet() -> None:
    assert {facet for row in QUERIES + FRAMES for facet in row["facets"]} <= set(FACETS)
    assert {row["asks"] for row in PHRASES} == set(ASKS)


def test_every_facet_has_examples() -> None:
    seen = Counter(facet for row in QUERIES + FRAMES for facet in row["facets"])
    seen.update(row["asks"] for row in PHRASES)
    assert {facet for facet in FACETS if facet != "tech" and seen[facet] < 4} == set()


def test_many_languages_are_taught() -> None:
    per_language = Counter(row["lang"] for row in QUERIES)
    assert sum(count >= 20 for count in per_language.values()) >= 15


def test_what_can_be_left_out_can_be_put_in_and_has_templates_in_its_language() -> None:
    templates = {row["lang"]: row for row in POLARITY if "words" not in row}
    things = [row for row in POLARITY if "words" in row]
    assert {row["lang"] for row in things} == set(templates)
    for row in things:
        assert {row["without"], row["with"]} <= set(ASKS)
        assert row["without"] != row["with"]
        assert row["without"].partition("=")[0] == row["with"].partition("=")[0]
    for row in templates.values():
        assert all("{x}" in each for each in (*row["templates_without"], *row["templates_with"]))


def test_a_slot_of_a_frame_has_fillers() -> None:
    slots = {row["slot"] for row in lines(DATA / "fillers.jsonl")}
    assert {slot for row in FRAMES for slot in re.findall(r"\{(\w+)\}", row["frame"])} <= slots


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("measured", MEASURED, ids=lambda row: row["id"])
def test_no_query_that_is_measured_is_taught(measured: dict[str, Any]) -> None:
    words = _words(measured["query"])
    for row in QUERIES:
        taught = _words(row["query"])
        shared = len(words & taught) / len(words | taught) if words | taught else 0.0
        assert shared < 0.75 or len(words) < 5, row["query"]
        assert row["query"].strip().lower() != measured["query"].strip().lower()


def test_the_validation_sets_are_well_formed() -> None:
    assert len({row["id"] for row in VALIDATION}) == len(VALIDATION) > 250
    for row in VALIDATION:
        pairs = [Pair.model_validate(each) for each in row["preferences"]]
        assert len(pairs) == len(row["policies"]) > 0
        assert set(row["policies"]) <= {"ignore", "support", "drive"}
