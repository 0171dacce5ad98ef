"""Courts, police and prison without a word of theirs: the stand, the other party, time done. Kinds of `life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    ("stand", r"\bt(?:ake|akes|aking|ook)\sthe\sstand(?:ENDS|\son\b)"),
    ("evidence", r"\bg(?:ave|iving)\sevidence(?=\W{0,3}$|[,;]|\s(?:last|this|next|against|before|and)\b)"),
    ("party side", r"\bthe\sother\sparty\b|\bopposing\s(?:side|party)\b"),
    ("side", r"\bother\sside\s(?:in|of)\s(?:a|the|this|their)\s(?:case|matter)\b"),
    ("bail", r"\b(?:on|made|got|granted)\sbail\b(?!\s(?:out|early))"),
    (
        "matter case inquiry suit",
        r"\b(?:the|their|a|this)\s(?:matter|case|inquiry|suit)\s"
        r"(?:is|stays|remains)\s(?:still\s)?(?:open|pending|heard|tried|ongoing)ENDS",
    ),
    ("caught", r"\bcaught\swith\s(?:it|something)\b"),
    (
        "questioned charged arrested",
        r"PASSIVE(?:questioned|charged|arrested)ENDS|PASSIVE(?:questioned|charged)\s(?:about|by|over|with|twice)\b",
    ),
    ("picked", r"PASSIVEpicked\sup\s(?:by|last|at\sthe)\b"),
    ("inside", r"\binside\sfor\s(?:\w{1,12}\s){1,3}(?:days|weeks|months|years)\b"),
    (
        "get gets",
        r"\bgets?\sout\s(?:in|after)\s(?:NUMBER|a\sfew|some)\s(?:days|weeks|months|years)\b"
        r"|\bgets?\sout\snext\s(?:week|month)\b",
    ),
    ("leave", r"\bleave\sto\s(?:stay|remain)\b"),
    ("time", r"\bd(?:id|oes)\stime(?:ENDS|\s(?:for|inside)\b)"),
    ("talk speak", r"\b(?:cannot|can't|may\snot)\s(?:talk|speak)\sabout\s(?:it|the\scase)ENDS"),
)
