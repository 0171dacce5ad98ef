"""Every byte that a deployment leaves behind, as one sweep, and the failures that put canaries in its way.

A new place is a line in `Deployment.places`; a new failure is a function with a line in `FAILURES`.
"""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import httpx
from canaries import Canaries, sessions
from outage import outage
from stored import stored

from habitus_tasks.jobs import BURIED_TASK, CONTENT_TASK, RECORD_TASK
from habitus_worker.app import CONTENT_QUEUE, RECORD_QUEUE, make_app
from habitus_worker.broker import depths
from habitus_worker.fleet import QUEUES, Zone, environment, worker_process
from habitus_worker.ledger import Ledger, connect
from habitus_worker.settings import Settings
from habitus_worker.teardown.agents import Agent
from habitus_worker.teardown.ours import teardown_words

SECONDS = 150.0
Worker: TypeAlias = "subprocess.Popen[bytes]"


@dataclass
class Deployment:
    """A deployment under test: its settings, what it printed, and what went over its wire."""

    settings: Settings
    work: Path
    """Where the caller's own files lie: the one place that is not swept."""
    canaries: Canaries = field(default_factory=Canaries)
    printed: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.settings.home / "worker.log"

    def places(self) -> Iterator[tuple[str, bytes]]:
        """What lies in no file of the data folder and in no key of Redis."""
        yield from self.printed
        yield from stored(self.settings)

    def environment(self) -> dict[str, str]:
        """The processes' own: whatever they put into a temporary folder is swept too."""
        scratch = self.settings.home / "tmp"
        scratch.mkdir(exist_ok=True)
        return environment(self.settings) | {"TMPDIR": str(scratch)}

    def run(self, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "habitus_worker", *words], env=self.environment(), cwd=self.work,
            input=stdin, capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        self.printed.append((f"output of {words[0]}", (done.stdout + done.stderr).encode()))
        return done

    def submit(self, *files: tuple[str, bytes]) -> None:
        """Hands files in, for a user and a context that are canaries too."""
        for name, content in files:
            (self.work / name).write_bytes(content)
        who = ("--user", self.canaries.one(), "--context", self.canaries.one())
        self.run("submit", *(name for name, _ in files), *who)

    def is_quiet(self) -> bool:
        """Whether no session is in flight, no task waits, and no worker holds one."""
        client = connect(self.settings.redis)
        held = any(client.hlen(key) for key in client.keys("unacked*") if client.type(key) == b"hash")
        waits = any(depths(self.settings, QUEUES[Zone.ALL]))
        return not (held or waits or self.ledger.counts().in_flight)

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.settings.redis, self.settings.payload_ttl)


