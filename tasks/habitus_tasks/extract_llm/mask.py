"""Hides what is private in a person's words before they go to an endpoint. Numbers stand in place of what is hidden.

The gate's barriers say whether a note holds something private, not where; so each barrier that refuses a line is asked
about shorter and shorter runs of its words, and the shortest that it refuses are hidden. Names have no shape: a capital
within a sentence is taken for one, unless it is of the published list (in German, where every noun has one, only two in
a row are). In English all else that is not on the published list goes as well: a wish about form does not need it.
What cannot be placed hides its whole line.
"""

import re
import unicodedata
from collections.abc import Iterator

from habitus_schema.codes import Code
from habitus_tasks.barriers import BARRIERS, capitals, characters, vocabulary
from habitus_tasks.barriers.barrier import Barrier
from habitus_tasks.barriers.wordlists import FORM, NAMES
from habitus_tasks.extract.names import marked_names
from habitus_tasks.extract_llm.config import Masking
from habitus_tasks.extract_llm.tongue import Tongue, scripts_of, tongue_of

_LEFT_ALONE = frozenset({"code_snippet", "quoted_text", "capitals", "vocabulary"})
SHAPES = tuple(barrier for barrier in BARRIERS if barrier.name not in _LEFT_ALONE)
"""The barriers that know something private by its shape. What is left out refuses whole notes for their manner, or is
asked word by word below."""
LONGEST_RUN = 8
"""Words of the longest thing that a barrier knows: a postal address."""
_EAST = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_EAST}]+|[^\s{_EAST}]+")
_QUOTES = re.compile("['\"‘’“”«»„「」『』]")
_OUTER = " \t.,;:!?()[]{}<>*_`'\"’”»“«…。，！？、-—–"
_ENDS = (".", "!", "?", ":", "…", "。", "！", "？")
_GROUP = re.compile(r"[+(]?\d[\d()./-]*[,;.]?")
_NUMERIC = frozenset({Code.PRIVATE_PHONE, Code.PRIVATE_ACCOUNT_NUMBER})
_Span = tuple[int, int]


class Mask:
    """The mask of one session: the same words get the same number throughout. Its repr shows nothing."""

    def __init__(self, level: Masking) -> None:
        self._level = level
        self._numbers: dict[str, int] = {}

    def __repr__(self) -> str:
        return "Mask()"

    def hide(self, text: str) -> str:
        """The text with ``[hidden N]`` in place of what is private, without disguises such as zero-width characters."""
        if self._level is Masking.OFF:
            return text
        plain = "".join(c for c in characters.fold(text) if unicodedata.category(c) != "Cf")
        tongue = tongue_of(plain)
        return "\n".join(self._line(line, tongue) for line in plain.split("\n"))

    def name(self, number: int | None) -> str:
        """What a number stands for, in lower case; empty for a number that was not given out."""
        return next((name for name, given in self._numbers.items() if given == number), "")

    def _line(self, line: str, tongue: Tongue) -> str:
        tokens = [match.span() for match in _TOKEN.finditer(line)]
        hidden = _shaped(line, tokens)
        if hidden is None:
            return self._number(line)
        hidden |= {at for at, span in enumerate(tokens) if self._is_known(line, span)}
        hidden |= _named(line, tokens, tongue) | _foreign(line, tokens, tongue)
        if self._level is Masking.WORDS:
            hidden |= _unlisted(line, tokens, tongue)
        return self._written(line, tokens, hidden)

    def _is_known(self, line: str, span: _Span) -> bool:
        return line[slice(*span)].strip(_OUTER).casefold() in self._numbers

    def _written(self, line: str, tokens: list[_Span], hidden: set[int]) -> str:
        """The line with each run of hidden words replaced; the marks around a run stay, since they end sentences."""
        parts, last = [], 0
        for first, final in _runs(hidden):
            run = line[tokens[first][0] : tokens[final][1]]
            inner = run.strip(_OUTER)
            if not inner:
                continue
            start = tokens[first][0] + run.index(inner)
            parts += [line[last:start], self._number(inner)]
            last = start + len(inner)
        return "".join([*parts, line[last:]])

    def _number(self, words: str) -> str:
        return f"[hidden {self._numbers.setdefault(words.strip().casefold(), len(self._numbers) + 1)}]"


