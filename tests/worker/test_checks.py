"""Alarms: each goes off for its own reason and for no other; the rules for Prometheus say the same."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml
from web_site import Site, make_site

from habitus_schema.codes import Code
from habitus_tasks.log_figures import Count
from habitus_worker.checks import BASE_DAYS, Alarm, findings
from habitus_worker.serve.api.metrics import FleetCollector

START = date(2026, 6, 1)
QUIET = [
    Count(START - timedelta(days=back), code, None, 3)
    for back in range(1, BASE_DAYS + 1)
    for code in (Code.ONE_OFF, Code.UNKNOWN_VALUE)
]
RULES = Path(__file__).parents[2] / "deploy" / "alerts.yml"


def alarms(*latest: tuple[Code, int], before: list[Count] = QUIET) -> set[tuple[Alarm, Code]]:
    lines = [*before, *(Count(START, code, None, count) for code, count in latest)]
    return {(each.alarm, each.code) for each in findings(lines, START, 2)}


def test_all_is_well_on_a_day_like_the_others() -> None:
    assert alarms((Code.ONE_OFF, 6), (Code.UNKNOWN_VALUE, 7)) == set()


def test_a_code_that_was_not_there_before_is_told() -> None:
    assert alarms((Code.WITHDRAWN, 1)) == {(Alarm.NEW_CODE, Code.WITHDRAWN)}


def test_on_the_first_days_of_a_deployment_no_code_is_new() -> None:
    assert alarms((Code.WITHDRAWN, 1), before=[]) == set()


@pytest.mark.parametrize(("count", "goes_off"), [(6, False), (11, False), (25, True), (400, True)])
def test_unknown_values_go_off_when_they_jump_beyond_chance(count: int, goes_off: bool) -> None:
    assert alarms((Code.UNKNOWN_VALUE, count)) == (
        {(Alarm.UNKNOWN_VALUE_JUMP, Code.UNKNOWN_VALUE)} if goes_off else set()
    )


def test_a_steady_rise_that_is_no_doubling_is_no_jump() -> None:
    many = [Count(each.day, each.code, None, 1000) for each in QUIET]
    assert alarms((Code.UNKNOWN_VALUE, 2400), before=many) == set()
    assert alarms((Code.UNKNOWN_VALUE, 4200), before=many) == {(Alarm.UNKNOWN_VALUE_JUMP, Code.UNKNOWN_VALUE)}


@pytest.mark.parametrize("code", [each for each in Code if each.startswith("PRIVATE_")])
def test_anything_private_from_the_extractor_goes_off_at_once(code: Code) -> None:
    before = [*QUIET, Count(START - timedelta(days=3), code, None, 50)]
    assert alarms((code, 1), before=before) == {(Alarm.PRIVATE_LINES, code)}


def test_one_expired_payload_goes_off() -> None:
    before = [*QUIET, Count(START - timedelta(days=3), Code.PAYLOAD_EXPIRED, None, 50)]
    assert alarms((Code.PAYLOAD_EXPIRED, 1), before=before) == {(Alarm.PAYLOAD_EXPIRED, Code.PAYLOAD_EXPIRED)}


def test_there_is_a_rule_for_each_alarm_and_it_names_metrics_and_codes_that_exist(
    tmp_path: Path, redis_url: str
) -> None:
    with make_site(tmp_path, redis_url) as site:
        _rules_fit(site)


def _rules_fit(site: Site) -> None:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    rules = {rule["alert"]: rule for rule in group["rules"]}
    assert {f"Habitus{''.join(part.title() for part in alarm.split('_'))}" for alarm in Alarm} <= set(rules)
    collected = {metric.name for metric in FleetCollector(site.services).collect()}
    exported = {name + end for name in collected for end in ("", "_total", "_bucket")}
    for rule in rules.values():
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["action"]
        assert set(re.findall(r"habitus_\w+", rule["expr"])) <= exported
        for pattern in re.findall(r'code=~?"([^"]+)"', rule["expr"]):
            assert any(re.fullmatch(pattern, code) for code in Code)
