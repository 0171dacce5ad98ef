"""The person's reason for refusing a tool call, in a Claude Code tool record.

The harness wraps the reason in a fixed sentence. A tool's own output could imitate that sentence, so the record must
also say, outside the output, that the call was refused.
"""

from collections.abc import Mapping

from habitus_tasks.parse.jsonio import as_list, as_map, as_text
from habitus_tasks.parse.words import own_text

_REFUSED = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:\n"
_NOTE = "\n\nNote: The user's next message may contain a correction"
_MARKS = (f"Error: {_REFUSED}", _REFUSED, "User rejected tool use", "Error: User rejected tool use")


def refusal_reason(record: Mapping[str, object], block: Mapping[str, object], tool: str) -> str:
    """The person's words in a refused call's result block; empty when it is none or holds no reason.

    Args:
        record: the user record.
        block: one of its ``tool_result`` blocks.
        tool: the name of the tool that was called; the errors of an ``mcp__`` tool are a server's own text, so for
            these only the harness's ``toolDenialKind`` counts.
    """
    text = result_text(block)
    if block.get("is_error") is not True or not text.startswith(_REFUSED):
        return ""
    told = as_text(record.get("toolUseResult")).startswith(_MARKS) and not tool.startswith("mcp__")
    if not (told or as_text(record.get("toolDenialKind"))):
        return ""
    return own_text(text.partition(_SAID)[2].partition(_NOTE)[0])


def result_text(block: Mapping[str, object]) -> str:
    """The text of a ``tool_result`` block."""
    content = block.get("content")
    parts = [as_text(as_map(part).get("text")) for part in as_list(content)]
    return "\n".join(parts) if parts else as_text(content)
