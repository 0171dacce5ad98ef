"""Whom somebody is with, and who they are: a partner, a child on the way, a changed name. Kinds of `life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    ("half", r"\btheir\s(?:other|better)\shalf\b(?!\s(?:of|in|as)\b)|\bthe\sbetter\shalf\b(?!\s(?:of|in)\b)"),
    (
        "someone",
        r"\b(?:met|loves?|found|lost|misses|missing|seeing|dating|hid(?:es|ing)\sfrom)\ssomeone(?!'s|\selse's)\b",
    ),
    ("single", r"(?:^|[.;,]\s|\b(?:they|user|who)\s)(?:is|are|being)\s(?:newly\s)?single(?:\sagain)?ENDS"),
    ("broke", r"\bbroke\sup\s(?:with\s(?:a|the|their|someone)|last|recently|this)\b"),
    ("breaking broken", r"\bbr(?:eaking|oken)\sup\swith\s(?:their|someone)\b"),
    ("little", r"\b(?:the|their)\slittle\sone\b|\btheir\slittle\sones\b"),
    (
        "expecting",
        r"\bis\sexpecting\sa\b|\b(?:is|are)\sexpecting(?:ENDS|\s(?:in|soon|any\sday|their\s(?:first|second))\b)",
    ),
    ("way", r"\b(?:first|second|third|another|one)\s(?:is\s)?on\sthe\sway\b(?!\sto)"),
    ("trying", r"\btrying\sfor\s(?:a|the|another|their)\s(?:first|second|third|one)\b(?!\s(?:pass|time|try))"),
    (
        "name",
        r"\b(?:changed|changing|changes)\stheir\s(?:\w{1,20}\s)?name\b"
        r"|\bgo(?:es|ing)?\sby\s(?:a|another|their|the)\s(?:new|old)\sname\b",
    ),
    ("grew grown growing", r"\bgr(?:ew|own|owing)\sup\s(?:in|with|on|there|here|as|without)\b"),
    (
        "came come coming",
        r"(?:PASSIVE|^|\b(?:they|user|who)\s)(?:came|come|coming)\sout"
        r"(?=\W{0,3}$|[,;]|\s(?:last|this|recently|as\s(?:gay|trans)|to\stheir|and\swants?)\b)",
    ),
)
