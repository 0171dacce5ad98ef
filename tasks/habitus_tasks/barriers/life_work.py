"""Turns of phrase about somebody's job: how it ends, warnings, leaving, looking for one. Kinds of `life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    ("let", r"(?:PASSIVE|^)let\sgo\b(?!\sof)"),
    (
        "pushed forced cut passed",
        r"(?:PASSIVE|^)(?:(?:pushed|forced)\sout|cut\sloose|passed\sover(?!\s(?:to|in|by)))\b",
    ),
    ("replaced dismissed redundant", r"PASSIVE(?:made\s)?(?:replaced|dismissed|redundant)ENDS"),
    ("turned", r"\bturned\sdown\sfor\s(?:a|the|their)\s(?:\w{1,20}\s)?(?:post|position|role|raise|place)\b"),
    ("leave quit", r"PASSIVE(?:asked|told|made|forced)\s(?:to\s)?(?:leave|quit)(?:ENDS|\sby\b)"),
    ("go", r"PASSIVE(?:asked|told)\sto\sgo(?=\W{0,3}$|[,;]|\s(?:by|before|next|this)\b)"),
    ("warning", r"\b(?:performance|written|verbal|(?:their|on\sa|got\sa)\s(?:first|second|last|final))\swarning\b"),
    (
        "performance improvement",
        r"\bperformance\s(?:plan|rating|talk)\b|\b(?:performance|an|their)\simprovement\splan\b",
    ),
    (
        "hand hands handed handing",
        r"\bhand(?:s|ed|ing)?\sin\s(?:a|the|their)\s(?:\w{1,20}\s)?(?:badge|keys|notice|resignation)\b",
    ),
    ("last final", r"\btheir\s(?:last|final)\s(?:days?|weeks?|month)\s(?:at|in|here|there)\b"),
    ("last", r"\bwork(?:s|ing)?\sout\stheir\slast\b"),
    ("offer", r"\b(?:got|has|had|signed|received)\s(?:an|the|another)\s(?:\w{1,20}\s)?offer\b(?!\s(?:of|to)\b)"),
    ("work", r"\b(?:without|off|looking\sfor)\sworkENDS|\bback\s(?:at|to)\swork\s(?:after|from)\b"),
    ("new", r"\bstart(?:s|ed|ing)?\s(?:at|with)\s(?:a|the|their)\snew\s(?:place|one|post|position)\b"),
    ("being", r"\b(?:team|unit|group|post|position)\sis\sbeing\s(?:cut|closed)\b"),
    ("left", r"\b(?:last|only)\s(?:one|person)\sleft\s(?:on|in|at)\s(?:the|their)\s(?:team|group|unit)\b"),
)
