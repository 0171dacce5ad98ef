"""Names in a person's words: the entity that a wish may be tied to. Whether it is tied is decided elsewhere."""

import re
import unicodedata

from habitus_tasks.extract.pieces import tokens

_QUOTED = re.compile("['\"‘“«„「『]([^'\"’”»“」』\\n]{2,40})['\"’”»“」』]")
_CODE_NAME = re.compile(r"\b[a-z0-9]+(?:[-_][a-z0-9]+)+\b")
_WORD = re.compile(r"[^\W\d_][\w’'&.-]*[\w]|[^\W\d_]")
_KINDS = (
    "project|repo|repository|client|customer|account|team|company|case|file|newsletter|list|blog|site|shop|app|thesis|"
    "projekt|kunde|kundin|kunden|mandat|mandant|firma|projet|client|cliente|dossier|proyecto|projeto|progetto|klant|"
    "проект|клиент|проєкт|клієнт|klient|klienta|projekcie|proje|müşteri|proyek|klien|dự án|khách|kund|zákazník"
)
_KIND_NAME = re.compile(rf"\b(?:{_KINDS})\w{{0,3}}\s+(?:of\s+|de\s+|von\s+)?([^\W_][\w'&.-]+)", re.IGNORECASE)
_EAST = re.compile(
    "([\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7afA-Za-z0-9]{2,12}?)(?:这个|這個|の|이라는|라는)?"
    "(?:项目|項目|专案|客户|公司|案子|案件|仓库|プロジェクト|リポジトリ|さん|様|社|案|프로젝트|저장소|고객|회사|건은|건에|씨|님)"
)
_ABJAD = re.compile(r"(?:مشروع|عميل|شركة|مستودع|فريق|פרויקט|לקוח|חברת|תיק|הפרויקט)\s+([^\W_][\w'-]+)")
_STARTS = re.compile(r"(?:^|[.!?:;\n•*-]\s*|[\"'(“«„]\s*)$")
_COMMON = frozenset(
    [
        "i",
        "i'm",
        "i'd",
        "i'll",
        "i've",
        "ok",
        "english",
        "german",
        "french",
        "spanish",
        "italian",
        "dutch",
        "python",
        "javascript",
        "typescript",
        "java",
        "rust",
        "go",
        "sql",
        "html",
        "css",
        "json",
        "yaml",
        "markdown",
        "bash",
        "git",
        "github",
        "gitlab",
        "slack",
        "word",
        "excel",
        "outlook",
        "notion",
        "windows",
        "linux",
        "mac",
        "macos",
        "docker",
        "api",
        "url",
        "pdf",
        "csv",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "postgres",
        "postgresql",
        "mysql",
        "redis",
        "react",
        "vue",
        "node",
        "npm",
        "pip",
        "ui",
        "ux",
        "tl",
        "dr",
        "todo",
        "readme",
    ]
)


LONGEST = 4
"""Of the longest words of a text so many are looked up: a name that matters is seldom among its short words."""


def normalised(name: str) -> str:
    """A name as an identity: compatibility form, case folded, without possessive ending and outer punctuation."""
    folded = unicodedata.normalize("NFKC", name).casefold().strip(" \t\n'\"’.,:;!?()-")
    return re.sub("['’]s?$", "", folded)


def _capitalised(text: str) -> list[str]:
    """Words with a capital that no sentence start explains; neighbours join to one name."""
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word = match.group()
        if not word[0].isupper() or normalised(word) in _COMMON:
            continue
        if _STARTS.search(text[max(0, match.start() - 4) : match.start()]) and not any(c.isupper() for c in word[1:]):
            continue
        if found and text[found[-1][1] : match.start()] in (" ", " & ", " von ", " de "):
            found[-1] = (found[-1][0], match.end())
        else:
            found.append((match.start(), match.end()))
    return [text[start:end] for start, end in found]


def marked_names(text: str) -> list[str]:
    """Names that stand beside a word for their kind ('project X', 'X 项目'), quoted, or spelled like a repository."""
    found = [match.group(1) for pattern in (_KIND_NAME, _ABJAD, _EAST) for match in pattern.finditer(text)]
    found = [name for name in found if normalised(name) not in _COMMON]
    return found + [match.group(1) for match in _QUOTED.finditer(text)] + _CODE_NAME.findall(text)


def rarest_word(text: str) -> str:
    """The word that the encoder's vocabulary knows least: a name, when something in the text is one. Empty for none."""
    words = sorted(set(_WORD.findall(text)), key=lambda word: (-len(word), word))[:LONGEST]
    return max(words, key=lambda word: (len(tokens(word)), len(word)), default="")


def entity_name(text: str) -> str:
    """The normalised name a wish in this text is tied to: a capitalised, marked, or else the least known word."""
    for found in (_capitalised(text), marked_names(text)):
        if found:
            return normalised(found[0])
    return normalised(rarest_word(text))
