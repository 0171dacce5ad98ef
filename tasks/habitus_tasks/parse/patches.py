"""Codex patches (``*** Begin Patch``): one act for each file they touch."""

import re
from collections.abc import Iterator

from habitus_schema.transcript import ActionKind

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_SECTION = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


def patch_actions(text: str) -> Iterator[tuple[ActionKind, str, str]]:
    """Kind, text and path for each file of the patch in ``text``; nothing when there is none.

    A new file is a WRITE with its content; any other section is an EDIT with the patch's own lines.
    """
    _, begin, body = text.partition(_BEGIN)
    if not begin:
        return
    body = body.partition(_END)[0]
    sections = list(_SECTION.finditer(body))
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        lines = body[section.end() : following.start() if following else len(body)].strip("\n")
        if section[1] == "Add":
            added = "\n".join(line.removeprefix("+") for line in lines.split("\n"))
            yield ActionKind.WRITE, added, section[2].strip()
        else:
            yield ActionKind.EDIT, lines, section[2].strip()
