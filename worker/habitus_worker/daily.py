"""What a record worker does once a day beside its queue: settle what time alone changed (`habitus_tasks.upkeep`)."""

from threading import Thread

import structlog

from habitus_tasks.promote import PromotionRule
from habitus_tasks.upkeep import keep_up
from habitus_tasks.whole import sees_whole
from habitus_worker.databases import database_of
from habitus_worker.settings import DAY_SECONDS, Settings

UPKEEP_SECONDS = DAY_SECONDS
_log = structlog.get_logger("habitus.daily")


def start_upkeep(settings: Settings) -> Thread:
    """Runs `upkeep` in a thread of its own, so that sessions go on meanwhile however many people there are."""
    thread = Thread(target=upkeep, args=(settings,), name="upkeep", daemon=True)
    thread.start()
    return thread


def upkeep(settings: Settings) -> bool:
    """Lets expired preferences, old sketches and old lines of the log go, and counts it; returns whether it worked.

    A failure is logged by its class alone.

    On PostgreSQL the record role sees one tenant at a time. It lets old counts of decisions go, which are nobody's, and
    its log says that the rest was left to the owner: run `habitus upkeep` as that one.
    """
    try:
        database = database_of(settings)
        try:
            rule = PromotionRule(k=settings.k, window_days=settings.window_days)
            whole = sees_whole(database)
            done = keep_up(
                database, rule, decision_days=settings.decision_days, log_days=settings.log_days,
                evidence_days=settings.evidence_days,
            )  # fmt: skip
        finally:
            database.close()
    except Exception as error:  # noqa: BLE001 - in a thread, what it says would be printed
        _log.warning("upkeep_failed", error=type(error).__name__)
        return False
    event = "upkeep_done" if whole else "upkeep_left_to_owner"
    _log.info(event, count=done.settled + done.sketches + done.decisions + done.lines)
    return True
