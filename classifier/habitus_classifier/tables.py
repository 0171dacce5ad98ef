"""Tables: for each dimension, the facets that make room for it, that make it the subject, and that shut it out.

Weights are chances in 0..1, joined by noisy-or. Where a row leans on a settled case of the labelling rules, it says so.
Composed facets (`COMPOSED`) are noisy-ors of facets, named to keep the rows short.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from habitus_schema.vocabulary import Dimension

D = Dimension

Weights = Mapping[str, float]

COMPOSED: MappingProxyType[str, Weights] = MappingProxyType(
    {
        "edit": {
            "change": 1,
            "trivial": 1,
            "errors": 0.3,
            "types": 0.8,
            "comments": 0.8,
            "docstrings": 0.8,
            "indent": 0.8,
            "quotes": 0.8,
            "code_delivery=full_file": 0.6,
            "code_delivery=changed_parts": 0.9,
            "code_delivery=unified_diff": 0.9,
            "change_scope=minimal_diff": 0.8,
            "change_scope=refactor_freely": 0.8,
        },
        "newcode": {
            "code": 1,
            "change": 1,
            "tests": 0.9,
            "types": 0.8,
            "comments": 0.8,
            "docstrings": 0.8,
            "indent": 0.8,
            "quotes": 0.8,
            "code_delivery=full_file": 0.8,
            "code_delivery=changed_parts": 0.8,
            "code_delivery=unified_diff": 0.8,
            "dependency_policy=stdlib_only": 0.7,
            "dependency_policy=allow_third_party": 0.7,
            "code_explanation=code_only": 0.7,
        },
        "codeout": {
            "code": 1,
            "file": 0.9,
            "change": 1,
            "codeq": 0.9,
            "tests": 1,
            "types": 0.9,
            "comments": 0.9,
            "code_delivery=full_file": 0.8,
            "code_delivery=changed_parts": 0.9,
            "code_delivery=unified_diff": 0.9,
            "code_explanation=code_only": 0.9,
            "code_explanation=with_explanation": 0.7,
        },
        "open": {
            "question": 0.9,
            "explain": 1,
            "compare": 1,
            "steps": 1,
            "listing": 1,
            "advice": 1,
            "fact": 0.8,
            "summary": 0.7,
            "recap": 0.8,
            "codeq": 0.7,
            "plan": 0.8,
            "data": 0.6,
            "sources": 0.8,
        },
        "work": {"agent": 1, "big": 0.8, "vague": 0.8},
        "briefly": {"response_density=concise_direct": 1, "verbosity_ceiling_tokens=150": 1},
        "atlength": {"response_density=detailed_explanatory": 1},
    }
)


@dataclass(frozen=True, slots=True)
class Row:
    """What a table says about one dimension or pair.

    Attributes:
        base: the chance of a place in the answer when no facet speaks.
        place: facets that make room for it.
        drive: facets that make it what the query is about.
        block: facets that leave no room for it.
        calm: facets under which it is not what the query is about after all.
        keep: for a pair, how much of its dimension's drive it keeps.
    """

    base: float = 0.0
    place: Weights = field(default_factory=dict)
    drive: Weights = field(default_factory=dict)
    block: Weights = field(default_factory=dict)
    calm: Weights = field(default_factory=dict)
    keep: float = 1.0


_NOT_FUNCTIONS = {"config": 0.8, "letter": 0.9, "untech": 0.9}

DIMENSIONS: MappingProxyType[D, Row] = MappingProxyType(
    {
        D.CODE_FENCE_STYLE: Row(
            place={"codeout": 0.95, "shell": 1, "message": 0.8, "fence": 1},
            drive={"fence": 1},
            block={"untech": 0.9, "letter": 0.9},
        ),
        D.LIST_STYLE: Row(
            base=0.5,
            place={"open": 0.9, "prose": 0.7, "big": 0.6, "plan": 0.8},
            drive={"listing": 0.8, "steps": 0.8},
            block={
                "letter": 0.9,
                "creative": 0.5,
                "short": 0.4,
                "transform": 0.4,
                "code": 0.8,
                "change": 0.6,
                "chat": 0.9,
                "commit": 0.8,
                "message": 0.9,
                "table_usage=prefer": 0.9,
                "tests": 0.7,
            },
            calm={"advice": 0.8, "codeq": 0.8, "doc": 0.6},
        ),
        D.TABLE_USAGE: Row(
            place={"open": 0.8, "doc": 0.8, "data": 0.8},
            drive={"compare": 0.9},
            block={
                "letter": 0.9,
                "creative": 0.9,
                "short": 0.6,
                "transform": 0.7,
                "code": 0.8,
                "change": 0.9,
                "chat": 1,
                "commit": 1,
                "vague": 0.8,
                "run": 0.5,
            },
        ),
        D.HEADING_USAGE: Row(
            place={
                "explain": 0.7,
                "doc": 1,
                "prose": 0.8,
                "advice": 0.7,
                "summary": 0.7,
                "plan": 0.7,
                "fact": 0.6,
                "recap": 0.6,
                "compare": 0.6,
                "atlength": 0.7,
            },
            drive={"doc": 0.9},
            block={
                "code": 0.9,
                "change": 0.8,
                "codeq": 0.6,
                "short": 0.8,
                "creative": 0.7,
                "commit": 0.9,
                "message": 1,
                "chat": 1,
                "shell": 0.7,
                "transform": 0.6,
            },
        ),
        D.EMOJI_USAGE: Row(base=0.8, drive={"emoji": 1}, block={"config": 0.6}),
        D.EM_DASH_USAGE: Row(
            base=0.8,
            drive={"dash": 0.9},
            block={"code": 0.5, "config": 0.6, "run": 0.2, "code_delivery=unified_diff": 0.6},
        ),
        D.RESPONSE_DENSITY: Row(
            base=0.8,
            drive={"length": 0.7, "summary": 0.9, "recap": 0.7},
            block={"creative": 0.6, "transform": 0.4, "message": 0.6, "commit": 0.6},
        ),
        D.VERBOSITY_CEILING_TOKENS: Row(
            base=0.75,
            drive={"length": 0.6, "summary": 0.7},
            block={"creative": 0.6, "medium": 0.6, "code": 0.3, "change": 0.3, "message": 0.7, "commit": 0.7},
        ),
        D.ANSWER_ORDER: Row(
            place={
                "question": 1,
                "compare": 1,
                "codeq": 0.9,
                "fact": 0.8,
                "advice": 0.5,
                "explain": 0.5,
                "errors": 0.6,
            },
            block={
                "listing": 0.6,
                "steps": 0.4,
                "code": 0.6,
                "change": 0.7,
                "letter": 1,
                "creative": 0.9,
                "setup": 0.8,
            },
        ),
        D.PREAMBLE: Row(base=0.9, block={"letter": 0.6}),
        D.CLOSING_SUMMARY: Row(
            base=0.3,
            place={"agent": 0.9, "big": 1, "prose": 0.5, "explain": 0.6, "change": 0.6, "advice": 0.4, "summary": 0.3},
            drive={"recap": 0.9},
            block={"letter": 0.8, "creative": 0.9, "short": 0.6, "message": 0.8, "commit": 0.4},
        ),
        D.VERIFICATION_FOOTER: Row(
            place={"change": 0.8, "big": 0.9, "agent": 0.6, "run": 0.7, "tests": 0.8, "file": 0.4},
            drive={"verify": 1},
            block={"untech": 0.9, "commit": 0.8, "recap": 0.9, "plan": 0.9, "docstrings": 0.4, "comments": 0.5},
        ),
        D.SOURCE_CITATION: Row(
            base=0.1,
            place={
                "fact": 1,
                "compare": 0.6,
                "codeq": 0.6,
                "deps": 0.7,
                "explain": 0.75,
                "prose": 0.65,
                "question": 0.6,
                "sources": 1,
                "summary": 0.3,
                "atlength": 0.5,
            },
            drive={"sources": 1},
            block={
                "creative": 1,
                "letter": 1,
                "transform": 0.8,
                "change": 0.9,
                "code": 0.8,
                "commit": 1,
                "chat": 1,
                "run": 0.7,
                "message": 1,
            },
        ),
        D.CODE_DELIVERY: Row(
            # A request for a change to code drives it (settled case).
            place={"edit": 1, "file": 1, "code": 0.8, "tests": 1},
            drive={"edit": 1, "file": 0.7, "config": 0.5, "tests": 0.8},
            block={"untech": 0.9, "message": 1, "commit": 0.8, "letter": 1},
        ),
        D.CODE_EXPLANATION: Row(
            place={"codeout": 0.95, "shell": 0.8, "codeq": 0.9},
            drive={"code_explanation=with_explanation": 1},
            block={"untech": 0.9, "letter": 1, "message": 0.9, "commit": 0.9, "creative": 0.9},
        ),
        D.COMMENT_DENSITY: Row(
            place={"newcode": 1, "file": 0.8, "codeq": 0.8},
            drive={"comments": 1},
            block={"untech": 0.9, "short": 0.5, "letter": 1, "message": 0.9, "commit": 0.9, "creative": 0.9},
        ),
        D.DOCSTRINGS: Row(
            place={"newcode": 0.9, "docstrings": 1, "comments": 0.8, "types": 0.8},
            drive={"docstrings": 1},
            block={**_NOT_FUNCTIONS, "message": 0.9, "trivial": 0.3, "codeq": 0.7},
        ),
        D.TYPE_ANNOTATIONS: Row(
            place={"newcode": 0.95, "types": 1, "docstrings": 0.8},
            drive={"types": 1},
            block={
                **_NOT_FUNCTIONS,
                "message": 0.9,
                "codeq": 0.7,
                "indent": 0.8,
                "quotes": 0.8,
                "trivial": 0.6,
                "setup": 0.9,
            },
        ),
        D.INDENT_STYLE: Row(
            place={"newcode": 0.95, "file": 0.7, "indent": 1},
            drive={"indent": 1},
            block={"untech": 0.9, "letter": 1, "message": 0.9, "codeq": 0.4},
        ),
        D.QUOTE_STYLE: Row(
            place={"newcode": 0.95, "quotes": 1, "indent": 0.7},
            drive={"quotes": 1},
            block={**_NOT_FUNCTIONS, "message": 0.9, "codeq": 0.5},
        ),
        D.ERROR_HANDLING: Row(
            place={"newcode": 0.9, "errors": 1, "big": 0.7, "data": 0.3},
            drive={"errors": 1},
            block={
                "untech": 0.9,
                "config": 0.6,
                "trivial": 0.7,
                "message": 0.9,
                "codeq": 0.2,
                "letter": 1,
                "docstrings": 0.7,
                "comments": 0.7,
            },
        ),
        D.DEPENDENCY_POLICY: Row(
            place={"code": 0.95, "big": 0.7, "deps": 1, "change": 0.5, "vague": 0.4},
            drive={"deps": 1},
            block={
                "untech": 0.9,
                "trivial": 0.8,
                "message": 0.9,
                "codeq": 0.3,
                "letter": 1,
                "comments": 0.8,
                "docstrings": 0.8,
            },
        ),
        D.CHANGE_SCOPE: Row(
            # A request for a change to code drives it (settled case).
            place={"edit": 1, "big": 0.9, "vague": 0.6, "verify": 0.7},
            drive={"edit": 1, "verify": 0.6},
            block={"untech": 0.9, "message": 1, "letter": 1, "tests": 0.3},
            calm={"vague": 0.6},
        ),
        D.FILE_CREATION: Row(
            place={"file": 0.8, "big": 0.9, "agent": 0.55, "vague": 0.7, "files": 1, "tests": 0.6},
            drive={"files": 1},
            block={"untech": 0.9, "commit": 1, "run": 0.9, "trivial": 0.9, "recap": 1, "letter": 1},
        ),
        D.TEST_POLICY: Row(
            # A request for a change to code supports it (settled case).
            place={"change": 0.95, "big": 1, "file": 0.5, "code": 0.55, "tests": 1},
            drive={"tests": 1},
            block={
                "untech": 0.9,
                "trivial": 0.9,
                "config": 0.5,
                "comments": 0.7,
                "message": 0.9,
                "indent": 0.5,
                "docstrings": 0.7,
            },
        ),
        D.EXECUTION_PACKAGING: Row(
            place={"setup": 1, "shell": 0.6},
            drive={"setup": 1},
            block={"untech": 0.9, "codeq": 0.5},
        ),
        D.TERMINAL_COMMAND_CHAINING: Row(
            place={"shell": 0.95, "setup": 1},
            drive={"setup": 0.8},
            block={"untech": 0.9, "codeq": 0.5},
        ),
        D.CLARIFICATION: Row(
            place={
                "work": 0.7,
                "vague": 1,
                "advice": 0.75,
                "letter": 0.6,
                "big": 0.9,
                "doc": 0.7,
                "plan": 0.7,
                "data": 0.5,
            },
            drive={"vague": 1},
            block={"trivial": 0.6, "recap": 0.8, "chat": 0.9, "short": 0.5, "commit": 0.6, "listing": 0.2},
            calm={"big": 0.3, "advice": 0.9, "letter": 0.9},
        ),
        D.PLANNING: Row(
            # Drives on multi-step work, else supports (settled case).
            place={"agent": 0.8, "big": 1, "vague": 0.7, "plan": 1, "change": 0.4},
            drive={"big": 1, "plan": 1},
            block={"trivial": 0.4, "recap": 0.9, "commit": 0.8, "letter": 0.9, "chat": 1},
        ),
        D.COMMAND_EXECUTION: Row(
            place={"run": 1, "shell": 0.95, "agent": 0.5, "verify": 0.8, "file": 0.3},
            drive={"run": 1, "setup": 0.4},
            block={"untech": 0.9, "message": 1, "recap": 0.9, "letter": 0.7},
        ),
        D.COMMIT_POLICY: Row(
            place={"work": 0.85, "commit": 1, "big": 0.9, "tests": 0.6},
            drive={"commit": 1},
            block={"untech": 0.9, "run": 0.7, "recap": 0.9, "plan": 0.9, "message": 0.7, "letter": 1},
        ),
        D.COMMIT_MESSAGE_STYLE: Row(
            place={"message": 1, "commit": 1, "big": 0.7, "agent": 0.3},
            drive={"message": 1, "commit": 1},
            calm={"question": 0.8, "shell": 0.7},
            block={"untech": 0.9, "run": 0.7, "plan": 0.9, "recap": 0.9},
        ),
        D.PROGRESS_UPDATES: Row(
            place={"work": 0.95, "big": 1, "run": 0.9, "change": 0.6, "progress": 1, "plan": 0.5},
            drive={"progress": 1},
            block={"message": 1, "recap": 0.9, "letter": 1, "chat": 1},
        ),
    }
)
"""What CPE-Recall goes by: the query and the dimension."""

PAIRS: MappingProxyType[tuple[D, str], Row] = MappingProxyType(
    {
        (D.LIST_STYLE, "prose"): Row(keep=0.4),
        (D.TABLE_USAGE, "prefer"): Row(block={"question": 0.3, "steps": 0.6, "codeq": 0.7, "short": 0.5}),
        (D.TABLE_USAGE, "avoid"): Row(keep=0.2),
        (D.HEADING_USAGE, "use"): Row(block={"letter": 0.9, "short": 0.5}),
        (D.HEADING_USAGE, "avoid"): Row(place={"letter": 0.7, "open": 0.6}, keep=0.3),
        (D.EMOJI_USAGE, "allowed"): Row(block={"codeout": 0.7, "letter": 0.7, "doc": 0.3}),
        (D.RESPONSE_DENSITY, "detailed_explanatory"): Row(block={"summary": 0.5, "code": 0.2}, keep=0.3),
        (D.VERBOSITY_CEILING_TOKENS, "600"): Row(keep=0.4),
        (D.VERBOSITY_CEILING_TOKENS, "1200"): Row(keep=0.4),
        (D.PREAMBLE, "none"): Row(block={"letter": 0.3}),
        (D.CLOSING_SUMMARY, "none"): Row(place={"open": 0.5}, keep=0.2),
        (D.CLOSING_SUMMARY, "include"): Row(block={"code": 0.5}),
        (D.VERIFICATION_FOOTER, "none"): Row(block={"run": 0.8, "verify": 0.8}),
        (D.SOURCE_CITATION, "none"): Row(keep=0.2),
        (D.CODE_DELIVERY, "changed_parts"): Row(block={"file": 0.2}),
        (D.FILE_CREATION, "edit_existing"): Row(block={"file": 0.6}),
        (D.TEST_POLICY, "on_request"): Row(keep=0.2),
        (D.EXECUTION_PACKAGING, "python_heredoc"): Row(block={"setup": 0.6, "shell": 0.3}),
        (D.CLARIFICATION, "ask_first"): Row(place={"codeq": 0.4}),
        (D.PLANNING, "act_directly"): Row(keep=0.4),
        (D.COMMAND_EXECUTION, "run_directly"): Row(keep=0.9),
        (D.COMMIT_MESSAGE_STYLE, "plain"): Row(),
    }
)
"""What CPE-Intent adds for a single value."""

GROUPS: MappingProxyType[str, Row] = MappingProxyType(
    {
        "formatting": Row(
            base=0.4, place={"open": 0.8, "prose": 0.8}, block={"config": 0.5, "letter": 0.4, "commit": 0.5}
        ),
        "response": Row(base=0.7, place={"open": 0.8}, block={"letter": 0.5, "creative": 0.4}),
        "code": Row(
            place={"newcode": 1, "codeq": 0.5, "file": 0.7},
            drive={"comments": 0.6, "types": 0.6, "indent": 0.6, "tests": 0.5},
            block={"letter": 1, "message": 0.8},
        ),
        "workflow": Row(
            place={"work": 0.85, "setup": 0.9, "shell": 0.5, "run": 0.6},
            drive={"setup": 0.6, "commit": 0.5, "progress": 0.6, "plan": 0.6},
            block={"letter": 0.9, "recap": 0.8},
        ),
    }
)
"""What MLE goes by: the query and the dimension's group."""
