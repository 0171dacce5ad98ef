"""Workers to measure with: those of the two zones without the cost of extraction, and a pipeline of two tasks that do
nothing. Run as ``python -m habitus_worker.bench.pipelines KIND``, with the settings in the environment.
"""

import sys
from typing import Any

from celery import Celery

from habitus_schema.models import Candidate, Extraction, Scope, Signal
from habitus_schema.pairs import Pair
from habitus_schema.transcript import Speaker, Transcript
from habitus_schema.vocabulary import Dimension
from habitus_worker.app import make_app
from habitus_worker.fleet import Zone, run_worker
from habitus_worker.settings import Settings, read_settings

NOOP = "habitus.bench.noop"
NOOP_QUEUES = ("habitus.bench.first", "habitus.bench.second")
WISH = Pair(dimension=Dimension.DEPENDENCY_POLICY, value="stdlib_only")


def found_at_once(transcript: Transcript) -> Extraction:
    """What an extractor that costs nothing finds: one wish in the first message, so that there is a vote to record."""
    first = next((at for at, turn in enumerate(transcript.turns) if turn.speaker is Speaker.PERSON), None)
    return Extraction((Candidate(WISH, Signal.STANDING, Scope.GENERAL, first),)) if first is not None else Extraction()


def noop_app(settings: Settings) -> Celery:
    """The same app as the zones have, with one task: its argument goes on in the chain, and that is all."""
    app = make_app(settings)

    @app.task(name=NOOP, shared=False)  # type: ignore[untyped-decorator]
    def noop(*_: Any) -> None:
        """Nothing."""

    return app


def main(kind: str) -> None:
    """Serves one zone without extraction cost, or one of the queues of the pipeline that does nothing."""
    settings = read_settings()
    if kind in NOOP_QUEUES:
        noop_app(settings).Worker(
            queues=[kind], pool="prefork", concurrency=1, loglevel="WARNING", quiet=True,
            without_gossip=True, without_mingle=True, without_heartbeat=True, hostname=f"{kind}@habitus",
        ).start()  # fmt: skip
    else:
        run_worker(settings, Zone(kind), extractor=found_at_once)


if __name__ == "__main__":
    main(sys.argv[1])
