"""Invariant 2: after a drain, no private string of any transcript is anywhere: on disk, in Redis, in print."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from canaries import Canaries, sessions
from celery import Celery
from redis.exceptions import ConnectionError

from habitus_worker.app import CONTENT_QUEUE, make_app
from habitus_worker.audit import audit
from habitus_worker.ledger import Ledger, connect
from habitus_worker.settings import Settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROUNDS = 2
"""Each plants more than a hundred strings."""


@contextmanager
def wire(url: str) -> Iterator[list[bytes]]:
    """Everything that clients send to Redis while the block runs: commands, messages, events."""
    seen: list[bytes] = []
    stop = threading.Event()

    def listen() -> None:
        with suppress(ConnectionError), connect(url, timeout=120).monitor() as monitor:  # the server may end first
            ready.set()
            while not stop.is_set():
                seen.append(repr(monitor.next_command()).encode())

    ready = threading.Event()
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    assert ready.wait(5)
    yield seen
    stop.set()
    connect(url).ping()  # one more command, so that the listener looks up and ends
    listener.join(5)


def _send_poison(stack: Settings, app: Celery) -> list[str]:
    """Messages that no submitter of ours would send: blobs that no key opens, tickets that are none."""
    ledger = Ledger(stack.redis, stack.payload_ttl)
    tickets = [f"{number:032x}" for number in range(3)]
    for ticket in tickets:
        ledger.submit(ticket, b"not sealed by us", "k1-" + "0" * 32)
        app.send_task("habitus.content", args=[ticket], queue=CONTENT_QUEUE, argsrepr="-", ignore_result=True)
    return tickets


def test_no_private_string_is_kept_logged_sent_or_printed(
    stack: Settings, habitus: Run, drain: Callable[[], None], tmp_path: Path
) -> None:
    canaries = Canaries()
    printed: list[tuple[str, bytes]] = []

    def run(*words: str) -> None:
        done = habitus(*words, cwd=tmp_path)
        printed.append((f"output of {words[0]}", (done.stdout + done.stderr).encode()))

    with wire(stack.redis) as seen:
        for round_ in range(ROUNDS):
            names = []
            for name, content, _format in sessions(canaries):
                (tmp_path / name).write_bytes(content)
                names.append(name)
            run("extract", *names, "--json")
            run("extract", *names)
            run("submit", *names, "--user", f"u{round_}")
            run("submit", *names, "--user", canaries.one(), "--tenant", canaries.one(), "--context", canaries.one())
        poison = _send_poison(stack, make_app(stack))
        drain()
    for words in (["rejections"], ["rejections", "--json"], ["status"], ["deadletters", "list"], ["config"]):
        run(*words)
    run("profile", "show", "--user", "u0")
    assert len(canaries.planted) >= 200
    assert len(seen) > 100
    found = audit(canaries.planted, [stack.home], stack.redis, [*printed, *(("wire", line) for line in seen)])
    assert found.places == ()
    assert found.bytes_read > 100_000
    codes = {letter.code for letter in Ledger(stack.redis, stack.payload_ttl).dead_letters() if letter.ticket in poison}
    assert codes == {"UNSEAL_FAILED"}


def test_the_canary_run_would_see_a_leak(stack: Settings) -> None:
    """The scan above must be able to fail: a string that is put where a bug would put it is found."""
    leak = "renata.oliveira@leak.example"
    connect(stack.redis).set("habitus:leak", f"x{leak}y")
    try:
        assert not audit([leak], [stack.home], stack.redis).clean
    finally:
        connect(stack.redis).delete("habitus:leak")
