"""Disguised characters: other scripts, homoglyphs, fullwidth and styled letters, zero-width, bidi, control characters.

Fails closed: every character must be printable ASCII, a line break, a Latin letter that NFKC leaves alone, or one of
the typographic marks and status emoji below. Runs on the text as it came, before it is folded.
"""

import re
import unicodedata

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

TYPOGRAPHY = "…–—―‘’‚“”„‹›«»→←↔↑↓⇒⇐⇔↳≤≥≈≠≡±×÷−·•‣◦▪■□●○★☆✓✔✗✘☐☑§¶°¬¦©®²³½¼¾€£¥\u00a0\u202f"
"""Marks that a note about form may show or name."""
EMOJI = "✅❌❎⚠❗❓⭐✨❤☕☀☺🎉🚀👍👎🙂🙃😀😃😄😅😊😉😂🤔🙏🔥💡📌📝🔍🔧🐛🎯💯👀👋👏💪✋🟢🔴🟡⏳⌛➡⬅🏁📊📋📁🤖"
"""Emoji that answers are decorated with. Anything else, flags and letters above all, can spell."""
_SELECTOR = "\ufe0f"


def _latin() -> str:
    letters = map(chr, range(0xC0, 0x180))
    return "".join(c for c in letters if c.isalpha() and unicodedata.normalize("NFKC", c) == c)


_REFUSED = re.compile(f"[^\\x20-\\x7e\\n\\r\\t{re.escape(TYPOGRAPHY + EMOJI + _latin())}]")
_SELECTED = re.compile(f"(?<=[{EMOJI}{TYPOGRAPHY}]){_SELECTOR}")


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
