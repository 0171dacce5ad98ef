"""The two APIs: how a request is written, how its answer is read, and what is tried when a server cannot do it.

Each API has a ladder of shapes, best first: an answer bound to our JSON schema; one that is some JSON object (for
Anthropic: the arguments of a forced tool call, which every server of that API has); plain text. `fresh` shapes leave
out `temperature` and write the limit of tokens as newer OpenAI models want it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from habitus_tasks.extract_llm.config import Api, LlmConfig

TOOL = "report_findings"
Message = Mapping[str, str]
"""``{"role": "user" | "assistant", "content": text}``"""


class Form(IntEnum):
    """How far the answer is bound."""

    SCHEMA = 0
    OBJECT = 1
    PLAIN = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to ask."""

    form: Form
    fresh: bool


LADDER = tuple(Shape(form, fresh) for form in Form for fresh in (False, True))


@dataclass(frozen=True, slots=True, repr=False)
class Conversation:
    """What is asked: the standing instructions, the messages, and the schema of the answer."""

    system: str
    messages: Sequence[Message]
    schema: Mapping[str, Any]

    def continued(self, answer: str, question: str) -> "Conversation":
        """The conversation with the answer it got, and one more question."""
        more = ({"role": "assistant", "content": answer}, {"role": "user", "content": question})
        return Conversation(self.system, (*self.messages, *more), self.schema)


@dataclass(frozen=True, slots=True, repr=False)
class Said:
    """An answer: its text, and the tokens that the endpoint counted (0 when it did not)."""

    text: str
    tokens: int


def url_of(config: LlmConfig) -> str:
    """The URL to post to, from a base URL with or without its version, or from the full one."""
    base, call = config.endpoint.rstrip("/"), "chat/completions" if config.api is Api.OPENAI else "messages"
    if base.endswith(f"/{call}"):
        return base
    return f"{base}/{call}" if config.api is Api.OPENAI or base.endswith("/v1") else f"{base}/v1/{call}"


def headers_of(config: LlmConfig) -> dict[str, str]:
    """The headers; the key goes in no URL."""
    headers = {"content-type": "application/json", "accept": "application/json"}
    if config.api is Api.ANTHROPIC:
        headers["anthropic-version"] = "2023-06-01"
        return headers | ({"x-api-key": config.key} if config.key else {})
    return headers | ({"authorization": f"Bearer {config.key}"} if config.key else {})


def body_of(config: LlmConfig, asked: Conversation, shape: Shape) -> bytes:
    """The request."""
    write = _anthropic if config.api is Api.ANTHROPIC else _openai
    body = {"model": config.model, **({} if shape.fresh else {"temperature": 0}), **write(config, asked, shape)}
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _openai(config: LlmConfig, asked: Conversation, shape: Shape) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [{"role": "system", "content": asked.system}, *asked.messages],
        "max_completion_tokens" if shape.fresh else "max_tokens": config.answer_tokens,
    }
    if shape.form is Form.SCHEMA:
        schema = {"name": TOOL, "strict": True, "schema": asked.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif shape.form is Form.OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body


def _anthropic(config: LlmConfig, asked: Conversation, shape: Shape) -> dict[str, Any]:
    body: dict[str, Any] = {
        "system": asked.system, "messages": list(asked.messages), "max_tokens": config.answer_tokens,
    }  # fmt: skip
    if shape.form is Form.SCHEMA:
        body["output_config"] = {"format": {"type": "json_schema", "schema": asked.schema}}
    elif shape.form is Form.OBJECT:
        body["tools"] = [{"name": TOOL, "description": "Reports the findings.", "input_schema": asked.schema}]
        body["tool_choice"] = {"type": "tool", "name": TOOL}
    return body


def said(api: Api, body: bytes) -> Said | None:
    """The text of an answer, or None when it has none."""
    try:
        answer = json.loads(body)
        text = _anthropic_text(answer) if api is Api.ANTHROPIC else _openai_text(answer)
        tokens = _tokens(answer.get("usage"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None
    return Said(text, tokens) if isinstance(text, str) else None


def _openai_text(answer: Any) -> Any:
    content = answer["choices"][0]["message"]["content"]
    return "".join(part.get("text", "") for part in content) if isinstance(content, list) else content


def _anthropic_text(answer: Any) -> Any:
    blocks = answer["content"]
    called = next((block["input"] for block in blocks if block["type"] == "tool_use" and block["name"] == TOOL), None)
    return json.dumps(called) if called is not None else "".join(b["text"] for b in blocks if b["type"] == "text")


def _tokens(usage: Any) -> int:
    if not isinstance(usage, dict):
        return 0
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")]
    return sum(count for count in counts if type(count) is int and count > 0)
