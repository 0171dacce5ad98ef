"""What the server keeps of figures: fresh enough, never another tenant's; and the counters of /metrics."""

from datetime import date, timedelta

import pytest
from web_site import Site

from habitus_schema.codes import Code
from habitus_schema.decisions import DecisionReason, PolicyWord
from habitus_schema.models import Rejection
from habitus_schema.vocabulary import Dimension
from habitus_tasks.decisions import note
from habitus_worker.days import today
from habitus_worker.report.closed import audit_closed
from habitus_worker.serve.api.metrics import LineCounter
from habitus_worker.serve.figures import KEPT, RECENT_SECONDS, SETTLED_SECONDS, Figures
from habitus_worker.serve.pages.overview import age

ONE_OFF = (Rejection(code=Code.ONE_OFF),)


def total(figures: Figures, tenant: str | None, since: date) -> int:
    return sum(figures.summary(tenant, since, today()).days.values())


def test_new_lines_show_after_seconds_and_late_ones_after_minutes(fresh: Site) -> None:
    now = 0.0
    figures = Figures(lambda: fresh.database, lambda: now)
    tenant, since = fresh.tenant("acme"), today() - timedelta(days=20)
    assert total(figures, tenant, since) == 0
    fresh.record("acme", "ada", "new", today(), lines=ONE_OFF)
    fresh.record("acme", "ada", "late", today() - timedelta(days=9), lines=ONE_OFF)
    assert total(figures, tenant, since) == 0
    now = RECENT_SECONDS + 1
    assert total(figures, tenant, since) == 1
    now = SETTLED_SECONDS + 1
    assert total(figures, tenant, since) == 2


def test_each_tenant_and_range_has_figures_of_its_own_and_not_too_many_are_kept(fresh: Site) -> None:
    figures = Figures(lambda: fresh.database)
    fresh.record("acme", "ada", "s", today(), lines=ONE_OFF)
    since = today() - timedelta(days=3)
    assert [total(figures, fresh.tenant(name), since) for name in ("acme", "globex")] == [1, 0]
    assert total(figures, None, today()) == 1
    for back in range(KEPT + 5):
        figures.summary(fresh.tenant("acme"), today() - timedelta(days=back), today())
    assert len(figures._kept) == KEPT


def test_a_line_is_counted_once_also_when_its_transaction_commits_late(fresh: Site) -> None:
    fresh.record("acme", "ada", "before", today(), lines=ONE_OFF)
    counter = LineCounter(fresh.services)
    fresh.record("acme", "ada", "first", today(), lines=ONE_OFF)
    seen = [counter.counts()[Code.ONE_OFF]]  # this reading only looks how far the log goes
    fresh.record("acme", "ada", "second", today(), lines=ONE_OFF)
    seen += [counter.counts()[Code.ONE_OFF] for _ in range(3)]
    assert seen == [0, 1, 2, 2]


def test_what_was_decided_is_shown_to_an_operator_alone(fresh: Site) -> None:
    vote = DecisionReason.VOTE
    counts = {(Dimension.PREAMBLE, policy, vote): n for policy, n in ((PolicyWord.IGNORE, 3), (PolicyWord.DRIVE, 1))}
    note(fresh.database, counts, today())
    text = fresh.browser(fresh.operator).get("/effect").text
    assert "ignore 75 %, drive 25 %" in text
    assert 'class="p-drive" x="75.0" y="0" width="25.0"' in text
    assert "What was decided" not in fresh.browser(fresh.acme).get("/effect").text


def test_every_value_that_is_not_closed_is_found_whatever_wrote_it(fresh: Site) -> None:
    fresh.record("acme", "ada", "s", today(), lines=ONE_OFF)
    found = audit_closed(fresh.database)
    assert found.open == 0
    assert found.rows >= 76
    with fresh.database.engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        connection.exec_driver_sql("UPDATE rejection SET session = 'Renata Oliveira', code = 'SHE_SAID'")
        connection.exec_driver_sql("PRAGMA ignore_check_constraints = OFF")
    assert audit_closed(fresh.database).open == 2
    assert audit_closed(fresh.database, fresh.tenant("globex")).open == 0


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (59, "59 s"), (60, "1 min"), (7300, "2 h"), (200_000, "2 d")]
)
def test_an_age_is_told_in_its_largest_unit(seconds: float, words: str) -> None:
    assert age(seconds) == words
