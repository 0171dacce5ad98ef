"""The last-output rule: what the assistant had just produced makes a correction believable or doubtful.

'No comments' after code with comments is a correction; after code without any it can hardly be one. Each rule gives a
verdict on its dimension's values from structural facts alone; an output too small to tell gives no verdict.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract.output import Output

VIOLATED, UNKNOWN, SATISFIED = 1, 0, -1
"""The output does what the person asks to stop (or lacks what they ask for); no telling; it already does as asked."""

Verdicts = Mapping[str, int]
MIN_WORDS = 12
"""Words of prose under which an output without code or acts is too small to tell."""


def _either(one: str, has_one: bool, other: str, has_other: bool, tell: bool = True) -> Verdicts:
    """Two opposite values: each is violated when only the other's form is there, satisfied when only its own is."""
    if not tell or has_one == has_other:
        return {}
    return {one: SATISFIED if has_one else VIOLATED, other: SATISFIED if has_other else VIOLATED}


def _present(wanted: str, unwanted: str, there: bool, tell: bool = True) -> Verdicts:
    """A form that is there or not, a value that wants it, and one that does not."""
    return _either(wanted, there, unwanted, not there, tell)


def _prose(o: Output) -> bool:
    return o.prose.words >= MIN_WORDS


def _coded(o: Output) -> bool:
    return o.coded.lines > 0


def _acted(o: Output) -> bool:
    return bool(o.acts.writes + o.acts.edits + o.acts.commands)


def _fences(o: Output) -> Verdicts:
    return _either("triple_backtick", o.prose.fence3 > 0, "quad_backtick", o.prose.fence4 > 0)


def _lists(o: Output) -> Verdicts:
    bullets, numbered = o.prose.bullets > 1, o.prose.numbered > 1
    if not _prose(o) and not bullets and not numbered:
        return {}
    return {
        "bullets": SATISFIED if bullets else VIOLATED,
        "numbered": SATISFIED if numbered else VIOLATED,
        "prose": VIOLATED if bullets or numbered else SATISFIED,
    }


def _density(o: Output) -> Verdicts:
    size = o.prose.words + 4 * o.coded.lines
    if o.prose.words < 4 or 35 <= size <= 90:
        return {}
    return _either("detailed_explanatory", size > 90, "concise_direct", size < 35)


def _ceiling(o: Output) -> Verdicts:
    size = o.prose.words
    limits = {"150": 100, "300": 200, "600": 400, "1200": 800}
    return {name: VIOLATED if size > limit else SATISFIED for name, limit in limits.items() if _prose(o)}


def _delivery(o: Output) -> Verdicts:
    if not _coded(o):
        return {}
    partial = o.coded.elisions > 0 or o.coded.diffs > 0 or o.acts.edits > 0
    return {
        "full_file": VIOLATED if partial or o.coded.lines < 8 else SATISFIED,
        "changed_parts": VIOLATED if o.coded.lines > 12 or o.acts.writes else SATISFIED,
        "unified_diff": SATISFIED if o.coded.diffs else VIOLATED,
    }


def _comments(o: Output) -> Verdicts:
    if not _coded(o):
        return {}
    rate = o.coded.comments / o.coded.lines
    return {
        "none": VIOLATED if o.coded.comments else SATISFIED,
        "minimal": VIOLATED if o.coded.comments > 1 or rate > 0.2 else SATISFIED,
        "explanatory": SATISFIED if rate > 0.3 else VIOLATED,
    }


def _indent(o: Output) -> Verdicts:
    used = {"tabs": o.coded.tabs > 0, "spaces_2": o.coded.indent_2 > 0, "spaces_4": o.coded.indent_4 > 0}
    return {name: SATISFIED if is_used else VIOLATED for name, is_used in used.items()} if any(used.values()) else {}


def _quotes(o: Output) -> Verdicts:
    return _either("single", o.coded.single_quotes > 0, "double", o.coded.double_quotes > 0)


def _tests(o: Output) -> Verdicts:
    if not (_coded(o) or _acted(o)):
        return {}
    tested = o.coded.tests > 0 or o.acts.test_files > 0
    return {
        "tests_first": UNKNOWN if tested else VIOLATED,
        "tests_with_change": SATISFIED if tested else VIOLATED,
        "on_request": VIOLATED if tested else SATISFIED,
    }


def _packaging(o: Output) -> Verdicts:
    commands, blocks = o.coded.commands, o.prose.fence3 + o.prose.fence4
    if not (commands or _coded(o)):
        return {}
    return {
        "single_block_bash": VIOLATED if blocks > 1 else (SATISFIED if blocks == 1 and commands > 1 else UNKNOWN),
        "multi_step": VIOLATED if blocks == 1 and commands > 1 else (SATISFIED if blocks > 1 else UNKNOWN),
        "python_heredoc": SATISFIED if o.coded.heredocs else VIOLATED,
    }


