"""`habitus bench footprint`: the bytes of a session, sealed, on Redis while it waits and after, and in PostgreSQL."""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import redis
from sqlalchemy import Connection, text

from habitus_schema.ids import IdKey, Kind
from habitus_schema.models import Outcome
from habitus_schema.transcript import Format
from habitus_tasks.parse import read_session
from habitus_tasks.pipeline import Caller
from habitus_tasks.store import Database
from habitus_worker.bench.history import SESSIONS, TODAY, People, load
from habitus_worker.bench.log_lines import load_lines
from habitus_worker.bench.sessions import sessions
from habitus_worker.embedded import embedded_redis
from habitus_worker.handover import Handover
from habitus_worker.keys import create_keys
from habitus_worker.ledger import Ledger, connect
from habitus_worker.seal import Submission, seal
from habitus_worker.settings import Settings
from habitus_worker.submitting import Submitter

MADE = 40
"""Different sessions; they are handed in in turn."""
TABLES = ("session", "session_message", "observation", "profile", "rejection", "settled")
_SIZE = text("SELECT pg_total_relation_size(CAST(:name AS regclass))")
_SETTLED = text(
    "INSERT INTO settled (ticket, outcome, day)"
    " SELECT md5(CAST(i AS text)), 'recorded', '2026-01-01' FROM generate_series(1, :count) AS i"
)


@dataclass(frozen=True, slots=True)
class Bytes:
    """One figure: what it is of, and how many bytes on average."""

    of: str
    bytes: float


def on_redis(settings: Settings, folder: Path, count: int) -> Iterator[Bytes]:
    """Hands in `count` sessions on a fresh Redis in `folder`, and ends them; reads its memory at each step.

    Raises:
        UnavailableError: when Redis does not start.
    """
    create_keys(folder / "keys.json")
    made = [read_session(each, Format.HABITUS) for each in sessions(MADE, 1)]
    keys = create_keys(folder / "keys.json")
    callers = [Caller("bench", f"tenant {at}", "", TODAY) for at in range(count)]
    sealed = [len(seal(Submission(each, callers[0]), keys.seal)) for each in made]
    yield Bytes("transcript", sum(len(json.dumps(each)) for each in sessions(MADE, 1)) / MADE)
    yield Bytes("sealed", sum(sealed) / MADE)
    with embedded_redis(folder) as url:
        fresh = {"home": folder, "key_file": None, "redis_url": type(settings.redis_url)(url), "max_backlog": 2 * count}
        submitter = Submitter(settings.model_copy(update=fresh))
        with connect(url) as client:
            empty = _used(client)
            tickets = [submitter.submit(made[at % MADE], caller) for at, caller in enumerate(callers)]
            full = _used(client)
            client.delete("habitus.content", "habitus.content.backfill")
            ledger = Ledger(url, settings.payload_ttl)
            for ticket in tickets:
                Handover(ledger).hand_on(ticket, {})
                ledger.settle({ticket: Outcome.RECORDED})
            yield Bytes("waiting on Redis", (full - empty) / count)
            yield Bytes("ended on Redis", (_used(client) - empty) / count)


def _used(client: redis.Redis) -> int:
    found = client.info("memory")
    return int(found["used_memory_dataset"])  # type: ignore[index,unused-ignore]


def in_postgresql(database: Database, people: int) -> Iterator[Bytes]:
    """Bytes a row of each table, its indexes included, in a fresh database with the history of so many people."""
    key = IdKey.generate()
    rows = people * SESSIONS

    def fill(connection: Connection) -> dict[str, int]:
        load(connection, People(key, people))
        load_lines(connection, key.keyed(Kind.TENANT, secrets.token_hex(4)), rows, TODAY)
        connection.execute(_SETTLED, {"count": rows})
        counts = {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in TABLES}  # noqa: S608
        return {name: int(count) for name, count in counts.items()}

    counts = database.write(None, fill)
    for name in TABLES:
        size = database.read(None, partial(_size, name=name))
        yield Bytes(f"row of {name}", size / counts[name])


def _size(connection: Connection, name: str) -> int:
    return int(connection.scalar(_SIZE, {"name": name}) or 0)
