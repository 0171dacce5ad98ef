"""Runs the checks of a zone, one after another, whatever becomes of the others."""

from collections.abc import Iterator

from habitus_schema.errors import HabitusError
from habitus_worker.doctor.clocks import clocks
from habitus_worker.doctor.databases import database
from habitus_worker.doctor.extractors import extractor
from habitus_worker.doctor.finding import Check, Finding, bad
from habitus_worker.doctor.hooks import hooks
from habitus_worker.doctor.hosts import disk, keys
from habitus_worker.doctor.queues import queue
from habitus_worker.doctor.redis_server import redis_server
from habitus_worker.doctor.spools import spool
from habitus_worker.fleet import Zone
from habitus_worker.settings import Settings

EVERYWHERE: dict[str, Check] = {"redis": redis_server, "queue": queue, "clock": clocks, "disk": disk}
CONTENT: dict[str, Check] = {"keys": keys, "spool": spool, "hook": hooks, "extractor": extractor}
RECORD: dict[str, Check] = {"database": database}


def checks_of(zone: Zone) -> dict[str, Check]:
    """The checks that concern a host of `zone`, by name."""
    content = {} if zone is Zone.RECORD else CONTENT
    record = {} if zone is Zone.CONTENT else RECORD
    return EVERYWHERE | content | record


def examine(settings: Settings, zone: Zone) -> Iterator[Finding]:
    """What each check of the zone finds. Reads only, but for opening connections; nothing is made or mended."""
    for name, check in checks_of(zone).items():
        if name == "clock" and zone is Zone.CONTENT:
            yield from _looked_into(name, lambda s: clocks(s, with_database=False), settings)
        else:
            yield from _looked_into(name, check, settings)


def _looked_into(name: str, check: Check, settings: Settings) -> Iterator[Finding]:
    try:
        yield from check(settings)
    except HabitusError as error:
        yield bad(name, "cannot be looked into", str(error))
    except OSError as error:
        yield bad(name, "cannot be looked into", f"the system refused: {error.strerror or type(error).__name__}")
