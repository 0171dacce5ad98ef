"""Private strings of forty kinds, and sessions of every format that hold them in every field a caller controls."""

import json
import random
import string
from collections.abc import Callable, Iterator
from typing import Any

_R = random.Random(20261129)


def _hex(n: int) -> str:
    return "".join(_R.choices("0123456789abcdef", k=n))


def _alnum(n: int) -> str:
    return "".join(_R.choices(string.ascii_letters + string.digits, k=n))


def _digits(n: int) -> str:
    return "".join(_R.choices(string.digits, k=n))


def _name() -> str:
    return "".join(_R.choices("bcdfghklmnprstvz", k=1)).upper() + "".join(_R.choices("aeiou", k=1)) + _alnum(5).lower()


KINDS: dict[str, Callable[[], str]] = {
    "email": lambda: f"{_name().lower()}.{_name().lower()}@{_alnum(6).lower()}.example",
    "url": lambda: f"https://{_alnum(8).lower()}.example/{_alnum(6)}",
    "domain": lambda: f"{_alnum(8).lower()}.internal.example",
    "unix_path": lambda: f"/srv/{_alnum(6)}/{_alnum(6)}.py",
    "windows_path": lambda: f"C:\\Users\\{_name()}\\{_alnum(6)}.docx",
    "home_path": lambda: f"~/{_alnum(7)}/notes.md",
    "repository": lambda: f"{_alnum(6).lower()}-corp/{_alnum(8).lower()}",
    "phone": lambda: f"+351 9{_digits(2)} {_digits(3)} {_digits(3)}",
    "iban": lambda: f"PT50{_digits(21)}",
    "card": lambda: f"4{_digits(15)}",
    "account": lambda: _digits(12),
    "ipv4": lambda: f"10.{_R.randint(1, 254)}.{_R.randint(1, 254)}.{_R.randint(100, 254)}",
    "ipv6": lambda: f"fd00:{_hex(4)}:{_hex(4)}::{_hex(4)}",
    "mac": lambda: ":".join(_hex(2) for _ in range(6)),
    "aws_key": lambda: "AKIA" + _alnum(16).upper(),
    "aws_secret": lambda: _alnum(40),
    "github": lambda: "ghp_" + _alnum(36),
    "openai": lambda: "sk-proj-" + _alnum(40),
    "anthropic": lambda: "sk-ant-api03-" + _alnum(40),
    "stripe": lambda: "sk_live_" + _alnum(24),
    "slack": lambda: f"xoxb-{_digits(11)}-{_alnum(24)}",
    "google": lambda: "AIza" + _alnum(35),
    "jwt": lambda: f"eyJ{_alnum(20)}.eyJ{_alnum(30)}.{_alnum(43)}",
    "pem": lambda: f"-----BEGIN PRIVATE KEY-----{_alnum(64)}",
    "bearer": lambda: f"Bearer {_alnum(32)}",
    "password": lambda: f"hunter-{_alnum(9)}!",
    "connection": lambda: f"postgres://{_name().lower()}:{_alnum(10)}@db/{_alnum(5)}",
    "uuid": lambda: f"{_hex(8)}-{_hex(4)}-{_hex(4)}-{_hex(4)}-{_hex(12)}",
    "sha": lambda: _hex(40),
    "ticket": lambda: f"{_alnum(4).upper()}-{_digits(5)}",
    "person": lambda: f"{_name()} {_name()}",
    "company": lambda: f"{_name()} Logistics GmbH",
    "street": lambda: f"{_digits(3)} {_name()} Street",
    "national_id": lambda: f"{_digits(3)}-{_digits(2)}-{_digits(4)}",
    "birthday": lambda: f"born 19{_R.randint(50, 99)}-0{_R.randint(1, 9)}-1{_R.randint(0, 9)}",
    "diagnosis": lambda: f"diagnosed with {_name().lower()}itis",
    "salary": lambda: f"earns {_digits(6)} a year",
    "code_name": lambda: f"Project {_name()}",
    "code": lambda: f"df_{_alnum(6)} = load('{_alnum(6)}')",
    "other_script": lambda: "Пациент " + "".join(_R.choices("абвгдежзик", k=9)),
}


class Canaries:
    """Hands out fresh private strings and remembers them."""

    def __init__(self) -> None:
        self.planted: list[str] = []
        self._kinds = iter(())

    def one(self) -> str:
        """The next string, kind after kind."""
        kind = next(self._kinds, None)
        if kind is None:
            self._kinds = iter(KINDS.values())
            kind = next(self._kinds)
        self.planted.append(kind())
        return self.planted[-1]


WISH = "From now on always keep your answers short and to the point."


