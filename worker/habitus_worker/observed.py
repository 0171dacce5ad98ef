"""A worker's desks as they are observed: measured always, traced when the ``OTEL_`` variables ask for it."""

from habitus_tasks.zones import ContentDesk, RecordDesk
from habitus_worker.measured import MeasuredContent, MeasuredRecord
from habitus_worker.measures import Measures
from habitus_worker.settings import Settings
from habitus_worker.traced import TracedContent, TracedRecord
from habitus_worker.traces import traces_of


def observed_content(desk: ContentDesk, settings: Settings) -> ContentDesk:
    """The content zone's desk. Call it after a fork.

    Raises:
        UsageError: when traces are asked for and the extra `otel` is not installed.
    """
    measured = MeasuredContent(desk, Measures(settings.redis))
    traces = traces_of(settings)
    return TracedContent(measured, traces) if traces else measured


def observed_record(desk: RecordDesk, settings: Settings) -> RecordDesk:
    """The record zone's desk. Otherwise as `observed_content`."""
    measured = MeasuredRecord(desk, Measures(settings.redis))
    traces = traces_of(settings)
    return TracedRecord(measured, traces) if traces else measured
