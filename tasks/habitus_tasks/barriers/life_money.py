"""Amounts in words: what somebody has left, makes, owes, has put aside. Kinds of `life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    (
        "left saved aside name",
        r"\b(?:hundred|thousand)\s(?:left|saved|(?:put|set)\saside|(?:left\s)?to\stheir\sname)(?:ENDS|\sfor\b)",
    ),
    ("left", r"\bNUMBER\sleft\s(?:till|until|(?:for\s)?(?:this|the)\s(?:week|month))\b"),
    ("hour day week month", r"\bLARGE\s(?:a|an|per|each|every)\s(?:hour|day|week|month)\b"),
    (
        "make makes making made saved borrowed lost spent",
        r"\b(?:make|makes|making|made|saved|borrowed|lost|spent)\s"
        r"(?:\w{1,12}\s){0,2}LARGE(?:ENDS|\s(?:a|an|per|from|for|on)\s)",
    ),
    ("takes took", r"\bt(?:akes|ook)\shome\s(?:\w{1,12}\s){0,2}NUMBER\b"),
    ("owe owes owed", r"\bowe[sd]?\s(?:\w{1,20}\s){0,2}NUMBER\b"),
    ("last", r"\b(?:down\sto|on|with)\s(?:the|their)\slast\sNUMBERENDS"),
)
