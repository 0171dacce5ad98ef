"""What single values add to the row of their dimension."""

from types import MappingProxyType

from habitus_classifier.tables.row import Row
from habitus_schema.vocabulary import Dimension

D = Dimension

PAIRS: MappingProxyType[tuple[D, str], Row] = MappingProxyType(
    {
        (D.LIST_STYLE, "prose"): Row(keep=0.4),
        (D.TABLE_USAGE, "prefer"): Row(block={"question": 0.3, "steps": 0.6, "codeq": 0.7, "short": 0.5}),
        (D.TABLE_USAGE, "avoid"): Row(keep=0.2),
        (D.HEADING_USAGE, "use"): Row(block={"letter": 0.9, "short": 0.5, "list_style=prose": 0.7}),
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
