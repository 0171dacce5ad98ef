"""Words of the person, quoted: long quotations, words announced by "wrote:", and the first person singular.

An assistant that justifies a preference says "I" of itself: 'asked me to stop', 'cut my replies'. That is not quoted.
"""

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
_WORD = (
    "a absolutely adjust ai all an and answer any anything apologi[sz]e are as assist assistant be below can certainly "
    "changes? clarify code conclusion confusion could course did do else explain feel for free full further glad good "
    "great happy has have help helps here hope how i i'm if in is it know language let like list me mistake model more "
    "need needed no of okay or other out please question questions reach right short some something sorry step steps "
    "sum summari[sz]e summary sure tell thanks? that the there this to today up updated version want what with would "
    "yes you you're your"
)
_STOCK = re.compile(rf"([\"'])(?:(?:{_WORD.replace(' ', '|')})\b[\s,.!?:]*)+\1(?!\w)", re.IGNORECASE)
"""What assistants say to anybody, quoted ("Let me know if you need anything else"): nothing is the person's."""
_UNQUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
_OWN_WORK = (
    "answers? bullets closings? code commits? diffs? drafts? edits? examples? explanations? fences? functions? "
    "headings? intros? lines? lists? messages? output outputs paragraphs? plans? preambles? questions? reply replies "
    "responses? script scripts sentences? snippets? steps? suggestions? summar(?:y|ies) tables? versions? wording"
).replace(" ", "|")
_ASSISTANT = re.compile(
    rf"""
      \b(?:asked|told|wants|wanted|reminded|corrected|instructed|expects|expected)\sme\b
    | \bmy\s(?:(?:own|last|latest|first|second|previous|earlier|long|short|whole|usual)\s)?(?:{_OWN_WORK})\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""The assistant that speaks of itself and of what it wrote."""
_FIRST_PERSON = re.compile(r"\b(?:my|mine|myself|me|i'm|i've|i'd|i'll)\b", re.IGNORECASE)


def catches(text: str) -> bool:
    """Whether the text quotes the person at length or speaks as the person."""
    if _QUOTED.search(_STOCK.sub(" ", text)) is not None:
        return True
    return _FIRST_PERSON.search(_ASSISTANT.sub(" ", _UNQUOTED.sub(" ", text))) is not None


BARRIER = Barrier("quoted_text", Code.PRIVATE_QUOTED_TEXT, catches, frozenset("\"':") | {"my", "mine", "myself", "me"})
