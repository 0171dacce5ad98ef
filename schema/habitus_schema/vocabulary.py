"""The closed vocabulary as enums. Generated from catalog.toml by ``python -m habitus_schema.generate``."""

from enum import StrEnum
from types import MappingProxyType


class Dimension(StrEnum):
    """What a preference is about."""

    CODE_FENCE_STYLE = "code_fence_style"
    LIST_STYLE = "list_style"
    TABLE_USAGE = "table_usage"
    HEADING_USAGE = "heading_usage"
    EMOJI_USAGE = "emoji_usage"
    EM_DASH_USAGE = "em_dash_usage"
    RESPONSE_DENSITY = "response_density"
    VERBOSITY_CEILING_TOKENS = "verbosity_ceiling_tokens"
    ANSWER_ORDER = "answer_order"
    PREAMBLE = "preamble"
    CLOSING_SUMMARY = "closing_summary"
    VERIFICATION_FOOTER = "verification_footer"
    SOURCE_CITATION = "source_citation"
    CODE_DELIVERY = "code_delivery"
    CODE_EXPLANATION = "code_explanation"
    COMMENT_DENSITY = "comment_density"
    DOCSTRINGS = "docstrings"
    TYPE_ANNOTATIONS = "type_annotations"
    INDENT_STYLE = "indent_style"
    QUOTE_STYLE = "quote_style"
    ERROR_HANDLING = "error_handling"
    DEPENDENCY_POLICY = "dependency_policy"
    CHANGE_SCOPE = "change_scope"
    FILE_CREATION = "file_creation"
    TEST_POLICY = "test_policy"
    EXECUTION_PACKAGING = "execution_packaging"
    TERMINAL_COMMAND_CHAINING = "terminal_command_chaining"
    CLARIFICATION = "clarification"
    PLANNING = "planning"
    COMMAND_EXECUTION = "command_execution"
    COMMIT_POLICY = "commit_policy"
    COMMIT_MESSAGE_STYLE = "commit_message_style"
    PROGRESS_UPDATES = "progress_updates"


class CodeFenceStyle(StrEnum):
    """Values of ``code_fence_style``."""

    TRIPLE_BACKTICK = "triple_backtick"
    QUAD_BACKTICK = "quad_backtick"


class ListStyle(StrEnum):
    """Values of ``list_style``."""

    BULLETS = "bullets"
    NUMBERED = "numbered"
    PROSE = "prose"


class TableUsage(StrEnum):
    """Values of ``table_usage``."""

    PREFER = "prefer"
    AVOID = "avoid"


class HeadingUsage(StrEnum):
    """Values of ``heading_usage``."""

    USE = "use"
    AVOID = "avoid"


class EmojiUsage(StrEnum):
    """Values of ``emoji_usage``."""

    NONE = "none"
    ALLOWED = "allowed"


class EmDashUsage(StrEnum):
    """Values of ``em_dash_usage``."""

    AVOID = "avoid"
    ALLOWED = "allowed"


class ResponseDensity(StrEnum):
    """Values of ``response_density``."""

    CONCISE_DIRECT = "concise_direct"
    DETAILED_EXPLANATORY = "detailed_explanatory"


class VerbosityCeilingTokens(StrEnum):
    """Values of ``verbosity_ceiling_tokens``."""

    V150 = "150"
    V300 = "300"
    V600 = "600"
    V1200 = "1200"


class AnswerOrder(StrEnum):
    """Values of ``answer_order``."""

    ANSWER_FIRST = "answer_first"
    REASONING_FIRST = "reasoning_first"


class Preamble(StrEnum):
    """Values of ``preamble``."""

    NONE = "none"
    ALLOWED = "allowed"


class ClosingSummary(StrEnum):
    """Values of ``closing_summary``."""

    NONE = "none"
    INCLUDE = "include"


class VerificationFooter(StrEnum):
    """Values of ``verification_footer``."""

    COMPILE_AND_PRINT_METRICS = "compile_and_print_metrics"
    NONE = "none"


class SourceCitation(StrEnum):
    """Values of ``source_citation``."""

    INCLUDE = "include"
    NONE = "none"


class CodeDelivery(StrEnum):
    """Values of ``code_delivery``."""

    FULL_FILE = "full_file"
    CHANGED_PARTS = "changed_parts"
    UNIFIED_DIFF = "unified_diff"


class CodeExplanation(StrEnum):
    """Values of ``code_explanation``."""

    CODE_ONLY = "code_only"
    WITH_EXPLANATION = "with_explanation"


class CommentDensity(StrEnum):
    """Values of ``comment_density``."""

    NONE = "none"
    MINIMAL = "minimal"
    EXPLANATORY = "explanatory"


class Docstrings(StrEnum):
    """Values of ``docstrings``."""

    INCLUDE = "include"
    OMIT = "omit"


class TypeAnnotations(StrEnum):
    """Values of ``type_annotations``."""

    INCLUDE = "include"
    OMIT = "omit"


