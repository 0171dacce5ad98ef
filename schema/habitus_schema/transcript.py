"""A transcript as the readers hand it on: who said what. These objects hold content and never leave the content zone.

Their ``repr`` is switched off, so that no traceback, log line or debugger dump can show what they hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Format(StrEnum):
    """The transcript formats habitus reads."""

    HABITUS = "habitus"
    CLAUDE_CODE = "claude_code"
    CODEX_ROLLOUT = "codex_rollout"
    OPENAI_CHAT = "openai_chat"
    OPENAI_RESPONSES = "openai_responses"
    ANTHROPIC_MESSAGES = "anthropic_messages"
    CHATGPT_EXPORT = "chatgpt_export"
    GEMINI_CLI = "gemini_cli"
    OPENCODE = "opencode"
    CURSOR = "cursor"
    AIDER = "aider"
    SPECSTORY = "specstory"


class Speaker(StrEnum):
    """The only two voices that survive reading. Tools, systems, hooks, summaries and sub-agents do not."""

    PERSON = "person"
    ASSISTANT = "assistant"


class TurnKind(StrEnum):
    """How the words came."""

    MESSAGE = "message"
    """An ordinary message."""
    REFUSAL = "refusal"
    """The person's reason for refusing a tool call."""
    MEMORY = "memory"
    """A note the person typed as memory input ('#')."""
    EDIT = "edit"
    """The person changed what the assistant proposed: `proposed` and `kept` hold the two versions."""
    ACTION = "action"
    """The assistant acted through a tool: wrote, edited, or ran something."""


class ActionKind(StrEnum):
    """What an assistant's tool call does, as far as its form matters."""

    WRITE = "write"
    EDIT = "edit"
    COMMAND = "command"
    PLAN = "plan"
    ASK = "ask"
    OTHER = "other"


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """One message or act of one speaker.

    Attributes:
        text: the whole text as the speaker wrote it. For an ACTION the written content, the new text of an edit, or
            the command line.
        prose: for the person, `text` without what is not their own prose (fenced blocks, quotes, pasted logs and
            mails), each blanked to one ``\\n\\u2060\\n`` mark so that sentences do not run together; else empty.
        identity: the message's identity in its own format (a uuid), or empty when it has none.
        action: what kind of act it was, for an ACTION.
        path: the file an ACTION touched (its last name only matters: README.md, test_x.py); else empty.
        proposed, kept: for an EDIT.
    """

    speaker: Speaker
    text: str
    prose: str = ""
    kind: TurnKind = TurnKind.MESSAGE
    identity: str = ""
    action: ActionKind | None = None
    path: str = ""
    proposed: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Transcript:
    """One session, read.

    Attributes:
        session_id: the format's own session id; empty when it has none (the submitter then makes one).
        user_id, tenant_id, task_context: from a native envelope, else empty.
        ended_at: time zone aware, or None when the transcript has no time.
        turns: in the order of the conversation, the live branch only.
        messages: records that were messages of any role, whoever spoke.
        skipped: bad or unknown records that were counted and passed over.
    """

    format: Format
    session_id: str
    turns: Sequence[Turn]
    user_id: str = ""
    tenant_id: str = ""
    task_context: str = ""
    ended_at: datetime | None = None
    messages: int = 0
    skipped: int = 0

    @property
    def own_messages(self) -> int:
        """How many messages are the person's own words."""
        return sum(turn.speaker is Speaker.PERSON and turn.kind is not TurnKind.EDIT for turn in self.turns)
