"""The day it is: habitus keeps times to the day, in UTC."""

from datetime import UTC, date, datetime


def today() -> date:
    """The current day in UTC."""
    return datetime.now(UTC).date()