def wait(holds: Callable[[], object], seconds: float = SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def rewrite_what_redis_wrote(d: Deployment) -> None:
    """Makes Redis write its append-only file anew, as it does by itself from time to time."""
    client = connect(d.settings.redis)
    client.bgrewriteaof()
    wait(lambda: not client.info("persistence")["aof_rewrite_in_progress"])


@contextmanager
def reading(d: Deployment, name: str) -> Iterator[None]:
    """Hands a long session in, and runs the block as soon as a worker has begun with it."""
    c, client = d.canaries, connect(d.settings.redis)
    said = [{"role": "user", "content": f"{c.one()} is one thing and {c.one()} another, {i}. " * 20} for i in range(60)]
    session = json.dumps({"session_id": name, "task_context": c.one(), "messages": said}).encode()
    before = set(client.keys("habitus:attempts:*"))
    # Beside the command: by the time that it ends, the session may be read.
    with ThreadPoolExecutor(1) as pool:
        handed_in = pool.submit(d.submit, (f"{name}.json", session))
        wait(lambda: set(client.keys("habitus:attempts:*")) - before or _is_over(d, handed_in))
        yield


def _is_over(d: Deployment, handed_in: "Future[None]") -> bool:
    return handed_in.done() and not d.ledger.counts().in_flight


def broken_and_whole_files(d: Deployment) -> None:
    """Parse errors: files that are cut off or of no known form, beside whole ones of every format."""
    d.submit(*((name, content) for name, content, _ in sessions(d.canaries)))
    d.run("extract", *(path.name for path in d.work.iterdir()), "--json")
    d.run("gate", "-", stdin=f'{{"source_justification_note": "{d.canaries.one()}"\n')
    d.run("classify", "--batch", "-", "--json", stdin=f'{{"query": 7, "{d.canaries.one()}": 1}}\n')


def messages_of_strangers(d: Deployment) -> None:
    """Poison: tasks that no zone of ours would send, with canaries as tickets, bodies, names and keywords."""
    app, c = make_app(d.settings), d.canaries
    forged = {"ticket": "0" * 32, "tenant": c.one(), "observations": [{"pair": c.one()}], c.one(): c.one()}
    for name, queue, arguments in (
        (CONTENT_TASK, CONTENT_QUEUE, [c.one()]),
        (CONTENT_TASK, CONTENT_QUEUE, [c.one(), c.one()]),
        (CONTENT_TASK, CONTENT_QUEUE, [{"a": c.one()}]),
        (RECORD_TASK, RECORD_QUEUE, [c.one(), forged]),
        (RECORD_TASK, RECORD_QUEUE, ["1" * 32, forged]),
        (BURIED_TASK, RECORD_QUEUE, ["2" * 32, c.one(), c.one(), c.one()]),
        ("habitus.no_such_task", RECORD_QUEUE, [c.one()]),
    ):
        app.send_task(name, args=arguments, queue=queue, argsrepr="-", kwargsrepr="-", ignore_result=True)


def requests_that_fail(d: Deployment) -> None:
    """HTTP: a session, broken JSON, a wrong token, a wrong field, a path that is none."""
    c, port = d.canaries, 18000 + os.getpid() % 10000
    token = json.loads(d.run("tokens", "add", "acme", "--json").stdout)["token"]
    command = [sys.executable, "-m", "habitus_worker", "serve", "--port", str(port)]
    with (d.settings.home / "serve.log").open("ab") as log:
        server = subprocess.Popen(command, env=d.environment(), stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
            wait(lambda: _answers(client))
            whole = {name: content for name, content, _ in sessions(c)}
            good = {"Authorization": f"Bearer {token}", "Habitus-User": "quinn"}
            for method, path, headers, body in (
                ("POST", "/v1/sessions", good, whole["native.json"]),
                ("POST", "/v1/sessions", good, whole["broken.json"]),
                ("POST", "/v1/sessions", good, whole["unknown.json"]),
                ("POST", "/v1/sessions", {"Authorization": f"Bearer {c.one().encode()!r}"}, whole["chat.json"]),
                ("POST", "/v1/sessions", {**good, "Habitus-Format": repr(c.one().encode())}, whole["chat.json"]),
                ("POST", "/v1/decisions", good, json.dumps({"query": [c.one()], c.one(): c.one()}).encode()),
                ("POST", "/v1/decisions", good, c.one().encode()),
                ("GET", f"/v1/{c.one().encode().hex()}", good, b""),
                ("DELETE", "/v1/profiles/nobody", good, c.one().encode()),
            ):
                answer = client.request(method, path, headers=headers, content=body)
                d.printed.append((f"answer of {method} {path[:12]}", repr(answer.headers).encode() + answer.content))
    finally:
        server.terminate()
        server.wait(SECONDS)


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code in (200, 503)
    except httpx.TransportError:
        return False


def a_hook_that_is_told_everything(d: Deployment) -> None:
    """Teardown: an agent tells the hook more than where the transcript lies; the transcript is not there."""
    c = d.canaries
    event = {
        "session_id": "5e55-9", "transcript_path": str(d.settings.home / "none" / "5e55-9.jsonl"), "cwd": c.one(),
        "hook_event_name": "SessionEnd", "prompt": c.one(), "last_assistant_message": c.one(), c.one(): c.one(),
    }  # fmt: skip
    for told in (json.dumps(event), json.dumps(event)[:-9], c.one()):
        words = teardown_words(Agent.CLAUDE_CODE, d.settings.home)
        done = subprocess.run(words, input=told.encode(), capture_output=True, env=d.environment(), check=False)
        d.printed.append(("output of the hook", done.stdout + done.stderr))


FAILURES = (broken_and_whole_files, messages_of_strangers, requests_that_fail, a_hook_that_is_told_everything)
"""What goes wrong while the workers run."""


def a_soft_time_limit(d: Deployment, worker: Worker) -> None:
    """A session takes longer than a task may: its process stands still, and hears of the limit when it goes on."""
    before = d.log.stat().st_size
    with reading(d, "soft"):
        for child in (children := _children(worker.pid)):
            os.kill(child, signal.SIGSTOP)
        wait(lambda: any(_told_to_stop(child) for child in children))
        for child in children:
            os.kill(child, signal.SIGCONT)
    wait(lambda: b"SoftTimeLimitExceeded" in d.log.read_bytes()[before:])


def a_killed_child(d: Deployment, worker: Worker) -> None:
    """kill -9 of the process that reads a session."""
    with reading(d, "child"):
        for child in _children(worker.pid):
            os.kill(child, signal.SIGKILL)


def a_killed_worker(d: Deployment, worker: Worker) -> None:
    """kill -9 of a whole worker in the middle of a session."""
    with reading(d, "worker"):
        os.killpg(worker.pid, signal.SIGKILL)


def a_database_that_does_not_answer(d: Deployment, worker: Worker) -> None:
    """It is locked while a session is recorded, until the hard time limit kills the process that waits."""
    with closing(sqlite3.connect(d.settings.home / "habitus.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        before = _children(worker.pid)
        d.submit(("locked.json", next(sessions(d.canaries))[1]))
        wait(lambda: _children(worker.pid) != before)
        holder.execute("ROLLBACK")


def a_database_that_is_gone(d: Deployment, worker: Worker) -> None:
    """Its server ends every connection and lets none in, while a session waits to be recorded."""
    before = d.log.stat().st_size
    with outage(d.settings):
        d.submit(("gone.json", next(sessions(d.canaries))[1]))
        wait(lambda: b"service_unavailable" in d.log.read_bytes()[before:])


DEATHS = (a_soft_time_limit, a_killed_child, a_killed_worker)
"""What a worker dies of, or nearly; after the last it is dead."""


@contextmanager
def worker_of(d: Deployment) -> Iterator[Worker]:
    """A worker of both zones that is ready."""
    before = d.log.stat().st_size if d.log.exists() else 0
    with worker_process(d.settings, Zone.ALL, d.log) as worker:
        wait(lambda: b"worker_ready" in d.log.read_bytes()[before:])
        yield worker


def _told_to_stop(child: int) -> bool:
    """Whether the signal of the soft time limit waits for the process."""
    pending = re.search(r"^ShdPnd:\s*(\w+)", Path(f"/proc/{child}/status").read_text(), re.MULTILINE)
    return pending is not None and bool(int(pending[1], 16) >> (signal.SIGUSR1 - 1) & 1)


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
        except (OSError, ValueError):
            continue
    return found
