"""A real HTTP server on loopback that speaks both LLM APIs and behaves as it is told, request by request."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Finding = dict[str, Any]


@dataclass
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def asked(self) -> str:
        """The person's words as they were sent: the first message of the conversation."""
        said = [message["content"] for message in self.body["messages"] if message["role"] == "user"]
        return str(said[0])

    @property
    def form(self) -> str:
        """How the answer is bound."""
        if "response_format" in self.body:
            return str(self.body["response_format"]["type"])
        if "output_config" in self.body:
            return str(self.body["output_config"]["format"]["type"])
        return "tool" if "tools" in self.body else "plain"


Behaviour = Callable[["Handler", Request], None]


def finding(pair: str, message: int = 1, **other: Any) -> Finding:
    """One finding, plain unless said otherwise."""
    plain = {
        "signal": "correction",
        "scope": "general",
        "hold": "holds",
        "name": None,
        "note": "the person asked for it",
    }
    return {"pair": pair, "message": message, **plain, **other}


def says(text: str) -> Behaviour:
    """Answers with this text, in the form of the API that was asked."""

    def behave(handler: "Handler", request: Request) -> None:
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "input_tokens": 100, "output_tokens": 20}
        if request.form == "tool":
            content = [{"type": "tool_use", "id": "t", "name": "report_findings", "input": json.loads(text)}]
            handler.reply(200, {"content": content, "usage": usage})
        elif request.path.endswith("/messages"):
            handler.reply(200, {"content": [{"type": "text", "text": text}], "usage": usage})
        else:
            handler.reply(200, {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})

    return behave


def finds(*findings: Finding) -> Behaviour:
    """Answers with these findings."""
    return says(json.dumps({"findings": findings}))


def fails(status: int, body: Any = None, **headers: str) -> Behaviour:
    """Answers with an error."""
    return lambda handler, _request: handler.reply(status, body or {"error": {"message": "no"}}, headers)


def echoes(status: int) -> Behaviour:
    """Answers with an error that holds all it was sent, headers included."""
    return lambda handler, request: handler.reply(status, {"error": request.body, "headers": request.headers})


def cannot(*forms: str, status: int = 400) -> Callable[[Behaviour], Behaviour]:
    """A server that refuses some forms of answers and behaves for others."""

    def able(otherwise: Behaviour) -> Behaviour:
        def behave(handler: "Handler", request: Request) -> None:
            (fails(status) if request.form in forms else otherwise)(handler, request)

        return behave

    return able


def resets(handler: "Handler", _request: Request) -> None:
    """Breaks the connection off."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def never_answers(handler: "Handler", _request: Request) -> None:
    """Says nothing until the server stops."""
    handler.server.stopping.wait(30)  # type: ignore[attr-defined]


def drips(handler: "Handler", _request: Request) -> None:
    """Sends a byte now and then, so that no timeout between two bytes ever ends it."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.stopping.wait(0.02):  # type: ignore[attr-defined]
        try:
            handler.wfile.write(b" ")
            handler.wfile.flush()
        except OSError:
            return


class Handler(BaseHTTPRequestHandler):
    """One request."""

    def do_POST(self) -> None:
        """Remembers the request, then behaves."""
        length = int(self.headers["content-length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, json.loads(self.rfile.read(length)))
        endpoint: Endpoint = self.server.endpoint  # type: ignore[attr-defined]
        endpoint.remember(request)
        endpoint.behave()(self, request)

    def reply(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        """Sends an answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


class Server(ThreadingHTTPServer):
    """Ends its threads when it closes, and says nothing of connections that broke."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Nothing: clients that give up are what is tested."""


@dataclass
class Endpoint:
    """The server: where it is, what it was asked, and what it does next. The last behaviour stays."""

    url: str
    requests: list[Request] = field(default_factory=list)
    script: list[Behaviour] = field(default_factory=lambda: [finds()])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def then(self, *script: Behaviour) -> "Endpoint":
        """Sets what it does from now on."""
        self.script = list(script)
        return self

    def behave(self) -> Behaviour:
        """What it does now."""
        with self.lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def remember(self, request: Request) -> None:
        """Keeps the request."""
        with self.lock:
            self.requests.append(request)

    @property
    def forms(self) -> list[str]:
        """How each answer was to be bound."""
        return [request.form for request in self.requests]


@contextmanager
def llm_endpoint() -> Iterator[Endpoint]:
    """Runs the server for the block."""
    server = Server(("127.0.0.1", 0), Handler)
    server.stopping = threading.Event()  # type: ignore[attr-defined]
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_address[1]}")
    server.endpoint = endpoint  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.stopping.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join(5)
