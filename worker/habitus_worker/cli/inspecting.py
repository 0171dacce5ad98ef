"""How the identity is printed."""

from habitus_schema.models import Outcome
from habitus_tasks.record import settled_counts
from habitus_worker.cli.output import console, print_json
from habitus_worker.databases import database_of
from habitus_worker.ledger import Ledger
from habitus_worker.settings import Settings


def print_status(settings: Settings, as_json: bool) -> bool:
    """Prints the identity; returns whether it holds.

    It holds when the ledger balances and the database has every outcome that the ledger counts: the record zone
    commits first and settles after, so the database may be ahead by what is still in flight, and never behind.
    """
    ledger = Ledger(settings.redis, settings.payload_ttl)
    before = ledger.counts()
    stored = settled_counts(database_of(settings))
    after = ledger.counts()
    in_database = stored[Outcome.RECORDED] + stored[Outcome.DUPLICATE]
    holds = (
        after.holds
        and before.recorded + before.duplicate <= in_database <= after.recorded + after.duplicate + after.in_flight
    )
    row = {
        "submitted": after.submitted, "recorded": after.recorded, "duplicate": after.duplicate,
        "dead_lettered": after.dead, "in_flight": after.in_flight, "holds": holds,
    }  # fmt: skip
    if as_json:
        print_json(row)
    else:
        console().print(
            f"{after.submitted} submitted = {after.recorded} recorded + {after.duplicate} duplicate + {after.dead} "
            f"dead-lettered + {after.in_flight} in flight: " + ("holds" if holds else "DOES NOT HOLD"), markup=False,
        )  # fmt: skip
    return holds
