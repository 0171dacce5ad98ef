"""Dashboard, alerts and scaling: every query is PromQL, and asks for a figure that `habitus serve` gives."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import promql_parser
import pytest
import yaml
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from web_site import make_site

DEPLOY = Path(__file__).parents[2] / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana" / "habitus.json").read_text())


def _queries() -> Iterator[tuple[str, str]]:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield f"panel {panel['id']}{target['refId']}", target["expr"]
    for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    for scaled in yaml.safe_load_all((DEPLOY / "kubernetes" / "scaling.yaml").read_text()):
        for at, trigger in enumerate(scaled["spec"]["triggers"]):
            yield f"{scaled['metadata']['name']} {at}", trigger["metadata"]["query"]


QUERIES = dict(_queries())


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> dict[str, set[str]]:
    """The names of the samples of /metrics, and the labels of each."""
    with make_site(tmp_path_factory.mktemp("figures"), redis_server) as site:
        text = generate_latest(site.services.registry).decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {sample.name: set(sample.labels) for sample in samples}


@pytest.mark.parametrize("name", QUERIES)
def test_every_query_is_one_and_asks_for_what_there_is(name: str, given: dict[str, set[str]]) -> None:
    query = QUERIES[name]
    promql_parser.parse(query)
    asked = set(re.findall(r"\bhabitus_[a-z_]+", query))
    assert asked
    assert asked <= set(given)
    labels = set(re.findall(r"(?:by|on) \(([a-z]+)\)", query)) | set(re.findall(r"[{,]([a-z]+)=", query))
    assert labels <= set().union(*(given[each] for each in asked)), labels


def test_the_parser_refuses_what_is_no_query() -> None:
    with pytest.raises(ValueError, match=r"."):
        promql_parser.parse("sum by code (habitus_sessions_total)")


def test_no_panel_lies_on_another_and_each_has_a_number_of_its_own() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    covered = [
        (x, y)
        for panel in panels
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(set(covered)) == len(covered)
    assert max(x for x, _ in covered) < 24
