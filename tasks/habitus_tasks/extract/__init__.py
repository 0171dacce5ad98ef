"""Extraction: from the person's own words and edits to candidate pairs, by meaning, in any language."""

from habitus_schema.models import Extraction
from habitus_schema.transcript import Transcript

__all__ = ["extract"]


def extract(transcript: Transcript) -> Extraction:
    """The pairs that one session gives evidence for, at most one candidate each, and what was turned down.

    The trained model is loaded at the first call and kept for the process; calls from several threads are safe.
    """
    from habitus_tasks.extract.pipeline import extract as run

    return run(transcript)
