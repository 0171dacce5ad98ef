"""Logs cannot leak: whatever is logged, by us or by a library, comes out through an allow-list."""

import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from habitus_worker import logs

CANARY = "renata.oliveira@example.com"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What a configured process writes; everything is put back afterwards."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level, warnings.showwarning, sys.excepthook, logging.raiseExceptions)
    hooks = threading.excepthook, sys.unraisablehook
    stream = io.StringIO()
    logs.configure_logs(stream)
    for name in ("httpx", "httpcore"):  # an LLM client of an earlier test has silenced them for the process
        logging.getLogger(name).setLevel(logging.NOTSET)
    yield stream
    root.handlers[:], root.level, warnings.showwarning, sys.excepthook, logging.raiseExceptions = before
    threading.excepthook, sys.unraisablehook = hooks
    structlog.reset_defaults()


def test_an_event_with_allowed_keys_is_written_as_one_json_line(lines: io.StringIO) -> None:
    structlog.get_logger().info("worker_ready", zone="content", ticket="0" * 32)
    row = json.loads(lines.getvalue())
    assert (row["event"], row["zone"], row["level"], row["ticket"]) == ("worker_ready", "content", "info", "0" * 32)
    assert "dropped" not in row


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_key_outside_the_list_and_no_value_of_another_shape_gets_through(key: str, value: str) -> None:
    kept = logs.allow_listed(None, "info", {key: value, "event": value})
    for name, shown in kept.items():
        assert name == "dropped" or logs.ALLOWED[name].fullmatch(str(shown))


def test_what_was_dropped_is_counted(lines: io.StringIO) -> None:
    before = logs.dropped
    structlog.get_logger().info("step_failed", text=CANARY, ticket="not a ticket")
    assert json.loads(lines.getvalue())["dropped"] == 2
    assert logs.dropped == before + 2
    assert CANARY not in lines.getvalue()


@pytest.mark.parametrize("name", ["celery.worker", "kombu.connection", "sqlalchemy.engine", "httpx", "root", "other"])
def test_a_library_that_logs_its_arguments_shows_nothing_of_them(lines: io.StringIO, name: str) -> None:
    try:
        raise ValueError(CANARY)
    except ValueError:
        logging.getLogger(name).exception("task failed with %s " + CANARY, CANARY, extra={"args_": CANARY})
    row = json.loads(lines.getvalue())
    assert (row["event"], row["error"], row["level"]) == ("library_message", "ValueError", "error")
    assert CANARY not in lines.getvalue()


def test_a_warning_shows_its_class_alone(lines: io.StringIO) -> None:
    warnings.showwarning(UserWarning(CANARY), UserWarning, "x.py", 1)
    assert json.loads(lines.getvalue())["error"] == "UserWarning"
    assert CANARY not in lines.getvalue()


def test_a_crash_shows_its_class_alone(lines: io.StringIO) -> None:
    sys.excepthook(RuntimeError, RuntimeError(CANARY), None)
    assert json.loads(lines.getvalue())["error"] == "RuntimeError"
    assert CANARY not in lines.getvalue()


def test_a_broken_log_call_of_a_library_does_not_print_its_arguments(
    lines: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("celery").error("%d", CANARY)
    assert CANARY not in lines.getvalue() + capsys.readouterr().err


def test_a_crash_of_another_thread_shows_its_class_alone(lines: io.StringIO) -> None:
    def fail() -> None:
        raise ValueError(CANARY)

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    row = json.loads(lines.getvalue())
    assert (row["event"], row["error"]) == ("thread_crashed", "ValueError")
    assert CANARY not in lines.getvalue()
