"""deploy/redis, as Redis itself runs it: each account does its whole job through the real code, and nothing else."""

import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import pytest
import redis
from opentelemetry.sdk.trace import TracerProvider

from habitus_schema.ids import Kind
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.pipeline import Caller
from habitus_tasks.store import open_database
from habitus_worker.deadletters import drop, retry
from habitus_worker.embedded import redis_program, stop
from habitus_worker.fleet import Zone, worker_process
from habitus_worker.keys import create_keys
from habitus_worker.lanes import Lane
from habitus_worker.ledger import Counts, Ledger, connect, payload_key
from habitus_worker.serve.queue import Queue
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import Submitter
from habitus_worker.traces import End, Step, Traces, trace_key

DEPLOY = Path(__file__).parents[2] / "deploy" / "redis"
ROLES = ("submit", "content", "record", "operate")
TICKET = "ab" * 16
ROOT = "user root on nopass ~* &* +@all\n"
"""An account of the test alone, to look on with."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A Redis started by deploy/redis/start.sh."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.passwords = {role: secrets.token_hex(16) for role in ROLES}
        self.root = connect(f"redis://root@127.0.0.1:{port}/0")
        for role, password in self.passwords.items():
            (folder / f"redis-{role}").write_text(f"{password}\n")

    def url(self, role: str) -> str:
        return f"redis://habitus-{role}:{self.passwords[role]}@127.0.0.1:{self.port}/0"

    def denied(self) -> set[tuple[str, str, str]]:
        """What was refused since the start: account, why, what. The client's greeting is refused, and does without."""
        found = {(each["username"], each["reason"], each["object"]) for each in self.root.acl_log(1000)}
        return {each for each in found if each[2].split("|")[0] != "client"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("accounts")
    made = Server(folder, _free_port())
    wrapped = folder / "redis-server"  # adds the onlooker to the accounts that start.sh has written
    wrapped.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || echo "{ROOT.strip()}" >>"$3"\nexec "{redis_program()}" "$@"\n'
    )
    wrapped.chmod(0o700)
    process = subprocess.Popen(
        ["sh", DEPLOY / "start.sh", "--port", str(made.port), "--bind", "127.0.0.1", "--dir", folder],
        env=os.environ | {"PASSWORDS": folder, "ACCOUNTS": folder / "users.acl", "REDIS_SERVER": wrapped},
        stdout=subprocess.DEVNULL,
    )
    try:
        _until(lambda: _answers(made.root))
        yield made
    finally:
        made.root.close()
        stop(process)


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def _until(holds: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _settings(home: Path, url: str) -> Settings:
    return read_settings(
        home=home, redis_url=url, database_url="", visibility_timeout=2, task_seconds=20, sweep_seconds=1
    )


def _session(number: int) -> Transcript:
    wish = "zero_external_deps=True, please, always."
    turns = (Turn(Speaker.ASSISTANT, f"Thing {number}. " * 60), Turn(Speaker.PERSON, wish, wish))
    return Transcript(Format.HABITUS, f"s{number}", turns, messages=2)


@contextmanager
def _workers(settings: dict[str, Settings]) -> Iterator[None]:
    with ExitStack() as stack:
        for zone in (Zone.CONTENT, Zone.RECORD):
            log = settings[zone].home / f"{zone}.log"
            stack.enter_context(worker_process(settings[zone], zone, log, pool="solo"))
        yield


def _abandon(server: Server, queue: str) -> None:
    """Makes the waiting task of `queue` one that a worker held when it died: Celery's own form, its time long over."""
    message = server.root.rpop(queue)
    assert message
    tag = json.loads(message)["properties"]["delivery_tag"]
    server.root.hset("unacked.content", tag, json.dumps([json.loads(message), queue, queue]))
    server.root.zadd("unacked_index.content", {tag: 1})


def test_every_account_does_its_job_through_the_real_code(server: Server, tmp_path: Path) -> None:
    server.root.acl_log_reset()
    try:
        keys = create_keys(tmp_path / "keys.json")
        settings = {role: _settings(tmp_path, server.url(role)) for role in ROLES}
        open_database(settings["record"].database).close()
        submitter, ledger = Submitter(settings["submit"]), Ledger(server.url("submit"), 600)
        caller = Caller("ada", "t", "some work", date(2026, 11, 20))
        submitter.submit(_session(1), caller)
        _abandon(server, "habitus.content")
        submitter.submit(_session(2), caller)
        ledger.submit(TICKET, b"no key opens this", keys.ids.keyed(Kind.TENANT, "t"))  # its task is never sent
        watch = Ledger(server.url("operate"), 600)
        with _workers(settings):
            _until(lambda: watch.counts().in_flight == 0, 60)
            assert watch.counts() == Counts(3, 2, 0, 1, 0)
            assert Queue(settings["operate"]).waiting().oldest == 0
            assert Queue(settings["operate"]).owners([TICKET]) != [None]
            assert retry(settings["operate"], None) == (1, 0)
            _until(lambda: watch.counts().in_flight == 0, 60)
        assert drop(settings["operate"], None) == (1, 0)
        assert watch.counts() == Counts(3, 2, 0, 1, 0)
    finally:  # said first: it is why the rest failed
        assert server.denied() == set()


EVERYBODY = (
    "FLUSHALL", "KEYS *", "SCAN 0", "MONITOR", "CONFIG SET maxmemory 1", "ACL LIST", "ACL SETUSER me on", "SHUTDOWN",
    "DUMP habitus:counts", "EVAL return 0", "PUBLISH news x", "SUBSCRIBE news", "SLOWLOG GET", "SET elsewhere x",
    "REPLICAOF 127.0.0.1 1", "SAVE", "CLIENT LIST", "RENAME habitus:counts other",
)  # fmt: skip
OF_ITS_ROLE = {
    "submit": (
        f"GET {payload_key(TICKET)}", "HGETALL habitus:dead", "LPUSH habitus.record x", "GET habitus:record:x",
        "DEL habitus:counts", "HGETALL unacked.content", "INFO", "SET habitus:done:x 1",
    ),
    "content": (
        "INFO", "CONFIG GET maxmemory", "TYPE habitus:counts", "LRANGE habitus.record 0 9", "HGET unacked.record x",
        "ZREM unacked_index.record x", "SMEMBERS habitus:taken:x",
    ),
    "record": (
        "INFO", "CONFIG GET maxmemory", "EXISTS habitus:payload:x", "LRANGE habitus.content 0 9",
        "HGET unacked.content x", "ZREM unacked_index.content x",
    ),
    "operate": (
        "HGETALL unacked.content", "HGETALL unacked.record", "BRPOP habitus.content 1", "LRANGE habitus.record 0 9",
        "INCR habitus:attempts:x",
    ),
}  # fmt: skip
WITH_WRITE_ONLY_KEYS = {
    "submit": (f"HGET {payload_key(TICKET)} x", "LLEN elsewhere"),
    "content": ("BRPOP habitus.record 1",),
    "record": (f"GET {payload_key(TICKET)}", "BRPOP habitus.content 1", "GET habitus:done:x"),
    "operate": ("GET habitus:done:x",),
}
"""What Redis 7 and Valkey refuse besides; Redis 6.2 knows no keys that may only be written."""


@pytest.mark.parametrize("role", ROLES)
def test_no_account_can_do_more_than_its_job(server: Server, role: str) -> None:
    server.root.set(payload_key(TICKET), b"sealed")
    refused = [*EVERYBODY, *OF_ITS_ROLE[role]]
    if int(server.root.info()["redis_version"].split(".")[0]) >= 7:
        refused += WITH_WRITE_ONLY_KEYS[role]
    with connect(server.url(role)) as client:
        for command in refused:
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command.split(" "))
    server.root.delete(payload_key(TICKET))


