"""Sessions to measure the extractor on: 20 messages of the person and the answers before them, mixed at random.

The turns are 250 of the extractor's training rows (`turns.jsonl`), made-up ones by several hands in 20 languages. How
often a message holds a wish is what was counted in real turns (durable markers in 1.5 %, corrections in 2.7 %); how
long messages and answers are is a guess at coding work: mostly a line, at times a page.
"""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

OWN_MESSAGES = 20
WISHES = 0.042
"""Share of the person's messages that ask for a form or a way of working: 1.5 % and 2.7 % of real turns."""
_LENGTHS = {1: 0.72, 2: 0.12, 3: 0.08, 6: 0.06, 16: 0.02}
"""Of how many turns' words one message is made, and how often."""
_ANSWERS = {1: 0.3, 2: 0.3, 4: 0.3, 8: 0.1}
"""The same for the assistant's answers."""


@cache
def _turns(kind: str) -> tuple[dict[str, str], ...]:
    lines = Path(__file__).with_name("turns.jsonl").read_text("utf-8").splitlines()
    return tuple(row for row in map(json.loads, lines) if row["kind"] == kind)


def _joined(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def session(number: int, chance: random.Random) -> dict[str, Any]:
    """One native envelope with `OWN_MESSAGES` messages of the person. Nothing in it is anybody's."""
    messages: list[dict[str, str]] = []
    for at in range(OWN_MESSAGES):
        turn = chance.choice(_turns("wish" if chance.random() < WISHES else "plain"))
        more, said = (chance.choices(list(mix), list(mix.values()))[0] - 1 for mix in (_LENGTHS, _ANSWERS))
        answers = [chance.choice(_turns("plain"))["output"] for _ in range(said)]
        if at:
            messages.append({"role": "assistant", "content": _joined([*answers, turn["output"]]) or "Done."})
        own = [turn["own"], *(chance.choice(_turns("plain"))["own"] for _ in range(more))]
        messages.append({"role": "user", "content": _joined(own), "id": f"m{number}-{at}"})
    return {"session_id": f"bench-{number}", "user_id": "bench", "messages": messages}


def sessions(count: int, seed: int) -> list[dict[str, Any]]:
    """So many sessions; the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - which turns follow one another is no secret
    return [session(number, chance) for number in range(count)]