def _chaining(o: Output) -> Verdicts:
    return _present("chained", "one_per_line", o.coded.chains > 0, o.coded.chains > 0 or o.coded.commands > 1)


def _clarifying(o: Output) -> Verdicts:
    asked = o.prose.ends_with_question > 0 or o.acts.asks > 0
    return _present("ask_first", "assume_and_proceed", asked, asked or _acted(o) or o.prose.words > 60)


def _planning(o: Output) -> Verdicts:
    planned = o.acts.plans > 0 or (o.prose.numbered > 1 and not _acted(o) and not _coded(o))
    return _present("plan_first", "act_directly", planned, planned or _acted(o))


def _running(o: Output) -> Verdicts:
    ran = o.acts.commands > 0
    return _present("run_directly", "show_only", ran, ran or o.coded.commands > 0)


def _committing(o: Output) -> Verdicts:
    return _present("auto_commit", "never_commit", o.acts.commits > 0, _acted(o))


def _commit_style(o: Output) -> Verdicts:
    styled = o.coded.conventional > 0 or o.coded.trailers > 0
    return _present("conventional", "plain", styled, styled or o.acts.commits > 0)


_RULES: Mapping[Dimension, Callable[[Output], Verdicts]] = MappingProxyType(
    {
        Dimension.CODE_FENCE_STYLE: _fences,
        Dimension.LIST_STYLE: _lists,
        Dimension.TABLE_USAGE: lambda o: _present("prefer", "avoid", o.prose.table_rows > 0),
        Dimension.HEADING_USAGE: lambda o: _present("use", "avoid", o.prose.headings > 0),
        Dimension.EMOJI_USAGE: lambda o: _present("allowed", "none", o.prose.emoji > 0),
        Dimension.EM_DASH_USAGE: lambda o: _present("allowed", "avoid", o.prose.em_dashes > 0),
        Dimension.RESPONSE_DENSITY: _density,
        Dimension.VERBOSITY_CEILING_TOKENS: _ceiling,
        Dimension.PREAMBLE: lambda o: _present("allowed", "none", o.prose.preamble > 0, _prose(o)),
        Dimension.CLOSING_SUMMARY: lambda o: _present("include", "none", o.prose.recap > 0, _prose(o)),
        Dimension.VERIFICATION_FOOTER: lambda o: _present(
            "compile_and_print_metrics", "none", o.prose.metrics > 0 or o.acts.commands > 0, _coded(o) or _acted(o)
        ),
        Dimension.SOURCE_CITATION: lambda o: _present("include", "none", o.prose.sources > 0),
        Dimension.CODE_DELIVERY: _delivery,
        Dimension.CODE_EXPLANATION: lambda o: _present("with_explanation", "code_only", o.prose.words > 12, _coded(o)),
        Dimension.COMMENT_DENSITY: _comments,
        Dimension.DOCSTRINGS: lambda o: _present("include", "omit", o.coded.docstrings > 0, _coded(o)),
        Dimension.TYPE_ANNOTATIONS: lambda o: _present("include", "omit", o.coded.annotations > 0, _coded(o)),
        Dimension.INDENT_STYLE: _indent,
        Dimension.QUOTE_STYLE: _quotes,
        Dimension.ERROR_HANDLING: lambda o: _present(
            "defensive", "fail_fast", o.coded.handlers + o.coded.checks > 0, _coded(o)
        ),
        Dimension.DEPENDENCY_POLICY: lambda o: _present(
            "allow_third_party", "stdlib_only", o.coded.imports + o.coded.installs > 0, _coded(o)
        ),
        Dimension.FILE_CREATION: lambda o: _present("new_files_allowed", "edit_existing", o.acts.writes > 0, _acted(o)),
        Dimension.TEST_POLICY: _tests,
        Dimension.EXECUTION_PACKAGING: _packaging,
        Dimension.TERMINAL_COMMAND_CHAINING: _chaining,
        Dimension.CLARIFICATION: _clarifying,
        Dimension.PLANNING: _planning,
        Dimension.COMMAND_EXECUTION: _running,
        Dimension.COMMIT_POLICY: _committing,
        Dimension.COMMIT_MESSAGE_STYLE: _commit_style,
        Dimension.PROGRESS_UPDATES: lambda o: _present(
            "step_by_step", "quiet", o.acts.narrations > 0, o.acts.narrations > 0 or o.acts.commands + o.acts.edits > 2
        ),
    }
)


def verdicts(output: Output) -> dict[Pair, int]:
    """`VIOLATED` or `SATISFIED` for each pair that the output decides; pairs it says nothing about are left out."""
    if output.empty or not (_prose(output) or _coded(output) or _acted(output)):
        return {}
    return {
        Pair(dimension=dimension, value=value): verdict
        for dimension, rule in _RULES.items()
        for value, verdict in rule(output).items()
        if verdict is not UNKNOWN
    }
