"""Words of the person, quoted: long quotations, words announced by "wrote:", and the first person singular."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_QUOTED = re.compile(
    r"""
      "[^"\s]+(?:\s+[^"\s]+){5,}\s*"
    | (?<!\w)'[^'\s]+(?:\s+[^'\s]+(?:'\w+)?){5,}\s*'(?!\w)
    | \b(?:said|says|wrote|writes|quote|quoted|quoting|verbatim|typed|literally|saying|words|told\s\w{1,40}|answered|
        replied|message|exclaimed)\s?:\s*["']?\w+(?:[\s,]+[\w']+){3,}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_UNQUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
_FIRST_PERSON = re.compile(r"\b(?:my|mine|myself|me|i'm|i've|i'd|i'll)\b", re.IGNORECASE)


def catches(text: str) -> bool:
    """Whether the text quotes the person at length or speaks as the person."""
    if _QUOTED.search(text) is not None:
        return True
    return _FIRST_PERSON.search(_UNQUOTED.sub(" ", text)) is not None


BARRIER = Barrier("quoted_text", Code.PRIVATE_QUOTED_TEXT, catches, frozenset("\"':") | {"my", "mine", "myself", "me"})
