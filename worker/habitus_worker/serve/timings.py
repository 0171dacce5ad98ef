"""What the worker processes measured, in Prometheus's terms."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

from habitus_worker.measures import Kept, Timed, Tried, TriedIn, buckets


def timings(kept: Kept) -> Iterator[Metric]:
    """Durations and tries since the deployment began. Raises UnavailableError when Redis does not answer."""
    found = kept.read()
    stages = HistogramMetricFamily("habitus_stage_seconds", "How long a stage of a session takes.", labels=["stage"])
    for timed in Timed:
        if timed is not Timed.SESSION:
            stages.add_metric([timed.value], *buckets(found, timed))
    yield stages
    whole = HistogramMetricFamily("habitus_session_seconds", "From submitted to recorded or duplicate.")
    whole.add_metric([], *buckets(found, Timed.SESSION))
    yield whole
    tries = CounterMetricFamily(
        "habitus_attempts", "Tries of sessions in a zone; one that failed is tried again.", labels=["zone", "try"]
    )
    for zone in TriedIn:
        for which in Tried:
            tries.add_metric([zone.value, which.value], found.get(f"tries:{zone}:{which}", 0))
    yield tries
