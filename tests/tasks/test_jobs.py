"""The Celery shells: what a stranger sends as a ticket reaches no desk."""

import pytest
from celery import Celery

from habitus_tasks.jobs import BURIED_TASK, CONTENT_TASK, RECORD_TASK, register_content, register_record

STRANGE = ["renata.oliveira@example.com", "A" * 32, "0" * 31, "0" * 33, "0" * 32 + "\n", 7, None, ["0" * 32], {"a": 1}]


class NoDesk:
    """Fails whoever sits down at it."""

    def __call__(self) -> object:
        raise AssertionError("the ticket reached a desk")


@pytest.fixture
def app() -> Celery:
    app = Celery("t", broker="memory://", set_as_current=False, fixups=[])
    register_content(app, NoDesk())  # type: ignore[arg-type]
    register_record(app, NoDesk())  # type: ignore[arg-type]
    return app


@pytest.mark.parametrize("ticket", STRANGE)
@pytest.mark.parametrize(
    ("task", "more"), [(CONTENT_TASK, ()), (RECORD_TASK, ({},)), (BURIED_TASK, ("FREE_TEXT", "t", "2026-01-01"))]
)
def test_a_ticket_that_is_none_is_dropped_before_anything_is_named_by_it(
    app: Celery, task: str, more: tuple[object, ...], ticket: object
) -> None:
    assert app.tasks[task](ticket, *more) is None


def test_a_ticket_is_taken_to_the_desk(app: Celery) -> None:
    with pytest.raises(Exception, match="step failed"):
        app.tasks[CONTENT_TASK]("0" * 32)
