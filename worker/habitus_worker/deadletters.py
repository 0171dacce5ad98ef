"""What an operator does with dead letters: send them again once the cause is mended, or burn them."""

from collections.abc import Sequence

from habitus_tasks.jobs import CONTENT_TASK
from habitus_worker.app import CONTENT_QUEUE, make_app
from habitus_worker.desks import call_record_zone, send
from habitus_worker.lanes import Lane
from habitus_worker.ledger import DeadLetter, Ledger
from habitus_worker.settings import Settings


def _chosen(ledger: Ledger, tickets: Sequence[str] | None) -> tuple[list[DeadLetter], int]:
    letters = ledger.dead_letters()
    if tickets is None:
        return letters, 0
    known = {letter.ticket: letter for letter in letters}
    found = [known[ticket] for ticket in dict.fromkeys(tickets) if ticket in known]
    return found, len(set(tickets)) - len(found)


def retry(settings: Settings, tickets: Sequence[str] | None) -> tuple[int, int]:
    """Sends dead letters again (None: all). Returns how many, and how many were not found or have expired.

    One that failed in the record zone goes back there with its content-free record; any other needs its payload.
    """
    ledger, app = Ledger(settings.redis, settings.payload_ttl), make_app(settings)
    letters, missing = _chosen(ledger, tickets)
    sent = 0
    for letter in letters:
        if letter.record is None and ledger.payload(letter.ticket) is None:
            missing += 1
        elif ledger.revive(letter.ticket, letter.record):
            if letter.record is None:
                send(app, CONTENT_TASK, CONTENT_QUEUE, letter.ticket)
            else:
                call_record_zone(app, Lane.LIVE)
            sent += 1
    return sent, missing


def drop(settings: Settings, tickets: Sequence[str] | None) -> tuple[int, int]:
    """Burns dead letters and their payloads (None: all). Returns how many, and how many were not found."""
    ledger = Ledger(settings.redis, settings.payload_ttl)
    letters, missing = _chosen(ledger, tickets)
    return sum(ledger.drop(letter.ticket) for letter in letters), missing
