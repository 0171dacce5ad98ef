"""The edit rule: the person's version against the assistant's. Only a wholly structural difference counts."""

import difflib
from collections.abc import Callable, Sequence
from enum import StrEnum

from habitus_schema.pairs import Pair
from habitus_schema.vocabulary import (
    CodeFenceStyle,
    CommentDensity,
    Dimension,
    Docstrings,
    EmDashUsage,
    EmojiUsage,
    HeadingUsage,
    IndentStyle,
    ListStyle,
    QuoteStyle,
    TableUsage,
    TerminalCommandChaining,
    TypeAnnotations,
)
from habitus_tasks.extract.canonical import code_tokens, prose_words
from habitus_tasks.extract.code_facts import CodeFacts, code_facts
from habitus_tasks.extract.output import looks_like_code
from habitus_tasks.extract.prose_facts import FENCE, ProseFacts, prose_facts

SAME_WORDS = 0.86
"""Share of words two versions of prose must have in common, in order: joining list points into sentences adds a few."""
MAX_CHARS = 20_000
"""Characters of a version above which versions are not compared: the comparison of prose takes quadratic time."""
MIN_WORDS = 4
"""Words under which two versions of prose are too short to be compared."""


def _change(before: int, after: int) -> int:
    """+1 when a form appeared, -1 when it went away altogether, else 0."""
    return int(not before and after > 0) - int(before > 0 and not after)


def _comments(before: CodeFacts, after: CodeFacts) -> CommentDensity | None:
    if after.comments > before.comments:
        return CommentDensity.EXPLANATORY
    if after.comments == before.comments:
        return None
    return CommentDensity.MINIMAL if after.comments else CommentDensity.NONE


def _indent(before: CodeFacts, after: CodeFacts) -> IndentStyle | None:
    def style(facts: CodeFacts) -> IndentStyle | None:
        found = [
            (IndentStyle.TABS, facts.tabs),
            (IndentStyle.SPACES_2, facts.indent_2),
            (IndentStyle.SPACES_4, facts.indent_4),
        ]
        used = [name for name, count in found if count]
        return used[0] if len(used) == 1 else None

    new = style(after)
    return new if new and style(before) and new is not style(before) else None


def _quotes(before: CodeFacts, after: CodeFacts) -> QuoteStyle | None:
    if before.double_quotes and not before.single_quotes and after.single_quotes and not after.double_quotes:
        return QuoteStyle.SINGLE
    if before.single_quotes and not before.double_quotes and after.double_quotes and not after.single_quotes:
        return QuoteStyle.DOUBLE
    return None


def _pick(change: int, appeared: StrEnum, gone: StrEnum) -> StrEnum | None:
    return {1: appeared, -1: gone}.get(change)


def _code_changes(before: CodeFacts, after: CodeFacts) -> dict[Dimension, StrEnum | None]:
    chains = _change(before.chains, after.chains)
    return {
        Dimension.COMMENT_DENSITY: _comments(before, after),
        Dimension.DOCSTRINGS: _pick(_change(before.docstrings, after.docstrings), Docstrings.INCLUDE, Docstrings.OMIT),
        Dimension.TYPE_ANNOTATIONS: _pick(
            _change(before.annotations, after.annotations), TypeAnnotations.INCLUDE, TypeAnnotations.OMIT
        ),
        Dimension.INDENT_STYLE: _indent(before, after),
        Dimension.QUOTE_STYLE: _quotes(before, after),
        Dimension.TERMINAL_COMMAND_CHAINING: _pick(
            chains, TerminalCommandChaining.CHAINED, TerminalCommandChaining.ONE_PER_LINE
        ),
    }


def _list(before: ProseFacts, after: ProseFacts) -> ListStyle | None:
    styles = {ListStyle.BULLETS: after.bullets, ListStyle.NUMBERED: after.numbered}
    olds = {ListStyle.BULLETS: before.bullets, ListStyle.NUMBERED: before.numbered}
    for style, count in styles.items():
        if count > 1 and not olds[style]:
            return style
    return ListStyle.PROSE if sum(olds.values()) > 1 and not sum(styles.values()) else None


def _prose_changes(before: ProseFacts, after: ProseFacts) -> dict[Dimension, StrEnum | None]:
    return {
        Dimension.LIST_STYLE: _list(before, after),
        Dimension.TABLE_USAGE: _pick(_change(before.table_rows, after.table_rows), TableUsage.PREFER, TableUsage.AVOID),
        Dimension.HEADING_USAGE: _pick(_change(before.headings, after.headings), HeadingUsage.USE, HeadingUsage.AVOID),
        Dimension.EMOJI_USAGE: _pick(_change(before.emoji, after.emoji), EmojiUsage.ALLOWED, EmojiUsage.NONE),
        Dimension.EM_DASH_USAGE: _pick(
            _change(before.em_dashes, after.em_dashes), EmDashUsage.ALLOWED, EmDashUsage.AVOID
        ),
    }


def _fence_change(before: ProseFacts, after: ProseFacts) -> dict[Dimension, StrEnum | None]:
    if before.fence3 and not before.fence4 and after.fence4 and not after.fence3:
        return {Dimension.CODE_FENCE_STYLE: CodeFenceStyle.QUAD_BACKTICK}
    if before.fence4 and not before.fence3 and after.fence3 and not after.fence4:
        return {Dimension.CODE_FENCE_STYLE: CodeFenceStyle.TRIPLE_BACKTICK}
    return {}


def _pairs(changes: dict[Dimension, StrEnum | None]) -> frozenset[Pair]:
    return frozenset(Pair(dimension=dimension, value=str(value)) for dimension, value in changes.items() if value)


def _similar(before: Sequence[str], after: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, before, after, autojunk=False).ratio()


def _is_code(text: str) -> bool:
    return looks_like_code(FENCE.sub("", text))


def _as_code(proposed: str, kept: str) -> frozenset[Pair]:
    if code_tokens(proposed) != code_tokens(kept):
        return frozenset()
    return _pairs(_code_changes(code_facts(proposed), code_facts(kept)))


def _as_prose(proposed: str, kept: str) -> frozenset[Pair]:
    before, after = prose_words(proposed), prose_words(kept)
    if min(len(before), len(after)) < MIN_WORDS or _similar(before, after) < SAME_WORDS:
        return frozenset()
    return _pairs(_prose_changes(prose_facts(proposed), prose_facts(kept)))


def structural_difference(proposed: str, kept: str) -> frozenset[Pair]:
    """The pairs that the person's version asks for: empty when the versions are equal or differ in content.

    Several forms may change at once; each gives its pair, as long as nothing else changed.
    """
    too_long = max(len(proposed), len(kept)) > MAX_CHARS
    if proposed == kept or too_long or not proposed.strip() or not kept.strip():
        return frozenset()
    fences = _fence_change(prose_facts(proposed), prose_facts(kept))
    if fences and prose_words(proposed) == prose_words(kept):
        return _pairs(fences)
    compare: Callable[[str, str], frozenset[Pair]] = _as_code if _is_code(proposed) else _as_prose
    return compare(proposed, kept)