def _runs(hidden: set[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring positions as (first, last)."""
    for first in sorted(at for at in hidden if at - 1 not in hidden):
        last = first
        while last + 1 in hidden:
            last += 1
        yield first, last


def _shaped(line: str, tokens: list[_Span]) -> set[int] | None:
    """Which words hold something of a private shape; None when it is there and cannot be placed."""
    hidden: set[int] = set()
    for barrier in SHAPES:
        if barrier.refuses(line):
            found = _shortest(barrier, line, tokens)
            if not found:
                return None
            hidden |= found
    return hidden


def _shortest(barrier: Barrier, line: str, tokens: list[_Span]) -> set[int]:
    """The words of the shortest runs that a barrier refuses, until it refuses no more of the rest."""
    found: set[int] = set()
    for length in range(1, LONGEST_RUN + 1):
        for first in range(len(tokens) - length + 1):
            run = range(first, first + length)
            if found.isdisjoint(run) and barrier.refuses(line[tokens[first][0] : tokens[run[-1]][1]]):
                found.update(run)
        if found and not barrier.refuses(_without(line, tokens, found)):
            break
    return _digits_of(found, line, tokens) if barrier.code in _NUMERIC else found


def _digits_of(found: set[int], line: str, tokens: list[_Span]) -> set[int]:
    """A number that was found as its groups of digits, those on both sides too, without the words that led to it."""
    words = [line[slice(*span)] for span in tokens]
    grown = {at for at in found if any(c.isdigit() for c in words[at])} or found
    for at in range(1, len(words)):
        if at - 1 in grown and _GROUP.fullmatch(words[at]) and words[at - 1][-1] not in ",;":
            grown.add(at)
    for at in range(len(words) - 2, -1, -1):
        if at + 1 in grown and _GROUP.fullmatch(words[at]) and words[at][-1] not in ",;":
            grown.add(at)
    return grown


def _without(line: str, tokens: list[_Span], hidden: set[int]) -> str:
    return " ".join("it" if at in hidden else line[slice(*span)] for at, span in enumerate(tokens))


def _starts(line: str, tokens: list[_Span], at: int) -> bool:
    """Whether a sentence or an item starts at this word."""
    before = line[: tokens[at][0]].rstrip().rstrip("\"'*`(")
    return not before or before.endswith((*_ENDS, "-", "\u2022")) or before.strip(".)").isdigit()


def _named(line: str, tokens: list[_Span], tongue: Tongue) -> set[int]:
    """Which words are names: by a capital that no sentence start explains, or beside a word for their kind."""
    words = [line[slice(*span)].strip(_OUTER) for span in tokens]
    high = {
        at
        for at, word in enumerate(words)
        if word[:1].isupper() and not _listed(word) and not _starts(line, tokens, at)
    }
    if tongue is Tongue.GERMAN:
        high = {at for at in high if at + 1 in high or at - 1 in high}
    high |= {at - 1 for at in high if at and words[at - 1][:1].isupper() and _joined(line, tokens, at)}
    marked = {name for name in marked_names(_QUOTES.sub(" ", line)) if tongue is not Tongue.ENGLISH}
    return high | {at for at, word in enumerate(words) if word and any(word in name.split() for name in marked)}


def _joined(line: str, tokens: list[_Span], at: int) -> bool:
    """Whether only spaces stand before this word: a first name at the start of a sentence goes with its second."""
    return not line[tokens[at - 1][0] : tokens[at][0]].rstrip().endswith(tuple(_OUTER.strip()))


def _listed(word: str) -> bool:
    """Whether a capital may stand on this word anywhere. Short forms with an apostrophe count by their stem."""
    stem = word.partition("'")[0]
    return word in NAMES or stem in NAMES or stem.lower() in FORM or not capitals.catches(f"a {word}")


def _unlisted(line: str, tokens: list[_Span], tongue: Tongue) -> set[int]:
    """Which words are not published: of an English text any, of a text in another script those in Latin letters."""
    if tongue not in (Tongue.ENGLISH, Tongue.OTHER_SCRIPT):
        return set()
    rest = vocabulary.without_idioms(line)
    words = [rest[slice(*span)] for span in tokens]
    return {at for at, word in enumerate(words) if scripts_of(word) == {True} and vocabulary.catches(word)}


def _foreign(line: str, tokens: list[_Span], tongue: Tongue) -> set[int]:
    """Which words are in another script than the text, or in two at once: names, or letters that look like others."""
    strange = ({False}, {True, False}) if tongue is not Tongue.OTHER_SCRIPT else ({True, False},)
    return {at for at, span in enumerate(tokens) if scripts_of(line[slice(*span)]) in strange}
