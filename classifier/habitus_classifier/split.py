"""A compound preference as its statements, without a model: 'likes spicy food but avoids shellfish' is two.

Split at the ends of sentences and at conjunctions of contrast, in the languages that the classifier covers most; at a
plain 'and' only where a new statement begins with a verb of liking, so that 'tea and coffee' stays whole. What it does
not know it leaves whole. Linear in the text.
"""

import re
from collections.abc import Iterable
from functools import cache

from habitus_classifier.policy import Policy

READ = 2000
"""Characters of a preference that are read."""
_CONTRAST = (
    "but|however|although|though|whereas|while|yet|aber|jedoch|allerdings|sondern|mais|cependant|pero|sino|aunque|mas"
    "|porém|ma|però|tuttavia|maar|echter|ale|jednak|но|однако|але|проте|men|ama|fakat|ancak|tapi|nhưng"
)
_LIKING = (
    "likes?|loves?|prefers?|enjoys?|wants?|avoids?|hates?|dislikes?|needs?|refuses?|never|always|does not|doesn't"
    "|do not|don't|can't|cannot|is|has|mag|liebt|hasst|meidet|bevorzugt|isst|aime|déteste|évite|préfère|prefiere|odia"
    "|evita|prefere|gosta|ama|любит|избегает|предпочитает|lubi|unika|woli"
)


@cache
def _ends() -> re.Pattern[str]:  # compiled when it is needed: most readers never split a preference
    return re.compile(
        rf"[;；。！!]\s*|\.\s+(?=\w)|[,，]?\s+(?:{_CONTRAST})\s+|[，,]?(?:但是|不过|然而|但)|(?:だが、|けれど、|が、)"
        rf"|,?\s+(?:and|und|et|y|e|и|i|en)\s+(?=(?:{_LIKING})\b)",
        re.IGNORECASE,
    )


_LEAST = 4
"""Characters that a statement has; a shorter piece is no statement, and the text stays whole."""


def split_preference(text: str) -> tuple[str, ...]:
    """The statements of a preference in free text, in order; the text itself when it is one, or is not understood.

    Args:
        text: what is known of the person, in their or somebody's words.
    """
    pieces = [piece.strip(" ,，.。") for piece in _ends().split(text[:READ])]
    kept = tuple(piece for piece in pieces if piece)
    if len(kept) < 2 or any(len(piece) < _LEAST and piece.isascii() for piece in kept):
        return (text,)
    return kept


def strongest(policies: Iterable[Policy]) -> Policy:
    """The policy of a whole from those of its parts: the one that applies most; ignore for none."""
    return max(policies, key=lambda policy: policy.value, default=Policy.IGNORE)
