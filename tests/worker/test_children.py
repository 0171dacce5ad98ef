"""A program that we start ends with us, and only with us."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from habitus_worker.children import start_child

CAT = "/bin/cat"


def _wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.01)


def test_it_ends_when_the_process_that_started_it_is_killed() -> None:
    code = """
import subprocess, sys
from habitus_worker.children import start_child
child = start_child(["/bin/sh", "-c", "echo $$; exec sleep 600"], stdout=subprocess.PIPE)
print(child.stdout.readline().decode(), end="", flush=True)  # it is what it is to be
sys.stdin.read()
"""
    _assert_child_ends_with(code)


def test_a_fork_that_asked_for_it_ends_with_its_parent_whatever_it_is_doing() -> None:
    code = """
import os, sys, time
from habitus_worker.children import end_with_parent
if not os.fork():
    end_with_parent()
    print(os.getpid(), flush=True)
    time.sleep(600)
sys.stdin.read()
"""
    _assert_child_ends_with(code)


def _assert_child_ends_with(code: str) -> None:
    """Runs `code`, which prints the process of a child, and kills it."""
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        try:
            _wait(lambda: not _runs(child))
        finally:
            if _runs(child):
                os.kill(child, signal.SIGKILL)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_started_from_a_thread_it_outlives_the_thread() -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        child = start_child([CAT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(child)
        assert _answer(child) == b"x"

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    _wait(lambda: not Path(f"/proc/self/task/{thread.native_id}").exists())
    (child,) = started
    try:
        assert _answer(child) == b"x"
    finally:
        child.communicate()


def _answer(child: "subprocess.Popen[bytes]") -> bytes:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"x")
    child.stdin.flush()
    return child.stdout.read(1)


def test_ctrl_c_at_the_terminal_does_not_reach_it() -> None:
    child = start_child([CAT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert _answer(child) == b"x"
        assert os.getpgid(child.pid) == child.pid != os.getpgid(0)
    finally:
        child.communicate()
