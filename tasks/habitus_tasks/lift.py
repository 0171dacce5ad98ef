"""The ids of a session record under another key: as it leaves the content zone, and as it is stored."""

from collections.abc import Callable

from habitus_schema.models import Observed, SessionRecord


def lifted(record: SessionRecord, lift: Callable[[str], str]) -> SessionRecord:
    """The record with `lift` applied to each of its ids.

    Raises:
        UsageError: when `lift` does.
    """
    return record.model_copy(
        update={
            "tenant": lift(record.tenant),
            "subject": lift(record.subject),
            "session": lift(record.session),
            "context": lift(record.context) if record.context else None,
            "messages": tuple(map(lift, record.messages)),
            "observations": tuple(_observed(each, lift) for each in record.observations),
        }
    )


def _observed(observed: Observed, lift: Callable[[str], str]) -> Observed:
    return observed.model_copy(
        update={
            "message": lift(observed.message) if observed.message else None,
            "entity": lift(observed.entity) if observed.entity else None,
        }
    )
