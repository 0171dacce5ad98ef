"""Structural facts of code: comments, docstrings, annotations, quotes, indentation, handlers, chaining. Counts only."""

import re
from dataclasses import dataclass

COMMENT = re.compile(
    r"(?:^|(?<=[\s;{})]))(?://(?!/?\s*$)|#(?![!#]|include|define|if|end|pragma|\w{6}\b)|--\s|/\*(?!\*)|<!--)[^\n]*",
    re.M,
)
DOCSTRING = re.compile(r'^[ \t]*[rRuU]?("""|\'\'\')|^[ \t]*/\*\*|^[ \t]*///|@(?:param|returns?)\b', re.M)
FUNCTION = re.compile(
    r"\bdef\s+\w+\s*\(|\bfunction\b\s*\w*\s*\(|\bfn\s+\w+|\bfunc\s+\w+|=>|\bfun\s+\w+\s*\(|\b(?:const|let|val|"
    r"var)\s+\w+\s*="
)
ANNOTATION = re.compile(
    r"\)\s*->\s*[\w\[\"'.]|\bdef\s+\w+\([^)\n]{0,200}\w\s*:\s*\w|[(,]\s*\w+\??:\s*(?:string|number|boolean|"
    r"any|void|[A-Z]\w*|int|str|float|"
    r"bool|list|dict)\b|\)\s*:\s*(?:string|number|boolean|void|Promise|[A-Z]\w*|\w+\[\])|\b(?:const|let|val|"
    r"var)\s+\w+\s*:\s*\w"
)
SINGLE = re.compile(r"'[^'\n]{0,80}'")
DOUBLE = re.compile(r'(?<!")"(?!"")[^"\n]{0,80}"')
TAB_INDENT = re.compile(r"^\t+\S", re.M)
SPACE_INDENT = re.compile(r"^( +)\S", re.M)
HANDLER = re.compile(
    r"\bexcept\b|\bcatch\b|\brescue\b|\bunwrap_or|\?\?|\|\|\s*(?:\[\]|\{\}|''|\"\"|null|0)|"
    r"\belse:\s*return None|2>/dev/null|\|\| true"
)
CHECK = re.compile(r"\bif (?:not |err|!|\w+ is None|\w+ == null)|\bisinstance\(|\bif \(!|\btypeof\b")
RAISE = re.compile(r"\braise\b|\bthrow\b|\bassert\b|\bpanic!?|\bset -e|\.unwrap\(\)|\bexpect\(")
IMPORT = re.compile(r"^[ \t]*(?:import|from|use|using|require|#include)\b|\brequire\(", re.M)
INSTALL = re.compile(
    r"\b(?:pip3?|npm|yarn|pnpm|cargo|go|gem|composer|poetry|uv|dotnet|brew|apt(?:-get)?)\s+(?:install|add|i|"
    r"get|require)\b"
)
CHAIN = re.compile(r"\S\s*&&\s*\S|;\s*(?:cd|git|npm|make)\b")
HEREDOC = re.compile(r"<<-?\s*['\"]?\w+")
ELISION = re.compile(
    r"(?:#|//|/\*|<!--|--)?\s*(?:\.{3}|…)[^\n]{0,60}(?:rest|unchanged|existing|same|remain|before|bisher|"
    r"reste|resto|code)|^[ \t]*(?:#|//)?\s*(?:\.{3}|…)\s*$",
    re.I | re.M,
)
DIFF = re.compile(r"^(?:@@ |\+\+\+ |--- |diff --git)|^[+-](?![+-])[^\n]*\n[+-](?![+-])", re.M)
TEST = re.compile(
    r"\bdef test_|\b(?:it|test|describe)\(['\"]|@Test\b|#\[test\]|\bassert(?:Equal|That|True)?\b|\bexpect\("
)
COMMAND = re.compile(
    r"^[ \t]*(?:\$ |sudo |git |npm |npx |pip |python3? |cd |ls |mkdir |docker |kubectl |cargo |make |curl |"
    r"apt |brew |systemctl |ssh |rm |cp |mv |source |export |pytest|yarn |go )",
    re.M,
)
CONVENTIONAL = re.compile(r"\b(?:feat|fix|chore|docs|refactor|test|style|perf|build|ci)(?:\([^)\n]{1,40}\))?!?: ")
TRAILER = re.compile(r"\b(?:Co-Authored-By|Signed-off-by|Generated with)\b", re.I)


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """Counts over the code of one output."""

    lines: int = 0
    comments: int = 0
    docstrings: int = 0
    functions: int = 0
    annotations: int = 0
    single_quotes: int = 0
    double_quotes: int = 0
    tabs: int = 0
    indent_2: int = 0
    indent_4: int = 0
    handlers: int = 0
    checks: int = 0
    raises: int = 0
    imports: int = 0
    installs: int = 0
    chains: int = 0
    heredocs: int = 0
    elisions: int = 0
    diffs: int = 0
    tests: int = 0
    commands: int = 0
    conventional: int = 0
    trailers: int = 0


def _indents(code: str) -> tuple[int, int]:
    """Lines whose indent only two-space code has, and lines of four-space code."""
    widths = [len(match.group(1)) for match in SPACE_INDENT.finditer(code)]
    by_two = sum(width % 4 == 2 for width in widths)
    by_four = sum(width % 4 == 0 for width in widths)
    return (by_two, 0) if by_two else (0, by_four)


def code_facts(code: str) -> CodeFacts:
    """The facts of one piece of code (all blocks of an output joined)."""
    if not code.strip():
        return CodeFacts()
    two, four = _indents(code)

    def count(pattern: re.Pattern[str]) -> int:
        return sum(1 for _ in pattern.finditer(code))

    return CodeFacts(
        lines=sum(bool(line.strip()) for line in code.split("\n")),
        comments=count(COMMENT),
        docstrings=count(DOCSTRING),
        functions=count(FUNCTION),
        annotations=count(ANNOTATION),
        single_quotes=count(SINGLE),
        double_quotes=count(DOUBLE),
        tabs=count(TAB_INDENT),
        indent_2=two,
        indent_4=four,
        handlers=count(HANDLER),
        checks=count(CHECK),
        raises=count(RAISE),
        imports=count(IMPORT),
        installs=count(INSTALL),
        chains=count(CHAIN),
        heredocs=count(HEREDOC),
        elisions=count(ELISION),
        diffs=count(DIFF),
        tests=count(TEST),
        commands=count(COMMAND),
        conventional=count(CONVENTIONAL),
        trailers=count(TRAILER),
    )
