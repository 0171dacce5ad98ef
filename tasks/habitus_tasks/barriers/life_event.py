"""What happened to somebody, and when: since the split, after it happened, until a date. Kinds of `life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    (
        "split crash move fall loss scare breakdown operation cuts raise review case results",
        r"\b(?:since|because\sof)\s(?:a|the|their)\s(?:\w{1,20}\s)?"
        r"(?:split|crash|move|fall|loss|scare|breakdown|operation|cuts|raise|review|case|results)ENDS",
    ),
    (
        "split crash move fall loss scare breakdown operation cuts",
        r"\b(?:after|until|over)\s(?:the|their)\s(?:split|crash|move|fall|loss|scare|breakdown|operation|cuts)ENDS",
    ),
    ("scare fall loss breakdown", r"\bhad\sa\s(?:\w{1,20}\s)?(?:scare|fall|loss|breakdown)ENDS"),
    ("results", r"\b(?:until|till|before|when)\s(?:the|their)\s(?:\w{1,20}\s)?results\sc[oa]me\s(?:back|through)\b"),
    ("happened", r"\b(?:since|after|because\sof)\s(?:it|that|this|everything|what)\s(?:all\s)?happened\b"),
    ("went", r"\bthe\s(?:move|review|case|scan|operation)\swent\s(?:badly|wrong)\b"),
    ("up", r"\bg(?:et|ets|etting)\sup\sat\sNUMBER\b"),
    ("done", r"\bwhat\swas\sdone\sto\sthem\b"),
    ("since until till", r"\b(?:since|until|till)\s(?:19|20)\d\d-\d\d-\d\d\b"),
    (
        "since until till",
        r"\b(?:since|until|till)\s(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?)?"
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\s(?:\d{1,2},?\s)?(?:19|20)\d\d\b",
    ),
    (
        "monday tuesday wednesday thursday friday saturday sunday",
        r"\b(?:next|last|this|coming|by|before|until|till|since)\s(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    ),
)
