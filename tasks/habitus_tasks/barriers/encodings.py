"""Text in an encoding: percent, HTML entities, backslash escapes, quoted-printable, hexadecimal bytes, Morse."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier

_ENCODED = re.compile(
    r"""
      [A-Za-z_]%[0-9A-Fa-f]{2}                                  # ab%40, not 80% of
    | %[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2}|[A-Za-z_])              # %48%61, %20R
    | &(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});       # &#47; &amp;
    | \\(?:u\{?[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|U[0-9A-Fa-f]{8}|[0-7]{3})
    | =[0-9A-F]{2}=[0-9A-F]{2}
    | (?<![\w.:-])(?:[0-9A-Fa-f]{2}[ :,-]{1,2}){3,}[0-9A-Fa-f]{2}(?!\w)  # 6f 6b 6f 6e
    | \b0x[0-9A-Fa-f]{5}
    | U\+[0-9A-Fa-f]{4,6},?\s?U\+                               # one code point may be named, not a row of them
    """,
    re.VERBOSE,
)
_MORSE = re.compile(r"(?<!\S)(?=[./ -]{0,60}(?:\.-|-\.))[.-]{1,6}(?:[ /]{1,3}[.-]{1,6}){2}(?!\w)")


def catches(text: str) -> bool:
    """Whether the text holds encoded text."""
    return _ENCODED.search(text) is not None or _MORSE.search(text) is not None


BARRIER = Barrier("encodings", Code.PRIVATE_EVASION, catches, frozenset("%&\\=+-") | {":", A_DIGIT})
