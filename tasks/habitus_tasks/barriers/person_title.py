"""Names that ordinary words would hide: titles before a name, first names that are words, initials, code names."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_WORD_NAMES = "Mark|Will|May|Bill|Drew|Frank|Grace|Rose|Hope|Faith|Joy|Art|Rich|Pat|Chase|Grant|Dean|Page|Max|Summer|Dawn|Guy|Rob|Sue|Gene|Ray|Jack|Miles|Rusty|Sandy|Penny|Bob|Dot|Case|Major|Young|Long|Brown|White|Black|Green|King|Price|Cook|Baker|Wood|Stone|Banks|Field|Fields|Wells|Marks|Short|Small|Little|Sharp"
_TITLED = re.compile(
    rf"""
      (?i:\b(?:mr|mrs|ms|mx|dr|prof|sr|sra|herr|frau|mme|monsieur|madame|sir|lady|lord|captain|capt|sgt|rev|fr)\b\.?)\s[A-Z]
    | (?i:\b(?:mr|mrs|ms|dr|prof)\b\.?)\s\w
    | \b(?:{_WORD_NAMES})(?:'s\s|\s(?:and\s\w+\s)?(?:wants|prefers|asks|asked|likes|insists|said|says|reviews|needs|hates|dislikes|wrote|approved|keeps))
    | \b(?:for|from|by|with|to|tell|ask|because|when|as|and)\s(?:{_WORD_NAMES})\b(?!\s\d)
    | (?i:\bcode[\s-]?name[ds]?\b|\b(?:operation|project|initiative|codename)\s(?-i:[A-Z])[a-z]+\b)
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text names a person or a project in one of these ways."""
    return _TITLED.search(text) is not None


BARRIER = Barrier("person_title", Code.PRIVATE_NAMED_ENTITY, catches, plain=True)