def sessions(c: Canaries) -> Iterator[tuple[str, bytes, str]]:
    """(file name, content, format) of sessions that hold canaries wherever a caller can put one."""
    yield "native.json", _json(_native(c)), "habitus"
    yield "chat.json", _json(_chat(c)), "openai_chat"
    yield "messages.json", _json(_messages(c)), "anthropic_messages"
    yield "export.json", _json([_export(c)]), "chatgpt_export"
    yield "claude.jsonl", _lines(_claude(c)), "claude_code"
    yield "codex.jsonl", _lines(_codex(c)), "codex_rollout"
    yield "broken.json", _json(_native(c))[:-20], ""
    yield "unknown.json", _json({c.one(): c.one()}), ""


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _lines(values: list[dict[str, Any]]) -> bytes:
    return b"".join(_json(value) + b"\n" for value in values)


def _own(c: Canaries) -> str:
    return f"about {c.one()} and {c.one()}: fix it\n\n```\n{c.one()}\n```\n> {c.one()}\n\n{WISH} For {c.one()} always use tables."


def _native(c: Canaries) -> dict[str, Any]:
    return {
        "session_id": c.one(), "user_id": c.one(), "tenant_id": c.one(), "task_context": c.one(),
        "ended_at": "2026-11-20T10:00:00Z", c.one(): c.one(),
        "messages": [
            {"role": "system", "content": c.one()},
            {"role": "user", "content": _own(c), "id": c.one()},
            {"role": "assistant", "content": f"It is {c.one()}. " * 40},
            {"role": "tool", "content": c.one()},
            {"role": "user", "content": "shorter please " + c.one()},
        ],
    }  # fmt: skip


def _chat(c: Canaries) -> dict[str, Any]:
    return {
        "id": c.one(), "model": c.one(),
        "messages": [
            {"role": "developer", "content": c.one()},
            {"role": "user", "content": [{"type": "text", "text": _own(c)}, {"type": "image_url", "image_url": {"url": c.one()}}]},
            {"role": "assistant", "content": c.one(), "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": c.one()}}]},
            {"role": "tool", "tool_call_id": "c1", "content": c.one()},
        ],
    }  # fmt: skip


def _messages(c: Canaries) -> dict[str, Any]:
    return {
        "model": "m", "system": c.one(),
        "messages": [
            {"role": "user", "content": _own(c)},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": c.one()}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": c.one()}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": c.one()}, {"type": "text", "text": c.one()}]},
        ],
    }  # fmt: skip


def _export(c: Canaries) -> dict[str, Any]:
    def node(name: str, parent: str | None, role: str, text: str) -> dict[str, Any]:
        message = {
            "id": name,
            "author": {"role": role},
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {},
        }
        return {"id": name, "parent": parent, "children": [], "message": message}

    mapping = {
        "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
        "a": node("a", "root", "user", _own(c)),
        "b": node("b", "a", "assistant", c.one()),
        "gone": node("gone", "a", "user", c.one()),
    }
    return {
        "id": c.one(),
        "conversation_id": c.one(),
        "title": c.one(),
        "create_time": 1795000000.0,
        "current_node": "b",
        "mapping": mapping,
    }


def _claude(c: Canaries) -> list[dict[str, Any]]:
    base = {
        "sessionId": c.one(),
        "cwd": c.one(),
        "gitBranch": c.one(),
        "version": "2.1.290",
        "isSidechain": False,
        "userType": "external",
    }
    rows = [
        {"type": "summary", "summary": c.one()},
        {"type": "user", "uuid": c.one(), "message": {"role": "user", "content": _own(c)}},
        {"type": "user", "uuid": c.one(), "isMeta": True, "message": {"role": "user", "content": c.one()}},
        {"type": "assistant", "uuid": c.one(), "message": {"id": "m", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": c.one(), "content": c.one()}}]}},
        {"type": "user", "uuid": c.one(), "toolUseResult": {"stdout": c.one()}, "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": c.one()}]}},
        {"type": c.one(), "uuid": c.one()},
    ]  # fmt: skip
    return [{**base, "timestamp": "2026-11-20T10:00:00.000Z", "parentUuid": None, **row} for row in rows]


def _codex(c: Canaries) -> list[dict[str, Any]]:
    rows = [
        {"type": "session_meta", "payload": {"id": c.one(), "cwd": c.one(), "instructions": c.one()}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"<environment_context>{c.one()}</environment_context>"}]}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": _own(c)}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": json.dumps({"command": c.one()}), "call_id": "k"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "k", "output": c.one()}},
    ]  # fmt: skip
    return [{"timestamp": "2026-11-20T10:00:00.000Z", **row} for row in rows]
