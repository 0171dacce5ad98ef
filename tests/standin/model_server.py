"""An OpenAI-compatible endpoint on loopback whose behaviour a test writes: a real HTTP server, no model."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Request = Mapping[str, Any]
"""The JSON that a client sent."""


@dataclass(frozen=True)
class Reply:
    """What the server answers. `wait`: seconds before; None: never, until the server closes."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    raw: bytes | None = None
    wait: float | None = 0.0

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        return json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": "stand-in",
                "choices": [
                    {"index": 0, "message": {"role": "assistant", "content": self.text}, "finish_reason": self.finish}
                ],
                "usage": {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57},
            }
        ).encode()


def asked(request: Request) -> str:
    """Everything that the model is shown."""
    return "\n".join(str(message["content"]) for message in request["messages"])


def module_of(request: Request) -> str:
    """Which module asks: ``mle``, ``cpe_recall``, ``cpe_intent``; or ``split`` for a preference that is prepared."""
    text = asked(request)
    marks = {
        "mle": "Kind of preference:",
        "cpe_recall": "Subject of a preference:",
        "cpe_intent": "The preference:",
        "split": "separate preferences",
    }
    return next(name for name, mark in marks.items() if mark in text.replace("\n", " "))


def form_of(request: Request) -> str:
    """How the client asks for the form of the answer."""
    return str(request.get("response_format", {}).get("type", "text"))


def ranking(order: str, conflict: str = "none") -> str:
    return json.dumps({"ranking": order, "conflict": conflict})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # a connection that finds the queue full is tried again only after a second


class ModelServer:
    """The server; `requests` is what it was sent, `script` what it does with each."""

    def __init__(self, script: Callable[[Request], Reply] | None = None) -> None:
        self.script = script or (lambda request: Reply(ranking("BCA")))
        self.requests: list[Request] = []
        self.headers: list[Mapping[str, str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def of(self, module: str) -> list[Request]:
        """The requests of one module."""
        return [each for each in self.requests if module_of(each) == module]

    def _reply(self, request: Request, headers: Mapping[str, str]) -> Reply:
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        reply = self.script(request)
        if reply.wait is None:
            self._closing.wait()
        else:
            time.sleep(reply.wait)
        with self._lock:
            self._at_once -= 1
        return reply

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65_536  # head and body in one packet, or the client's acknowledgement is waited for

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                reply = server._reply(json.loads(self.rfile.read(size)), dict(self.headers))
                body = reply.body()
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True  # the client did not wait

            def log_message(self, format: str, *args: object) -> None:
                return

        return Handler
