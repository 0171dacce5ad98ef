"""Disguised characters: other scripts, homoglyphs, fullwidth and styled letters, zero-width, bidi, control characters.

Fails closed: every character must be printable ASCII, a line break, a Latin letter that NFKC leaves alone, or one of
the typographic marks and status emoji below. Runs on the text as it came, before it is folded.
"""

import re
import unicodedata

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

TYPOGRAPHY = "…–—―‘’‚“”„‹›«»†‡•‣⁂°§¶¬¦©®±×÷µ²³½¼¾€£¥\u00a0\u202f"
"""Marks that a note about form may show or name."""
EMOJI = "🎉🚀👍👎🙂🙃😀😃😄😅😊😉😂🤔🙏🔥💡📌📝🔍🔧🐛🎯💯👀👋👏💪🟢🔴🟡📊📋📁🤖"
"""Emoji that answers are decorated with. Others, flags and letters above all, can spell."""
_BLOCKS = (
    range(0x2190, 0x2336),
    range(0x237B, 0x2400),
    range(0x2500, 0x27C0),
    range(0x2900, 0x2980),
    range(0x2B00, 0x2C00),
)
"""Arrows, mathematics, keys, boxes, shapes and status signs, without the letters of APL."""
_LOOKALIKES = "∂∆∏∑∕∖∗∙∣∧∨∩∪∶⋀⋁⋂⋃⋅╱╲╳❘➖∊∍∈∋"
"""Signs of these blocks that read as a letter, a slash, a dot or a colon."""
_SELECTOR = "\ufe0f"


def _unchanged(codes: range, kinds: str) -> str:
    """The characters of these general categories that NFKC leaves as they are."""
    characters = map(chr, codes)
    return "".join(
        c for c in characters if unicodedata.category(c) in kinds.split() and unicodedata.normalize("NFKC", c) == c
    )


_LATIN = _unchanged(range(0xC0, 0x180), "Lu Ll")
_SIGNS = "".join(_unchanged(block, "Sm So Ps Pe") for block in _BLOCKS).translate(dict.fromkeys(map(ord, _LOOKALIKES)))
_MARKS = re.escape(TYPOGRAPHY + EMOJI + _SIGNS)
_REFUSED = re.compile(f"[^\\x20-\\x7e\\n\\r\\t{_MARKS}{_LATIN}]")
_SELECTED = re.compile(f"(?<=[{_MARKS}]){_SELECTOR}")


def catches(text: str) -> bool:
    """Whether any character is not an allowed one."""
    if text.isascii():
        return _REFUSED.search(text) is not None
    return _REFUSED.search(_SELECTED.sub("", unicodedata.normalize("NFC", text))) is not None


_STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("‘’‚‹›", "'"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("–—―−", "-"),
        "⁄": "/",
        _SELECTOR: "",
    }
)


def fold(text: str) -> str:
    """The text in NFKC with straight quotes and plain hyphens, as the other barriers read it."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_STRAIGHT)


BARRIER = Barrier("characters", Code.PRIVATE_EVASION, catches)
