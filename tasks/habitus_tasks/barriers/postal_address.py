"""Street addresses. A place name or a postcode alone is refused as an unlisted capital or token."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_STREETS = (
    "street|st|road|rd|avenue|ave|lane|ln|drive|dr|crescent|boulevard|blvd|court|place|square|terrace|close|way|"
    "highway|parkway|pkwy|alley|quay|mews|grove|hill|row|walk"
)
_ADDRESS = re.compile(
    rf"""
      \b\d{{1,5}}[a-z]?,?\s(?:[A-Z][\w'.-]{{1,20}}\s){{1,3}}(?i:{_STREETS})\b
    | \b(?:Via\s[A-Z]|(?:Rua|Rue|rue|Calle|Avenida|Plaza|Piazza|Strada|Ulica|ul\.|Jalan|Carrera)\s)[\w\s'.-]{{2,40}}\d
    | (?i:\bp\.?\s?o\.?\s?box\b | \bpostcode\b | \bzip\s?code\b | \b(?:flat|apt|apartment|suite)\s\d)
    """,
    re.VERBOSE,
)
_NEEDS = (
    f"{_STREETS}|rua|rue|calle|via|avenida|plaza|piazza|strada|ulica|ul|jalan|carrera|box|postcode|zip|zipcode|"
    "flat|apt|apartment|suite"
)


def catches(text: str) -> bool:
    """Whether the text holds a street address."""
    return _ADDRESS.search(text) is not None


BARRIER = Barrier("postal_address", Code.PRIVATE_NAMED_ENTITY, catches, frozenset(_NEEDS.split("|")))
