"""An endpoint, and extractors that ask it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from llm_endpoint import Endpoint, llm_endpoint

from habitus_schema.models import Extraction
from habitus_tasks.extract_llm.config import LlmConfig
from habitus_tasks.extract_llm.extractor import LlmExtractor
from habitus_tasks.extract_llm.faults import Fault

FALLEN_BACK = Extraction()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with llm_endpoint() as running:
        yield running


@pytest.fixture
def faults() -> list[Fault]:
    """Why the extractor fell back, each time it did."""
    return []


@pytest.fixture
def asking(endpoint: Endpoint, faults: list[Fault]) -> Iterator[Callable[..., LlmExtractor]]:
    """Makes extractors that ask the endpoint, and that fall back on finding nothing."""
    made: list[LlmExtractor] = []

    def make(**settings: Any) -> LlmExtractor:
        quick = {"model": "m", "backoff_seconds": 0.01, "request_seconds": 5.0, "session_seconds": 10.0}
        config = LlmConfig(endpoint=f"{endpoint.url}/v1", **{**quick, "requests_per_minute": 6000, **settings})
        made.append(LlmExtractor(config, fallback=lambda _: FALLEN_BACK, report=faults.append))
        return made[-1]

    yield make
    for each in made:
        each.close()
