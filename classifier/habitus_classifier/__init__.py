"""The query-time classifier: for each pair of a profile and each new query, ignore, support or drive.

Importing this package loads no third-party library; see docs/classifier.md for the whole picture.
"""

from habitus_classifier.decide import Backend, Decision, Decisions, Judgement, built_in, decide, decide_async
from habitus_classifier.policy import Module, Policy, Reason
from habitus_classifier.preferences import build_generation_prompt, classify_preference
from habitus_classifier.vote import Tally, aggregate_rankings

__all__ = [
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
]
