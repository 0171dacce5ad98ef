"""Tells one line of code, of a shell or of a log from a line of prose."""

import re
from enum import IntEnum

from habitus_schema.catalog import spellings


class LineKind(IntEnum):
    """What a line looks like by itself."""

    PROSE = 0
    BLANK = 1
    WEAK = 2
    """Code only beside code: a comment, an indented line, a line full of signs."""
    CODE = 3


_LONGEST = 400
"""Characters of a line that are looked at."""


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


_SURELY_CODE = _any(
    r"(?:export |default |pub |async )*(?:def|fn|func|function)\s+\w[\w.:]*\s*(?:<[^>]{0,60}>)?\s*\(",
    r"(?:public|private|protected|static)\s+[\w<>\[\], ]+\(",
    r"from\s+[\w.]+\s+import\s|import\s+[\w.*{}, ]+\s+from\s+['\"]|import\s+['\"]|#include\s*[<\"]|#define\s",
    r"using\s+[\w.:]+;|use\s+\w+::|<\?php|\?>$|\w+::\w+",
    r"(?:const|let|var)\s*[\[{]",
    r"(?:(?:const|let|var|val|auto|final|static|string|String)\s+)*[\w.$\[\]]+\s*[:|+]?=\s*[\"'`]",
    r"[\"'][^\"']{1,80}[\"']\s*:\s*\S|[\[{]\s*[\"'{\[].*[\]}],?$",
    r".*[)\]}\"'];$|.*[)\]}\"'\w>]\s?\{$|[\[\]{}(),;]+$",
)
"""What no sentence looks like."""
_CODE = _any(
    r"(?:export |public |private |protected |static |final |abstract |default )*"
    r"(?:class|interface|struct|enum|impl|trait|namespace|module)\s+\w[\w<>, :.()]*[{:(]$",
    r"@\w[\w.]*(?:\(.*\))?$",
    r"import\s+[\w.]+(?:\s+as\s+\w+)?;?$|package\s+[\w.]+;?$",
    # declarations and assignments
    r"(?:const|let|var|val|auto|int|float|double|char|bool|boolean|string|String|void|unsigned|long|size_t)\s+"
    r"[\w<>\[\]*&,{} ]+(?:=|;|\(.*[{;)]$)",
    r"(?:[\w.$\[\]'\"]+|\w+\s+\*?\w+)\s*(?:=|\+=|-=|\*=|:=|\|=)\s*"
    r"(?:[^=\s>]\S*$|[\w.]+\s*[-+*/%]\s*[\w.]+$|[^=\s>].*[()\[\]{};'\"])",
    # control flow
    r"(?:if|for|while|switch|catch|else if|elif)\s*\(.*[{};)]$",
    r"for\s+[\w, ]+\s+in\s+[\w.()\[\], :]+:",
    r"(?:if|elif|while)\s+\S.*(?:[=!<>]=|[<>(]|\bin\b|\bis\b|\bnot\b|\w\.\w).*[)\]\"'\w]:$",
    r"\}?\s*(?:else|try|finally|except|do|begin|fi|done|esac)\s*[:;{]?$",
    r"(?:except|catch|with)\s+[\w.()]+(?:\s+as\s+\w+)?:$",
    r"if\s*\(.*\)\s+(?:return|break|continue|throw)\b|assert\s+\S+\(.*|assert\s.*[=!<>]=",
    r"(?:return|yield|raise|throw|await|assert|print|echo|console\.log)\b.*[;)\]}]$",
    r"(?:return|raise)\s+(?:[\w.]+\s*[-+*/%&|<>=!]+\s*[\w.]+|None|True|False|null|nil|true|false|\d+);?$",
    # calls, mark-up, SQL and container files
    r"[\w.$]+!?\([^()]*(?:\([^()]*\)[^()]*)*\)[;,]?$",
    r"[\w.$)\]]+\(.*\)\.\w+.*[;)]$",
    r"</?[A-Za-z][^<>]*>(?:.*</?[A-Za-z][^<>]*>)?$",
    r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|(?:LEFT |INNER |OUTER )?JOIN|GROUP BY|"
    r"ORDER BY|LIMIT|VALUES|RUN|COPY|ENV|WORKDIR|ENTRYPOINT|CMD|EXPOSE)\s+\S",
    r"select\s.+\sfrom\s|insert into\s|create table\s|alter table\s|delete from\s",
)
"""What a short sentence may look like by chance."""
_SHELL = _any(
    r"(?:\$|❯|➜|%|PS [A-Z]:\\[^>]*>)\s+\S",
    r"\(?\w*\)?\s*[\w.-]+@[\w.-]+[:~ ][^$#\n]{0,80}[$#]\s",
    r"(?:sudo|apt|apt-get|brew|pip|pip3|npm|npx|yarn|pnpm|cargo|docker|kubectl|git|curl|wget|ssh|scp|chmod|systemctl|"
    r"make|python3?|node)\s+(?:-{1,2}\w|[\w./:@-]+\s+-{1,2}\w|[\w.-]+/[\w./-]+$|install\s+[\w.-]+$)",
)
_LOG = _any(
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d",
    r"\[?\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\]?\s+\W?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|\w+\[\d+\])",
    r"\W?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\W?(?::|\s-|\s\[|\s+\w+[.:])",
    r"\[\w+\]\s+\S|\[[\w.*{},\" -]+\]$",
    r"Traceback \(most recent call last\)|File \"[^\"]+\", line \d+|at\s+[\w.$<>/]+\s?\(\S*[:)]|at\s+\S+:\d+",
    r"Caused by:\s|\.\.\. \d+ more$",
    r"(?:error|fatal|panic|fatal error)(?:\[\w+\])?: \S|warning\[\w+\]: \S",
    r"(?:npm|yarn|pnpm|pip|cargo|make|gcc|husky)\s*(?:ERR!|WARN|warn|error|[>-]\s|\*\*\*|\[\d+\])",
    r"[\w/.-]+:\d+(?::\d+)?:\s",
    r"(?:PASS|FAIL|FAILED|PASSED|XFAIL|✓|✗|✖|✔|×)\s+\S",
    r"[dl-][rwx-]{9}\s|\^+[~^]*$|[EF]\s{2,}\S|={3,}.*={3,}$|\d+ (?:passed|failed)\b",
    r"diff --git |index [0-9a-f]{7,}\.\.|--- a/|\+\+\+ b/|@@ ",
    r"(?=[a-f]*\d)[0-9a-f]{4,40}\s+\w+(?:\([\w-]+\))?!?:",
)
_NAMED_ERROR = re.compile(r"[\w.]+(?:Error|Exception|Warning|Panic):\s|(?:warning|hint|note|help): \S")
_COMMENT = re.compile(r"//|/\*|\*/|\*\s|#(?!\w)|#!|--\s|<!--|\"{3}|'{3}|;;")
_LIST_ITEM = re.compile(r"(?:[-+•]\s+|\*\s+\w|\d{1,3}[.)]\s+)")
_SIGNS = re.compile(r"[{}()\[\];=<>|&$\\/*+~^%@#]")
_THREE_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,}")


def kind_of(line: str) -> LineKind:
    """The kind of one line. A literal spelling of the catalog ('zero_external_deps=True') counts as prose: it is how
    some people say what they want."""
    bare = line.strip()[:_LONGEST]
    if not bare:
        return LineKind.BLANK
    if _LIST_ITEM.match(bare) or any(spelling in bare for spelling in spellings()):
        return LineKind.PROSE
    if any(pattern.match(bare) for pattern in (_LOG, _SHELL, _SURELY_CODE)):
        return LineKind.CODE
    if _CODE.match(bare) and not _is_sentence(bare):
        return LineKind.CODE
    beside = _COMMENT.match(bare) or _NAMED_ERROR.match(bare) or line[:1] in " \t"
    return LineKind.WEAK if beside or _signs(bare) > 1 / 8 else LineKind.PROSE


def _is_sentence(line: str) -> bool:
    """Whether a line that has the form of code reads as prose: three words in a row and few signs."""
    return bool(_THREE_WORDS.search(line)) and _signs(line) <= 1 / 16


def _signs(line: str) -> float:
    return len(_SIGNS.findall(line)) / len(line)
