"""Claude Code session files: JSON Lines, one record a line, an internal format that changes between versions.

What a person said is told by the kind and origin of its record (allow-list). Sources of fields and kinds:
https://code.claude.com/docs/en/sessions, https://code.claude.com/docs/en/hooks, and session files up to version 2.1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from habitus_schema.transcript import Format, Transcript, TurnKind
from habitus_tasks.parse.actions import Act, acts
from habitus_tasks.parse.branches import Branches
from habitus_tasks.parse.claude_answers import typed_answers
from habitus_tasks.parse.claude_refusals import refusal_reason
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, moment, unique_id
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import is_slash_command, own_text

_HARNESS_FLAGS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_TOOL_FIELDS = ("toolUseResult", "sourceToolAssistantUUID", "toolDenialKind", "planContent")
_HUMAN_SOURCES = (None, "typed", "queued")
_MEMORY_OPEN, _MEMORY_CLOSE = "<user-memory-input>", "</user-memory-input>"
_QUIET = frozenset(
    {"system", "summary", "progress", "queue-operation", "file-history-snapshot", "last-prompt", "custom-title"}
    | {"ai-title", "agent-name", "mode", "permission-mode", "pr-link", "tag", "attachment", "bridge-session"}
)
_OPEN_CALLS = 64
"""The most tool calls kept while their result is awaited (an agent runs a handful side by side)."""


def read_records(records: Iterable[object], limits: Limits) -> Transcript:
    """The transcript of one session file.

    Args:
        records: the decoded lines; anything but an object counts as a bad record.
        limits: what is kept at most.

    Raises:
        TranscriptError: TOO_LARGE, when it has more records than the limits allow.
    """
    reader = _Reader(limits)
    for record in records:
        reader.take(as_map(record))
    return reader.transcript()


class _Reader:
    def __init__(self, limits: Limits) -> None:
        self._log = TurnLog(limits)
        self._longest = limits.turn_chars
        self._tree = Branches(limits.records)
        self._calls: dict[str, tuple[str, Act]] = {}
        self._reply = ""
        self._said: set[str] = set()
        self._queued: dict[str, int] = {}
        self._session = ""

    def transcript(self) -> Transcript:
        self._tree.settle()
        return self._log.transcript(Format.CLAUDE_CODE, self._session, lambda at, _: self._tree.live(at))

    def take(self, record: Mapping[str, object]) -> None:
        kind = as_text(record.get("type"))
        self._session = as_text(record.get("sessionId")) or self._session
        self._log.saw(moment(record.get("timestamp")))
        if kind not in ("user", "assistant"):
            self._other(kind, record)
            return
        self._log.messages += 1
        if record.get("isSidechain") is True or record.get("agentId"):
            self._place(record)
        elif kind == "assistant":
            self._assistant(record)
        else:
            self._user(record)

    def _other(self, kind: str, record: Mapping[str, object]) -> None:
        attachment = as_map(record.get("attachment"))
        if kind == "attachment" and attachment.get("type") == "queued_command":
            self._queued_command(record, attachment)
            return
        self._log.skipped += kind not in _QUIET
        self._place(record, neutral=True)

    def _place(self, record: Mapping[str, object], *, prompt: bool = False, neutral: bool = False) -> bool:
        """Put a record into the tree; whether it is new (False for a copy of an earlier one)."""
        uuid = as_text(record.get("uuid"))
        if not uuid:
            self._log.at = -1
            return True
        parent = as_text(record.get("parentUuid")) or as_text(record.get("logicalParentUuid")) or None
        if "parentUuid" not in record:
            parent = parent or ""
        number = self._tree.add(uuid, parent, prompt=prompt, neutral=neutral)
        self._log.at = -1 if number is None else number
        return number is not None

    def _user(self, record: Mapping[str, object]) -> None:
        content = as_map(record.get("message")).get("content")
        results = [as_map(block) for block in as_list(content) if as_map(block).get("type") == "tool_result"]
        if results or any(record.get(field) is not None for field in _TOOL_FIELDS):
            if self._place(record):
                self._results(record, results)
            return
        text = "" if any(record.get(flag) is True for flag in _HARNESS_FLAGS) else _prompt(record, content)
        new = self._place(record, prompt=bool(text), neutral=not text)
        if new and text and self._queued.pop(text, None) is None:  # else the harness repeats a queued message
            self._say(text, unique_id(record.get("uuid")))

    def _say(self, text: str, identity: str) -> None:
        kind = TurnKind.MESSAGE
        if text.startswith(_MEMORY_OPEN):
            kind, text = TurnKind.MEMORY, text.removeprefix(_MEMORY_OPEN).partition(_MEMORY_CLOSE)[0]
        elif _is_memory_note(text):
            kind, text = TurnKind.MEMORY, text[1:]
        self._log.person(text, kind, identity)

    def _results(self, record: Mapping[str, object], results: list[Mapping[str, object]]) -> None:
        outcome, identity = as_map(record.get("toolUseResult")), unique_id(record.get("uuid"))
        for block in results:
            name, act = self._calls.pop(as_text(block.get("tool_use_id")), ("", None))
            self._log.person(refusal_reason(record, block, name), TurnKind.REFUSAL, identity)
            if name == "AskUserQuestion":
                for answer in typed_answers(outcome):
                    self._log.person(answer, identity=identity)
            if act and outcome.get("userModified") is True:
                kept = next(acts(name, outcome), None)
                if kept and kept.text and kept.text != act.text:
                    self._log.edit(act.text, kept.text, act.path, identity)

    def _queued_command(self, record: Mapping[str, object], attachment: Mapping[str, object]) -> None:
        """A message typed while the assistant worked: it may exist in this form only."""
        origin = attachment.get("origin", record.get("origin"))
        human = as_map(origin).get("kind") == "human" if origin is not None else True
        human = human and attachment.get("commandMode") in (None, "prompt") and record.get("isMeta") is not True
        text = _own_blocks(attachment.get("prompt")) if human and not record.get("isSidechain") else ""
        if self._place(record, neutral=not text) and text and not is_slash_command(text):
            self._queued[text] = self._log.messages
            identity = unique_id(attachment.get("source_uuid")) or unique_id(record.get("uuid"))
            self._log.messages += 1
            self._say(text, identity)

    def _assistant(self, record: Mapping[str, object]) -> None:
        new = self._place(record)
        message = as_map(record.get("message"))
        harness = any(record.get(flag) is True for flag in _HARNESS_FLAGS) or message.get("model") == "<synthetic>"
        if harness or not new:
            return
        content = message.get("content")
        for block in as_list(content) or [{"type": "text", "text": content}]:
            self._block(as_text(message.get("id")), as_map(block))

    def _block(self, message_id: str, block: Mapping[str, object]) -> None:
        kind = block.get("type")
        call, text = as_text(block.get("id")), as_text(block.get("text"))
        if kind not in ("text", "tool_use") or self._is_repeated(message_id, call or text):
            return
        if kind == "text":
            self._log.assistant(text)
            return
        name = as_text(block.get("name"))
        for act in acts(name, block.get("input")):
            self._log.action(act.kind, act.text, act.path)
            self._calls[call] = (name, replace(act, text=act.text[: self._longest]))
        if len(self._calls) > _OPEN_CALLS:
            del self._calls[next(iter(self._calls))]

    def _is_repeated(self, message_id: str, what: str) -> bool:
        """Whether the same block of the same reply was written before (streams write a reply line by line)."""
        if message_id != self._reply or not message_id:
            self._reply, self._said = message_id, set()
        repeated = what in self._said
        self._said.add(what)
        return repeated


def _prompt(record: Mapping[str, object], content: object) -> str:
    """The text a person typed in a user record that is neither a tool's nor the harness's; else empty."""
    origin = record.get("origin")
    if origin is not None and as_map(origin).get("kind") != "human":
        return ""
    if record.get("promptSource") not in _HUMAN_SOURCES or as_map(record.get("message")).get("role") != "user":
        return ""
    if as_text(content).lstrip().startswith(_MEMORY_OPEN):
        return as_text(content).strip()
    text = _own_blocks(content)
    built = text.startswith("Implement the following plan:") and record.get("parentUuid", "") is None
    return "" if built or is_slash_command(text) else text


def _own_blocks(content: object) -> str:
    if isinstance(content, str):
        return own_text(as_text(content))
    blocks = [as_map(block) for block in as_list(content)]
    texts = [own_text(as_text(block.get("text"))) for block in blocks if block.get("type") == "text"]
    return "\n\n".join(text for text in texts if text)


def _is_memory_note(text: str) -> bool:
    """A one-line note typed after '#', the memory mode of the input line; a heading of a pasted text has more."""
    return text[0] == "#" and len(text) > 1 and (text[1].isalpha() or text[1] == " ") and "\n" not in text
