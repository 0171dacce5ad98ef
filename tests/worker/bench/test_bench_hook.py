"""`habitus bench hook` measures the hook that is installed, beside a Python that does nothing."""

import pytest

from habitus_worker.bench.hook import LIMIT, HookCost, measure


def test_each_agents_hook_is_measured_beside_a_python_that_does_nothing() -> None:
    costs = measure(3)
    assert [cost.agent for cost in costs] == ["claude-code", "codex"]
    for cost in costs:
        assert cost.pass_ms > 0
        assert cost.hook_ms > 0
        assert cost.low <= cost.ratio <= cost.high


@pytest.mark.parametrize(("ratio", "holds"), [(1.0, True), (LIMIT, True), (2.01, False)])
def test_the_limit_is_twice_a_python_that_does_nothing(ratio: float, holds: bool) -> None:
    assert HookCost("codex", 10.0, 20.0, ratio, ratio, ratio).holds is holds
