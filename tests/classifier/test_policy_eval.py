"""Scoring: exact on known answers, and the floors that the built-in backend must hold on a set by other hands."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from habitus_classifier.evaluate import ablation, figures, judge, report, score

DEV = Path(__file__).parents[1] / "data" / "policy_dev.jsonl"
Row = dict[str, Any]


@cache
def dev() -> tuple[Row, ...]:
    return tuple(json.loads(line) for line in DEV.read_text("utf-8").splitlines())


def test_always_ignore_scores_the_share_of_ignore() -> None:
    labels = ["ignore"] * 4 + ["support"] * 5 + ["drive"]
    found = figures((label, "ignore", False) for label in labels)
    assert (found.rows, found.micro, found.over_use, found.misapplied) == (10, 0.4, 0.0, 0.0)
    assert found.macro_f1 == pytest.approx((2 * 4 / 14) / 3)
    assert found.recall == {"ignore": 1.0, "support": 0.0, "drive": 0.0}


def test_over_use_and_misapplication_count_ignored_pairs_that_were_used() -> None:
    outcomes = [("ignore", "drive", True), ("ignore", "ignore", True), ("ignore", "support", False)]
    found = figures([*outcomes, ("support", "drive", True)])
    assert found.over_use == pytest.approx(2 / 3)
    assert found.misapplied == pytest.approx(1 / 2)


def test_a_perfect_set_of_decisions_scores_one_and_an_empty_one_nothing() -> None:
    perfect = figures((word, word, False) for word in ("ignore", "support", "drive"))
    assert (perfect.micro, perfect.macro_f1, perfect.over_use) == (1.0, 1.0, 0.0)
    assert figures([]).micro == 0.0


def test_baselines_that_see_only_a_key_take_its_majority() -> None:
    rows = [
        {
            "query": query,
            "preferences": [{"dimension": "table_usage", "value": "avoid"}],
            "policies": [label],
            "tags": [],
        }
        for query, label in (("one", "support"), ("two", "support"), ("two", "ignore"), ("two", "ignore"))
    ]
    found = ablation(judge(rows))
    assert found["pair only"].micro == 0.5  # two against two: the most conservative
    assert found["query only"].micro == 0.75
    assert found["always ignore"].micro == 0.5


@pytest.mark.parametrize(
    "row",
    [
        {"query": "q", "preferences": [{"dimension": "table_usage", "value": "avoid"}], "policies": []},
        {"query": "q", "preferences": [{"dimension": "table_usage", "value": "no"}], "policies": ["ignore"]},
        {"query": "q", "preferences": [{"dimension": "table_usage", "value": "avoid"}], "policies": ["maybe"]},
        {"query": "q"},
    ],
)
def test_a_row_of_another_form_is_refused(row: Row) -> None:
    with pytest.raises((KeyError, ValueError)):
        judge([row])


def test_the_floors_hold_on_the_development_set() -> None:
    found = score(dev())
    assert found.rows == 885
    assert found.micro >= FLOORS["micro"]
    assert found.macro_f1 >= FLOORS["macro_f1"]
    assert found.recall["drive"] >= FLOORS["drive_recall"]
    assert found.over_use <= FLOORS["over_use"]
    assert found.misapplied <= FLOORS["misapplied"]


FLOORS = {"micro": 0.9, "macro_f1": 0.89, "drive_recall": 0.86, "over_use": 0.05, "misapplied": 0.08}
"""A little under what is measured now (docs/classifier.md)."""


def test_vote_and_gate_beat_every_baseline_and_the_vote_alone() -> None:
    found = {name: each.micro for name, each in ablation(judge(dev())).items()}
    ours = found.pop("vote and gate")
    modules = {name for name in found if name.endswith("alone")}
    assert all(ours > share for name, share in found.items() if name not in modules)
    assert all(ours >= found[name] for name in modules)


def test_a_report_has_totals_and_tables_for_the_command_line() -> None:
    totals, tables = report(dev()[:20])
    assert totals["pairs"] == sum(len(row["policies"]) for row in dev()[:20])
    assert set(tables) == {"ablation", "by_tag", "by_dimension"}
    for lines in tables.values():
        assert {tuple(line) for line in lines} == {
            ("of", "pairs", "micro", "macro_f1", "drive_recall", "over_use", "misapplied")
        }
    assert json.loads(json.dumps([totals, tables])) == [totals, tables]


def test_the_table_of_the_documentation_is_what_is_measured() -> None:
    text = (Path(__file__).parents[2] / "docs" / "classifier.md").read_text("utf-8")
    shown = {
        name: tuple(map(float, cells.strip(" |").split("|")))
        for name, cells in re.findall(r"^\| ([a-z_ ]+) \| ((?:\d\.\d\d \| ?){5})$", text, re.M)
    }
    measured = {
        name: (each.micro, each.macro_f1, each.recall["drive"], each.over_use, each.misapplied)
        for name, each in ablation(judge(dev())).items()
    }
    assert set(shown) == set(measured)
    for name, figures_shown in shown.items():
        assert figures_shown == pytest.approx(measured[name], abs=0.0051), name
