"""Street addresses and postcodes."""

import re

from habitus_schema.codes import Code

from habitus_tasks.barriers.barrier import Barrier

_STREETS = (
    "street|st|road|rd|avenue|ave|lane|ln|drive|dr|crescent|boulevard|blvd|court|place|square|terrace|close|way|"
    "highway|parkway|alley|quay|mews|grove|hill|row|walk"
)
_ADDRESS = re.compile(
    rf"""
      \b\d{{1,5}}[a-z]?,?\s(?:[A-Z][\w'.-]{{1,20}}\s){{1,3}}(?:(?i:{_STREETS}))\b
    | \b[A-Z][\w'.-]{{2,24}}(?i:stra(?:ss|\xdf)e|str\.|gata|gatan|veien|vej|gasse|weg|plein|straat|gade|katu)\s?\d{{1,4}}
    | \b(?:Rua|Rue|Calle|Via|Avenida|Avenue|Plaza|Piazza|Strada|Ulica|ul\.|Jalan|Carrera)\s[\w\s'.-]{{2,40}}\d
    | \b[A-Z]{{1,2}}\d[A-Z\d]?\s?\d[A-Z]{{2}}\b                   # United Kingdom
    | \b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b                                # Canada
    | \b[A-Z]{{2}}\s\d{{5}}(?:-\d{{4}})?\b                          # United States
    | \b\d{{4,5}}\s[A-Z][a-z]{{2,}}\b(?!\s(?:tokens|words))          # 7011 Trondheim
    | (?i:\bp\.?o\.?\s?box\b|\bpostcode\b|\bzip\s?code\b|\b(?:flat|apt|apartment|suite)\s\d)
    """,
    re.VERBOSE,
)


def catches(text: str) -> bool:
    """Whether the text holds a street address or a postcode."""
    return _ADDRESS.search(text) is not None


BARRIER = Barrier("postal_address", Code.PRIVATE_NAMED_ENTITY, catches)
