"""Where the model is, and how much of it one query may take."""

from dataclasses import dataclass, field

from habitus_schema.errors import UsageError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint and the limits of its use. Address and key are in no repr.

    Attributes:
        url: the base address, up to and with ``/v1``.
        model: the model's name there.
        key: sent as a bearer token when it is not empty.
        connections: calls in flight at once, over all queries of one event loop.
        module_seconds: what one call may take, from when it is sent.
        query_seconds: what all calls of one query may take together; what is not there by then has failed.
        top_k: at most so many pairs of a profile are sent; the rest is ignored.
        max_tokens: of an answer; four times as many when one was cut off.
        retries: how often a call that failed is sent again. 0 where a person waits.

    Raises:
        UsageError: for an address of another kind, or a limit that is not positive.
    """

    url: str = field(repr=False)
    model: str
    key: str = field(default="", repr=False)
    connections: int = 8
    module_seconds: float = 5.0
    query_seconds: float = 10.0
    top_k: int = 12
    max_tokens: int = 128
    retries: int = 0

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UsageError("the endpoint is an http:// or https:// address, such as http://127.0.0.1:8080/v1")
        limits = (self.connections, self.module_seconds, self.query_seconds, self.top_k, self.max_tokens)
        if min(limits) <= 0 or self.retries < 0:
            raise UsageError("the limits of an endpoint are positive numbers")

    @property
    def chat(self) -> str:
        """The address of chat completions."""
        return f"{self.url.rstrip('/')}/chat/completions"
