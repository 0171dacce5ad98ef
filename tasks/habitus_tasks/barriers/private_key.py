"""Key files: PEM blocks, OpenSSH keys, PGP blocks."""

import re

from habitus_schema.codes import Code
from habitus_tasks.barriers.barrier import Barrier

_KEY = re.compile(r"----\s?(?:BEGIN|END)\s|\bssh-(?:rsa|dss|ed25519)\s|\becdsa-sha2-|AGE-SECRET-KEY")


def catches(text: str) -> bool:
    """Whether the text holds a part of a key file."""
    return _KEY.search(text) is not None


BARRIER = Barrier("private_key", Code.PRIVATE_SECRET, catches, frozenset(["begin", "end", "ssh", "ecdsa", "age"]))
