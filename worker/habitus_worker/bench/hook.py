"""What the teardown hook costs, beside a Python that does nothing: both started in turn, so that load hits both."""

import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.ours import teardown_words

LIMIT = 2.0
"""Times `python -c pass`: an agent waits for its hooks when a session ends."""
_EVENT = {
    "session_id": "5e55f00d-0000-4000-8000-000000000001",
    "transcript_path": "/home/user/.claude/projects/-home-user-shop/5e55f00d-0000-4000-8000-000000000001.jsonl",
    "cwd": "/home/user/shop",
    "hook_event_name": "SessionEnd",
    "reason": "prompt_input_exit",
}


@dataclass(frozen=True, slots=True)
class HookCost:
    """What one hook costs.

    Attributes:
        agent: whose hook.
        pass_ms, hook_ms: medians of the wall time in milliseconds.
        ratio: the median of hook over pass, round by round.
        low, high: its 95 % confidence interval.
    """

    agent: str
    pass_ms: float
    hook_ms: float
    ratio: float
    low: float
    high: float
    limit: float = LIMIT

    @property
    def holds(self) -> bool:
        """Whether the ratio is within the limit."""
        return self.ratio <= self.limit


def measure(rounds: int) -> list[HookCost]:
    """Measures each agent's hook, as it is installed, with the interpreter of this process."""
    with tempfile.TemporaryDirectory() as folder:
        event = Path(folder) / "event.json"
        event.write_text(json.dumps(_EVENT))
        return [_measured(agent, Path(folder), event, rounds) for agent in Agent]


def _measured(agent: Agent, folder: Path, event: Path, rounds: int) -> HookCost:
    nothing, hook = [sys.executable, "-c", "pass"], teardown_words(agent, folder)
    for words in (nothing, hook):  # what a first start compiles and caches
        _seconds(words, event)
    pairs = [(_seconds(nothing, event), _seconds(hook, event)) for _ in range(rounds)]
    ratios = sorted(ours / theirs for theirs, ours in pairs)
    low, high = _interval(ratios)
    times = [median(each) * 1000 for each in zip(*pairs, strict=True)]
    return HookCost(agent.value, times[0], times[1], median(ratios), low, high)


def _seconds(words: Sequence[str], stdin: Path) -> float:
    with stdin.open("rb") as stream:
        started = time.perf_counter()
        subprocess.run(words, stdin=stream, check=True)
        return time.perf_counter() - started


def _interval(ordered: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of the median, by the binomial order statistics (normal approximation)."""
    count = len(ordered)
    reach = 0.98 * math.sqrt(count)
    return ordered[max(math.floor(count / 2 - reach), 0)], ordered[min(math.ceil(count / 2 + reach), count - 1)]
