"""The extractor that the settings ask for."""

from collections.abc import Callable

import structlog

from habitus_schema.errors import UsageError
from habitus_tasks.extract import extract
from habitus_tasks.pipeline import Extractor
from habitus_worker.llm_settings import ExtractorKind, LlmSettings

_log = structlog.get_logger("habitus.extractors")
MARGIN = 20
"""Seconds that the embedded extractor and the rest of a task are given after the LLM's time is over."""


def extractor_of(settings: LlmSettings, task_seconds: int, report: Callable[[str], None] | None = None) -> Extractor:
    """The extractor of a worker or a command. Nothing is opened yet.

    Args:
        task_seconds: the hard limit of the task it runs in.
        report: told a closed word each time an LLM did not help; by default it is logged.

    Raises:
        UsageError: when an LLM is asked for and not all of it is set, or its time does not fit into a task.
    """
    if settings.extractor is ExtractorKind.EMBEDDED:
        return extract
    check_llm(settings, task_seconds)
    from habitus_tasks.extract_llm.config import LlmConfig
    from habitus_tasks.extract_llm.extractor import LlmExtractor  # here, since it brings an HTTP client

    tell = report or _logged
    config = LlmConfig(
        endpoint=settings.llm_endpoint, model=settings.llm_model, api=settings.llm_api,
        key=settings.llm_key.get_secret_value(), masking=settings.llm_mask,
        request_seconds=settings.llm_request_seconds, session_seconds=settings.llm_session_seconds,
        attempts=settings.llm_attempts, requests_per_minute=settings.llm_requests_per_minute,
        session_tokens=settings.llm_session_tokens, window_tokens=settings.llm_window_tokens,
    )  # fmt: skip
    return LlmExtractor(config, report=lambda fault: tell(fault.value))


def check_llm(settings: LlmSettings, task_seconds: int) -> None:
    """Refuses settings of an LLM that cannot work.

    Raises:
        UsageError: naming the setting.
    """
    for name in ("llm_endpoint", "llm_model"):
        if settings.extractor is ExtractorKind.LLM and not getattr(settings, name):
            raise UsageError(f"setting {name}: an LLM extractor needs it")
    if settings.extractor is ExtractorKind.LLM and settings.llm_session_seconds > max(task_seconds - MARGIN, 1):
        raise UsageError(f"setting llm_session_seconds: it must be {MARGIN} below task_seconds, or lower")


def _logged(fault: str) -> None:
    _log.warning("llm_fallback", code=fault)