class IndentStyle(StrEnum):
    """Values of ``indent_style``."""

    TABS = "tabs"
    SPACES_2 = "spaces_2"
    SPACES_4 = "spaces_4"


class QuoteStyle(StrEnum):
    """Values of ``quote_style``."""

    SINGLE = "single"
    DOUBLE = "double"


class ErrorHandling(StrEnum):
    """Values of ``error_handling``."""

    FAIL_FAST = "fail_fast"
    DEFENSIVE = "defensive"


class DependencyPolicy(StrEnum):
    """Values of ``dependency_policy``."""

    STDLIB_ONLY = "stdlib_only"
    ALLOW_THIRD_PARTY = "allow_third_party"


class ChangeScope(StrEnum):
    """Values of ``change_scope``."""

    MINIMAL_DIFF = "minimal_diff"
    REFACTOR_FREELY = "refactor_freely"


class FileCreation(StrEnum):
    """Values of ``file_creation``."""

    EDIT_EXISTING = "edit_existing"
    NEW_FILES_ALLOWED = "new_files_allowed"


class TestPolicy(StrEnum):
    """Values of ``test_policy``."""

    TESTS_FIRST = "tests_first"
    TESTS_WITH_CHANGE = "tests_with_change"
    ON_REQUEST = "on_request"


class ExecutionPackaging(StrEnum):
    """Values of ``execution_packaging``."""

    SINGLE_BLOCK_BASH = "single_block_bash"
    MULTI_STEP = "multi_step"
    PYTHON_HEREDOC = "python_heredoc"


class TerminalCommandChaining(StrEnum):
    """Values of ``terminal_command_chaining``."""

    CHAINED = "chained"
    ONE_PER_LINE = "one_per_line"


class Clarification(StrEnum):
    """Values of ``clarification``."""

    ASK_FIRST = "ask_first"
    ASSUME_AND_PROCEED = "assume_and_proceed"


class Planning(StrEnum):
    """Values of ``planning``."""

    PLAN_FIRST = "plan_first"
    ACT_DIRECTLY = "act_directly"


class CommandExecution(StrEnum):
    """Values of ``command_execution``."""

    RUN_DIRECTLY = "run_directly"
    SHOW_ONLY = "show_only"


class CommitPolicy(StrEnum):
    """Values of ``commit_policy``."""

    AUTO_COMMIT = "auto_commit"
    NEVER_COMMIT = "never_commit"


class CommitMessageStyle(StrEnum):
    """Values of ``commit_message_style``."""

    CONVENTIONAL = "conventional"
    PLAIN = "plain"


class ProgressUpdates(StrEnum):
    """Values of ``progress_updates``."""

    QUIET = "quiet"
    STEP_BY_STEP = "step_by_step"


VALUES: MappingProxyType[Dimension, type[StrEnum]] = MappingProxyType(
    {
        Dimension.CODE_FENCE_STYLE: CodeFenceStyle,
        Dimension.LIST_STYLE: ListStyle,
        Dimension.TABLE_USAGE: TableUsage,
        Dimension.HEADING_USAGE: HeadingUsage,
        Dimension.EMOJI_USAGE: EmojiUsage,
        Dimension.EM_DASH_USAGE: EmDashUsage,
        Dimension.RESPONSE_DENSITY: ResponseDensity,
        Dimension.VERBOSITY_CEILING_TOKENS: VerbosityCeilingTokens,
        Dimension.ANSWER_ORDER: AnswerOrder,
        Dimension.PREAMBLE: Preamble,
        Dimension.CLOSING_SUMMARY: ClosingSummary,
        Dimension.VERIFICATION_FOOTER: VerificationFooter,
        Dimension.SOURCE_CITATION: SourceCitation,
        Dimension.CODE_DELIVERY: CodeDelivery,
        Dimension.CODE_EXPLANATION: CodeExplanation,
        Dimension.COMMENT_DENSITY: CommentDensity,
        Dimension.DOCSTRINGS: Docstrings,
        Dimension.TYPE_ANNOTATIONS: TypeAnnotations,
        Dimension.INDENT_STYLE: IndentStyle,
        Dimension.QUOTE_STYLE: QuoteStyle,
        Dimension.ERROR_HANDLING: ErrorHandling,
        Dimension.DEPENDENCY_POLICY: DependencyPolicy,
        Dimension.CHANGE_SCOPE: ChangeScope,
        Dimension.FILE_CREATION: FileCreation,
        Dimension.TEST_POLICY: TestPolicy,
        Dimension.EXECUTION_PACKAGING: ExecutionPackaging,
        Dimension.TERMINAL_COMMAND_CHAINING: TerminalCommandChaining,
        Dimension.CLARIFICATION: Clarification,
        Dimension.PLANNING: Planning,
        Dimension.COMMAND_EXECUTION: CommandExecution,
        Dimension.COMMIT_POLICY: CommitPolicy,
        Dimension.COMMIT_MESSAGE_STYLE: CommitMessageStyle,
        Dimension.PROGRESS_UPDATES: ProgressUpdates,
    }
)
