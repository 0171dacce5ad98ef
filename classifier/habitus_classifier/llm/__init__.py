"""Judgements by a language model behind an OpenAI-compatible endpoint: the extra ``habitus[llm]``.

Nothing else of the classifier imports this package, so a plain install never loads an HTTP library.
"""

from habitus_schema.errors import UsageError

try:
    import httpx  # noqa: F401 - the one library of the extra
except ModuleNotFoundError:
    raise UsageError("judging by a language model needs the extra: pip install 'habitus[llm]'") from None

from habitus_classifier.llm.backend import LanguageModel
from habitus_classifier.llm.chat import Account, Failure
from habitus_classifier.llm.endpoint import Endpoint
from habitus_classifier.llm.free_text import FreeText, PartDecision, TextDecision

__all__ = ["Account", "Endpoint", "Failure", "FreeText", "LanguageModel", "PartDecision", "TextDecision"]
