"""Logs that cannot leak: an allow-list of keys and value shapes; everything else is dropped and counted.

Our own events are constants with ids. Of a record of another library only its logger, its level and the class of its
exception are kept: its text and arguments may quote what passed through.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

from habitus_worker.guards import only_classes

ALLOWED: dict[str, re.Pattern[str]] = {
    "event": re.compile(r"[a-z][a-z0-9_]{0,63}"),
    "level": re.compile(r"[a-z]{1,10}"),
    "timestamp": re.compile(r"[0-9T:.\-]{10,32}Z?"),
    "logger": re.compile(r"[a-z][a-z0-9_.]{0,63}"),
    "ticket": re.compile(r"[0-9a-f]{32}"),
    "code": re.compile(r"[A-Z][A-Z_]{1,40}"),
    "outcome": re.compile(r"recorded|duplicate|dead"),
    "zone": re.compile(r"content|record|all"),
    "error": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}"),
    "count": re.compile(r"[0-9]{1,12}"),
    "seconds": re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?"),
    "version": re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){0,3}"),
}
"""The keys a log line may have, and the shape of each one's value."""

dropped = 0
"""Values dropped since start: shown by `habitus doctor`; must stay near zero for our own code."""

EventDict = MutableMapping[str, Any]


def allow_listed(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Keeps the allowed keys whose values have the allowed shape; says how many it dropped."""
    global dropped
    kept = {k: v for k, v in event.items() if k in ALLOWED and ALLOWED[k].fullmatch(str(v))}
    if lost := len(event) - len(kept):
        dropped += lost
        kept["dropped"] = lost
    kept.setdefault("event", "withheld")
    return kept


class ForeignRecords(logging.Handler):
    """Turns a record of another library into one of our lines: where from, how grave, what kind of exception."""

    def emit(self, record: logging.LogRecord) -> None:
        """Logs the record without its text and arguments."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        _line(record.levelname.lower(), "library_message", logger=record.name.lower(), error=error or "none")


def _line(level: str, event: str, **values: str) -> None:
    structlog.get_logger().log(logging.getLevelNamesMapping().get(level.upper(), logging.INFO), event, **values)


def configure_logs(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Sends every log line of this process, ours and others', through the allow-list, as JSON lines on stderr."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            allow_listed,
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers[:] = [ForeignRecords(level=max(level, logging.WARNING))]
    root.setLevel(max(level, logging.WARNING))
    for name in ("celery", "kombu", "billiard", "sqlalchemy", "httpx", "httpcore", "asyncio", "py.warnings"):
        library = logging.getLogger(name)
        library.handlers[:] = []
        library.propagate = True
    logging.raiseExceptions = False  # its report prints the record's arguments
    only_classes(_told)


def _told(event: str, kind: str) -> None:
    _line("warning" if event == "library_warning" else "error", event, error=kind)
