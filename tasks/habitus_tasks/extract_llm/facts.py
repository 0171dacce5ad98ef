"""What the model is told of the assistant's last output: counts of its form, and no word of it.

A wish like 'shorter' means something only after an output, so its form is told; its text is not the person's, may hold
anything at all, and is not needed for it.
"""

from dataclasses import asdict
from typing import Any

from habitus_tasks.extract.last_output import SATISFIED, VIOLATED, verdicts
from habitus_tasks.extract.output import Output


def facts_of(output: Output) -> dict[str, Any] | None:
    """The facts as closed words and numbers, or None when the assistant had produced nothing yet.

    `counts`: how often each thing occurs in it. `goes_against`, `already_so`: the pairs its form speaks about.
    """
    if output.empty:
        return None
    counted = {**asdict(output.prose), **asdict(output.coded), **asdict(output.acts)}
    decided = verdicts(output)
    return {
        "counts": {name: int(count) for name, count in counted.items() if count},
        "goes_against": sorted(str(pair) for pair, verdict in decided.items() if verdict == VIOLATED),
        "already_so": sorted(str(pair) for pair, verdict in decided.items() if verdict == SATISFIED),
    }
