"""Errors that people see. Each says what to do, and none can carry a byte of a transcript.

The message of an error is fixed text, or fixed text with a name that the operator typed (a file, a setting).
"""

from habitus_schema.codes import Code


class HabitusError(Exception):
    """Anything that habitus refuses or cannot do; the command line prints it on one line and exits 1."""


class UsageError(HabitusError):
    """A wrong call or setting; the command line exits 2."""


class TranscriptError(HabitusError):
    """A transcript that cannot be read at all.

    Attributes:
        code: MALFORMED_TRANSCRIPT, UNSUPPORTED_FORMAT or TOO_LARGE.
    """

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


class UnsealError(HabitusError):
    """A sealed payload that none of the keys opens."""


class UnavailableError(HabitusError):
    """A service (Redis, the database) that does not answer; nothing was lost, try again."""
