"""How the LLM extractor is set up. The endpoint, the key and the model come from the operator alone."""

from dataclasses import dataclass
from enum import StrEnum


class Api(StrEnum):
    """What the endpoint speaks."""

    OPENAI = "openai"
    """Chat Completions, as OpenAI and most servers of open models have it."""
    ANTHROPIC = "anthropic"
    """Anthropic's Messages."""


class Masking(StrEnum):
    """What of the person's words is hidden before they leave the process."""

    WORDS = "words"
    """What has a private shape, names, and in English every word that is not on the gate's published list."""
    SHAPES = "shapes"
    """What has a private shape, and names."""
    OFF = "off"
    """Nothing: for an endpoint of one's own."""


@dataclass(frozen=True, slots=True, repr=False)
class LlmConfig:
    """Everything that can be set.

    Attributes:
        endpoint: the API's base URL, or the full URL of its chat or messages call.
        key: sent in the header that the API has for it; none when empty.
        request_seconds: how long one request may take.
        session_seconds: how long one session may take, with all its requests, waits and second tries.
        attempts: how often a request is tried when the endpoint fails in a way that may pass.
        backoff_seconds: the first wait between tries; doubles, with jitter. A longer Retry-After is kept to.
        requests_per_minute: of this process; more wait for their turn.
        session_tokens: of one session, requests and answers together, by estimate or as the endpoint counts.
        window_tokens: of the person's words in one request.
        breaker_failures, breaker_seconds: after so many sessions in a row that failed, none is asked about for so long.
    """

    endpoint: str
    model: str
    api: Api = Api.OPENAI
    key: str = ""
    masking: Masking = Masking.WORDS
    request_seconds: float = 30.0
    session_seconds: float = 60.0
    attempts: int = 3
    backoff_seconds: float = 0.5
    requests_per_minute: int = 60
    session_tokens: int = 40_000
    window_tokens: int = 4_000
    answer_tokens: int = 2_000
    breaker_failures: int = 3
    breaker_seconds: float = 60.0
