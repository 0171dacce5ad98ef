"""The Celery shells: what a stranger sends as a ticket reaches no desk."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from celery import Celery

from habitus_tasks.jobs import BURIED_TASK, CONTENT_TASK, RECORD_TASK, register_content, register_record
from habitus_tasks.zones import Ready

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
@pytest.mark.parametrize(("task", "more"), [(CONTENT_TASK, ()), (BURIED_TASK, ("FREE_TEXT", "t", "2026-01-01"))])
def test_a_ticket_that_is_none_is_dropped_before_anything_is_named_by_it(
    app: Celery, task: str, more: tuple[object, ...], ticket: object
) -> None:
    assert app.tasks[task](ticket, *more) is None


class Names:
    """A desk that has nothing to record, and remembers under what name it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @contextmanager
    def gathering(self, task: str) -> Iterator[Iterator[list[Ready]]]:
        self.asked.append(task)
        yield iter(())


@pytest.mark.parametrize("arguments", [(), *((strange,) for strange in STRANGE), ("0" * 32, {"note": "free text"})])
def test_of_a_call_to_record_nothing_is_looked_at_but_its_closed_name(arguments: tuple[object, ...]) -> None:
    desk = Names()
    app = Celery("t", broker="memory://", set_as_current=False, fixups=[])
    register_record(app, lambda: desk)  # type: ignore[arg-type,return-value]
    names = ["6dd30e5c-92c6-4d0b-a4bd-2d9df3c6f9a5", "renata.oliveira@example.com", "habitus:counts"]
    for name in names:
        app.tasks[RECORD_TASK].apply(arguments, task_id=name)
    assert desk.asked[0] == names[0]
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in desk.asked[1:])
    assert len(set(desk.asked)) == len(names)


def test_a_ticket_is_taken_to_the_desk(app: Celery) -> None:
    with pytest.raises(Exception, match="step failed"):
        app.tasks[CONTENT_TASK]("0" * 32)