def test_nobody_gets_in_without_a_name_or_with_another_password(server: Server) -> None:
    port = server.port
    for url in (
        f"redis://127.0.0.1:{port}/0",
        f"redis://habitus-record:{server.passwords['submit']}@127.0.0.1:{port}/0",
    ):
        with connect(url) as client, pytest.raises(redis.AuthenticationError):
            client.ping()


def test_no_password_is_in_what_redis_reads_and_none_is_a_short_one(server: Server, tmp_path: Path) -> None:
    written = (server.folder / "users.acl").read_text()
    assert not any(password in written for password in server.passwords.values())
    for role in ROLES:
        (tmp_path / f"redis-{role}").write_text("short")
    environment = os.environ | {"PASSWORDS": str(tmp_path), "ACCOUNTS": str(tmp_path / "users.acl")}
    done = subprocess.run(["sh", DEPLOY / "start.sh"], env=environment, capture_output=True, check=False)
    assert done.returncode == 2


def test_traces_need_no_more_than_the_accounts_have(server: Server) -> None:
    provider, made = TracerProvider(), []
    for role in ROLES:
        traces = Traces(provider, server.url(role), 60)
        with traces.submitting(TICKET, Lane.LIVE):
            made.append(server.root.get(trace_key(TICKET)))
        if role in ("content", "record"):
            traces.ended(Step.CONTENT, 1, {TICKET: {"outcome": End.DEAD}})
        if role == "record":
            traces.forget([TICKET])
            assert not server.root.exists(trace_key(TICKET))
    assert len(set(made)) == len(ROLES)
    assert None not in made
