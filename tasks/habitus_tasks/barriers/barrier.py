"""What a barrier is: a name, a code, and one yes-or-no question about a note."""

from collections.abc import Callable
from dataclasses import dataclass

from habitus_schema.codes import Code


@dataclass(frozen=True, slots=True)
class Barrier:
    """One kind of private thing that a note may not hold.

    Attributes:
        name: the detector name that a refusal carries; also the name of the barrier's file, test and docs entry.
        code: the closed reason.
        catches: True when the folded text of a note holds that kind of thing. It returns nothing of what it saw.
        plain: True when the barrier can fire on letters, spaces and ``,.;'-`` alone. The others are skipped on such
            a note, which is most of them (a saving of time, not of strictness: a property test holds it to that).
    """

    name: str
    code: Code
    catches: Callable[[str], bool]
    plain: bool = False
