"""What somebody's body does not do: senses, hands, reading, concentration, and what tests showed. Kinds of
`life_phrase`."""

from habitus_tasks.barriers.life_pattern import by_word

KINDS = by_word(
    (
        "walk sit sleep eat breathe focus concentrate",
        r"CANNOT(?:\w{1,20}\s)?(?:walk|sit|sleep|eat|breathe|focus|concentrate)\b(?!\s(?:through|with))",
    ),
    ("small", r"CANNOT(?:make\sout|read)\s(?:the\s)?small\b"),
    ("feel", r"CANNOTfeel\s(?:a|the|their)\b"),
    ("type", r"CANNOTtype(?:ENDS|\s(?:much|long|fast)\b)"),
    ("well", r"(?:CANNOT|\b(?:not|hardly|barely)\s)(?:see|hear|walk|sleep|type)\s(?:\w{1,20}\s)?well\b"),
    ("well", r"\b(?:is|are|was|been)\snot\swellENDS"),
    ("hand hands", r"\bhands?\s(?:that\s)?(?:shakes?|shook|shaking|trembles?|hurts?)\b"),
    (
        "hand hands",
        r"\b(?:shaking|shaky|weak|bad|one\sgood)\shands?\b|\buse\sof\s(?:a|one|the|their)\s(?:left\s|right\s)?hand\b",
    ),
    ("hand hands", r"CANNOTuse\s(?:a|one|the|their|either)\s(?:\w{1,12}\s)?hands?\b"),
    ("reader readers", r"\bscreen[\s-]readers?\b"),
    (
        "trouble difficulty difficulties struggles problems time",
        r"\b(?:trouble|difficulty|difficulties|struggles|problems|hard\stime)\s(?:in\s|with\s)?"
        r"(?:focusing|reading|seeing|hearing|typing|concentrating|sleeping|walking|remembering)\b",
    ),
    ("reading", r"\breading\s(?:is|comes)\s(?:\w{1,20}\s)?(?:slow|hard|difficult)\s(?:for|to)\s(?:them|the\suser)\b"),
    ("attention", r"\btheir\sattention\s(?:is\s(?:gone|all\sover)|wanders|drifts|slips|fails)\b"),
    ("red green colours colors", r"\btell(?:s|ing)?\s(?:the\s)?(?:red|green|colou?rs)\s(?:from|apart)\b"),
    ("letters", r"\bletters\s(?:that\s)?(?:jump|move|blur|float|swim|dance)\b"),
    ("double", r"\bsee(?:s|ing)?\sdouble(?=\W{0,3}$|[.,;]|\s(?:and\s(?!single|triple)|but|so|since|at)\b)"),
    ("positive negative", r"\b(?:tested|c[oa]me\sback)\s(?:positive|negative)ENDS"),
    ("scan scans", r"\bscans?\s(?:showed\ssomething|c[oa]me\sback)\b"),
    ("waiting", r"\bon\s(?:a|the)\swaiting\slist\b"),
    ("open", r"\b(?:was|were|be|been|being)\scut\sopen\b"),
)
