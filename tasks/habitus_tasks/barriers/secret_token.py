"""Keys and tokens that their issuers mark with a prefix (the prefixes are public, from the issuers' documents)."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import A_DIGIT, Barrier

_TOKEN = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      (?:sk|pk|rk|ak)[-_][A-Za-z0-9_-]{6,}                       # OpenAI, Anthropic, Stripe
    | (?:whsec|cus|acct|pi|sub|price|seti|req)_[A-Za-z0-9]{8,}   # Stripe objects
    | gh[pousr]_[A-Za-z0-9]{6,} | github_pat_\w{6,}
    | gl(?:pat|rt|dt|cbt)-[\w-]{6,}
    | xox[a-z]-[\w-]{6,} | xapp-[\w-]{6,}                        # Slack
    | (?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ABIA)[A-Z0-9]{8,}          # AWS
    | AIza[\w-]{10,} | ya29\.[\w-]{6,} | GOCSPX-[\w-]{6,} | 1//0[\w-]{10,}
    | eyJ[A-Za-z0-9_-]{6,}                                       # JWT: base64 of {"
    | hf_[A-Za-z0-9]{8,} | npm_[A-Za-z0-9]{8,} | pypi-[\w-]{8,} | nvapi-[\w-]{8,} | gsk_[A-Za-z0-9]{8,}
    | SG\.[\w-]{8,} | key-[0-9a-f]{16,} | (?:AC|SK)[0-9a-f]{16,}  # SendGrid, Mailgun, Twilio
    | dop_v1_\w{8,} | shp(?:at|ca|pa|ss)_\w{8,} | sq0[a-z]{3}-[\w-]{8,} | dckr_pat_[\w-]{8,} | lin_api_\w{8,}
    | v1\.0-[0-9a-f]{8,} | EAA[A-Za-z0-9]{12,} | tskey-[\w-]{6,} | PMAK-[\w-]{8,} | rubygems_[0-9a-f]{8,}
    )""",
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text holds a key with a known prefix."""
    return _TOKEN.search(text) is not None


BARRIER = Barrier("secret_token", Code.PRIVATE_SECRET, catches, frozenset({A_DIGIT, "_", "-"}))
