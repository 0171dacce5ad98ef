"""Which asks of a query contradict which pairs: every other value of the dimension, and what these rows add."""

from types import MappingProxyType

from habitus_classifier.facets import asked
from habitus_schema.vocabulary import VALUES, Dimension

D = Dimension

_DETAILED = "response_density=detailed_explanatory"
_CONCISE = "response_density=concise_direct"
_SENTENCES = {"verbosity_ceiling_tokens=150": 0.7}
"""Two or three sentences have no room for a list or a table."""
_ONE_LINE = "terminal_command_chaining=chained"

ACROSS: MappingProxyType[tuple[D, str], dict[str, float]] = MappingProxyType(
    {
        (D.RESPONSE_DENSITY, "concise_direct"): {
            "verbosity_ceiling_tokens=1200": 0.9,
            "progress_updates=step_by_step": 0.8,
            "code_explanation=with_explanation": 0.6,
        },
        (D.LIST_STYLE, "bullets"): _SENTENCES,
        (D.LIST_STYLE, "numbered"): _SENTENCES,
        (D.HEADING_USAGE, "use"): {"verbosity_ceiling_tokens=150": 0.9, "list_style=prose": 0.6},
        (D.ANSWER_ORDER, "reasoning_first"): {_CONCISE: 0.6},
        (D.RESPONSE_DENSITY, "detailed_explanatory"): {
            "verbosity_ceiling_tokens=150": 1,
            "verbosity_ceiling_tokens=300": 0.9,
            "code_explanation=code_only": 0.9,
        },
        (D.VERBOSITY_CEILING_TOKENS, "150"): {_DETAILED: 1},
        (D.VERBOSITY_CEILING_TOKENS, "300"): {_DETAILED: 1},
        (D.VERBOSITY_CEILING_TOKENS, "600"): {_DETAILED: 0.8},
        (D.CODE_EXPLANATION, "with_explanation"): {_CONCISE: 0.8, "command_execution=show_only": 0.4},
        (D.CODE_EXPLANATION, "code_only"): {_DETAILED: 0.8},
        (D.CLOSING_SUMMARY, "none"): {"recap": 0.9},
        (D.CLOSING_SUMMARY, "include"): {"code_explanation=code_only": 0.9, _CONCISE: 0.7},
        (D.PREAMBLE, "allowed"): {"code_explanation=code_only": 0.9, "answer_order=answer_first": 0.6, _CONCISE: 0.6},
        (D.LIST_STYLE, "prose"): {"table_usage=prefer": 0.9},
        (D.TABLE_USAGE, "prefer"): {"list_style=prose": 0.8, "list_style=bullets": 0.6, **_SENTENCES},
        (D.VERIFICATION_FOOTER, "compile_and_print_metrics"): {"command_execution=show_only": 0.8},
        (D.COMMIT_POLICY, "never_commit"): {"commit": 0.9},
        (D.COMMIT_MESSAGE_STYLE, "conventional"): {"commit_policy=never_commit": 0.9},
        (D.COMMIT_MESSAGE_STYLE, "plain"): {"commit_policy=never_commit": 0.9},
        (D.EXECUTION_PACKAGING, "multi_step"): {_ONE_LINE: 0.9},
        (D.TERMINAL_COMMAND_CHAINING, "chained"): {"execution_packaging=multi_step": 0.9},
        (D.PLANNING, "plan_first"): {"clarification=assume_and_proceed": 0.7, "command_execution=run_directly": 0.5},
        (D.PLANNING, "act_directly"): {"clarification=ask_first": 0.5},
    }
)


def _rivals(dimension: D, value: str) -> dict[str, float]:
    return {asked(dimension, str(other)): 1.0 for other in VALUES[dimension] if str(other) != value}


CONTRADICTIONS: MappingProxyType[tuple[D, str], dict[str, float]] = MappingProxyType(
    {
        (dimension, str(value)): {**_rivals(dimension, str(value)), **ACROSS.get((dimension, str(value)), {})}
        for dimension, values in VALUES.items()
        for value in values
    }
)
"""For each pair, the facets that contradict it and how surely."""
