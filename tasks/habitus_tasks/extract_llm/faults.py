"""Why the LLM did not help, in closed words: nothing of a request or an answer is ever in an error."""

from enum import StrEnum

from habitus_schema.errors import HabitusError


class Fault(StrEnum):
    """What went wrong between us and the endpoint."""

    TIMEOUT = "TIMEOUT"
    """It did not answer in time."""
    UNREACHABLE = "UNREACHABLE"
    """No connection, or one that broke."""
    RATE_LIMITED = "RATE_LIMITED"
    """It asks for more patience than the session has."""
    SERVER_ERROR = "SERVER_ERROR"
    """It failed on its side."""
    REFUSED = "REFUSED"
    """It does not take the request: key, model, URL or form."""
    BAD_ANSWER = "BAD_ANSWER"
    """It answered something else than findings."""
    CIRCUIT_OPEN = "CIRCUIT_OPEN"
    """It failed too often just now, so it was not asked."""
    INTERNAL = "INTERNAL"
    """Our own code failed."""


_PASSING = frozenset({Fault.TIMEOUT, Fault.UNREACHABLE, Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.BAD_ANSWER})


class LlmError(HabitusError):
    """The endpoint did not help. The message is the fault's name.

    Attributes:
        fault: what went wrong.
        wait: seconds for which the endpoint asked to be left alone, if it did.
    """

    def __init__(self, fault: Fault, wait: float | None = None) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.wait = wait

    @property
    def passing(self) -> bool:
        """Whether it makes sense to ask again."""
        return self.fault in _PASSING
