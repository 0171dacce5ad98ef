"""The query-time classifier: for each pair of a profile and each new query, ignore, support or drive.

Importing this package loads no third-party library; see docs/classifier.md for the whole picture.
"""

from habitus_classifier.decide import Decision, Decisions, built_in, decide, decide_async
from habitus_classifier.judgement import AsyncBackend, Backend, Judgement
from habitus_classifier.policy import Module, Policy, Reason
from habitus_classifier.preferences import build_generation_prompt, classify_preference
from habitus_classifier.split import split_preference
from habitus_classifier.vote import Tally, aggregate_rankings

__all__ = [
    "AsyncBackend",
    "Backend",
    "Decision",
    "Decisions",
    "Judgement",
    "Module",
    "Policy",
    "Reason",
    "Tally",
    "aggregate_rankings",
    "build_generation_prompt",
    "built_in",
    "classify_preference",
    "decide",
    "decide_async",
    "split_preference",
]
