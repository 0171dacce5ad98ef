"""A crisis, and what somebody goes without: an end to it all, no way out, weeks without sleep. Kinds of
`life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    ("end ends ending ended", r"\bend(?:s|ed|ing)?\sit\sall\b"),
    (
        "end ending",
        r"\b(?:wants\sto|thinks\sof|thoughts\sof|thinking\s(?:of|about)|feels?\slike|feeling\slike|ready\sto|tried\sto)"
        r"\send(?:ing)?\s(?:it|things|everything)\b(?!\s(?:with|on|by|in|at|here)\b)",
    ),
    ("out", r"\bwants?\sout\sof\s(?:it\sall|everything)\b"),
    ("way", r"\bno\s(?:other\s)?way\sout\b(?!\sof)"),
    (
        "going go carry",
        r"CANNOT(?:keep\sgoing|go\son|carry\son)(?:ENDS|\s(?:like|much|any))",
    ),
    ("take", r"CANNOTtake\s(?:it|(?:much|any)\smore)ENDS"),
    ("stop", r"CANNOTstop\s(?:thinking|crying)\b|\bit\sall\sto\sstop\b"),
    (
        "face",
        r"CANNOTface\s(?:people|anyone|anything|the\s(?:day|world)|(?:an)?other\sday)\b",
    ),
    ("here", r"\bnot\s(?:want\sto\s)?(?:be|being)\shere\s(?:any|much)"),
    ("matters", r"\bnothing\smatters\b(?!\smore)"),
    ("edge", r"\bon\sthe\sedge\b(?!\s(?:of|case))"),
    (
        "going go living live",
        r"\bno\s(?:point|reason|will)\s(?:in|to)\s(?:go(?:ing)?\son|liv(?:e|ing))\b",
    ),
    (
        "feel feels feeling",
        r"\b(?:they\sfeel|(?:user|who)\sfeels|feeling)\s"
        r"(?:like\s)?(?:giving\sup|nothing|alone|empty|trapped|a\s(?:burden|failure))ENDS",
    ),
    ("over", r"\bnot\s(?:yet\s)?over\sit\b"),
    (
        "without",
        r"\b(?:days|weeks|months)\swithout\s(?:a\s)?(?:sleep|rest|work|food|drink|using)\b",
    ),
    ("clean sober dry", r"\b(?:days|weeks|months)\s(?:clean|sober|dry)\b"),
    ("left live", r"\b(?:has|have|had|given|with)\s(?:\w{1,20}\s)?NUMBER\s(?:days|weeks|months)\s(?:left|to\slive)\b"),
    ("weeks", r"\bweeks\s(?:pregnant|along|in\sbed)\b|\bat\sNUMBER\sweeks\b"),
    ("day", r"\bone\sday\sat\sa\stime\b"),
    ("used", r"\bused\sto\s(?:hit|hurt|beat|scare|follow)\sthem\b"),
    ("being", r"\b(?:they|user)\s(?:are|is)\sbeing\s(?:watched|followed)\b"),
)
