"""The settings of the extractor: the embedded one, or an LLM behind an endpoint of the operator's choice."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings

from habitus_tasks.extract_llm.config import Api, Masking


class ExtractorKind(StrEnum):
    """Who reads the sessions."""

    EMBEDDED = "embedded"
    """The bundled model: no network."""
    LLM = "llm"
    """An LLM over HTTP; the bundled model when it does not help."""


def _http_url(url: str) -> str:
    if url and not url.startswith(("https://", "http://")):
        raise ValueError("it begins with https:// or http://")
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise ValueError("give the key as llm_key, not within the URL")
    return url


class LlmSettings(BaseSettings):
    """Read with the other settings. What each means: `habitus_tasks.extract_llm.config`."""

    extractor: ExtractorKind = ExtractorKind.EMBEDDED
    llm_api: Api = Api.OPENAI
    llm_endpoint: Annotated[str, AfterValidator(_http_url)] = ""
    llm_key: SecretStr = SecretStr("")
    llm_model: str = ""
    llm_mask: Masking = Masking.WORDS
    llm_request_seconds: Annotated[float, Field(gt=0)] = 30.0
    llm_session_seconds: Annotated[float, Field(gt=0)] = 60.0
    """Of one session; well below `task_seconds`, since the embedded extractor may have to read it afterwards."""
    llm_attempts: Annotated[int, Field(ge=1)] = 3
    llm_requests_per_minute: Annotated[int, Field(ge=1)] = 60
    """Of each worker process."""
    llm_session_tokens: Annotated[int, Field(ge=1000)] = 40_000
    llm_window_tokens: Annotated[int, Field(ge=200)] = 4_000
