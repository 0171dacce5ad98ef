"""`habitus serve` as a process: on loopback, without a word of a request in its log, stopped by a signal."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from web_site import Site

from habitus_schema.errors import UnavailableError
from habitus_worker.fleet import environment
from habitus_worker.serve.run import is_loopback

CANARY = "renata.oliveira@leak.example"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def serving(site: Site, log: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("wb") as stream:
        server = subprocess.Popen(
            [sys.executable, "-m", "habitus_worker", "serve", "--port", str(port)],
            env=environment(site.settings), stdout=stream, stderr=stream,
        )  # fmt: skip
    try:
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(90)


def answer(port: int, server: "subprocess.Popen[bytes]", path: str) -> httpx.Response:
    """What the server answers once it is up."""
    while True:
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=20)
        except httpx.TransportError:
            assert server.poll() is None, "the server stopped"
            time.sleep(0.05)


def test_it_serves_on_loopback_and_logs_nothing_of_a_request(fresh: Site, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "serve.log"
    with serving(fresh, log, port) as server:
        assert answer(port, server, "/healthz").json() == {"status": "ok"}
        headers = {"Authorization": f"Bearer {fresh.acme}"}
        for path in (f"/v1/profiles/{CANARY}", f"/{CANARY}?{CANARY}", f"/log?code={CANARY}", "/v1/profiles/a%252Fb"):
            found = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers)
            assert found.status_code in (200, 401, 404)
            assert "uvicorn" not in str(found.headers)
        body = b'{"query": "' + CANARY.encode()
        assert httpx.post(f"http://127.0.0.1:{port}/v1/decisions", content=body, headers=headers).status_code == 422
        listening = subprocess.run(["cat", f"/proc/{server.pid}/net/tcp"], capture_output=True, text=True, check=False)
        rows = re.findall(rf"\d+: ([0-9A-F]+):{port:04X} 00000000:0000 0A", listening.stdout)
        assert rows in ([], ["0100007F"])  # none where there is no /proc
    assert server.returncode == 0
    said = log.read_text()
    assert f"http://127.0.0.1:{port}/" in said
    assert CANARY not in said
    assert fresh.acme not in said


def test_a_port_that_is_taken_is_said_in_one_line(fresh: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from habitus_worker.serve import run

    monkeypatch.setattr(run, "configure_logs", lambda: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said: list[str] = []
        with pytest.raises(UnavailableError, match="choose another with --port"):
            run.run_server(fresh.settings, "127.0.0.1", taken.getsockname()[1], (), lambda: said.append("serves"))
        assert said == [], "that it serves is said once it does"


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("habitus", False)],
)
def test_only_loopback_addresses_are_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
