"""Facets: what a query is like, in yes-or-no terms that a small linear model can tell. One list, in a fixed order.

The order is part of the weights file: a facet is added at the end of its list and the model trained again.
"""

from types import MappingProxyType

from habitus_schema.vocabulary import VALUES, Dimension

TASKS: MappingProxyType[str, str] = MappingProxyType(
    {
        "tech": "its subject is software, computers or operations",
        "code": "asks for new code of any size",
        "file": "the deliverable is a whole file, script, module or configuration",
        "config": "the code has no functions or strings to style: SQL, regex, Dockerfile, YAML, cron, CSS",
        "change": "asks for a change to code that exists",
        "trivial": "a small mechanical change: a typo, a rename, a version bump",
        "codeq": "a question about code, whose answer may show code",
        "shell": "the answer holds terminal commands",
        "setup": "the answer is several terminal commands",
        "run": "asks the assistant to run, build, restart or look at something on the machine",
        "agent": "the assistant is to act in a repository or on a machine",
        "big": "work of many steps",
        "vague": "a task that leaves open what exactly is wanted",
        "commit": "asks for a commit",
        "message": "asks for the text of a commit message",
        "question": "the answer has a conclusion: yes or no, which, why, what is wrong",
        "explain": "asks for an explanation",
        "compare": "choosing between options, or their differences",
        "steps": "a procedure: a recipe, a how-to",
        "listing": "asks for a list of things",
        "fact": "rests on facts that a source could back",
        "advice": "asks for advice that depends on the person's situation",
        "prose": "the deliverable is a text to be read: essay, report, notes, README",
        "doc": "a structured text with parts: design document, outline, plan, README",
        "letter": "a text to somebody else or to the public: letter, mail, post, invitation, speech",
        "creative": "a poem, a name, a slogan, a story",
        "transform": "a given text or value is translated, corrected, converted or computed",
        "chat": "greeting, thanks, small talk",
        "short": "the whole answer is a word, a line or a sentence or two",
        "medium": "goes where Markdown does not show: a slide, a text message, a caption, read aloud",
        "recap": "asks what was said or done so far",
        "summary": "asks for something to be made shorter or summed up",
        "data": "works on records: CSV, spreadsheets, statistics",
    }
)
"""What is asked for."""

ABOUT: MappingProxyType[str, str] = MappingProxyType(
    {
        "fence": "about code fences or Markdown itself",
        "emoji": "about emoji, or making a text friendlier",
        "dash": "about punctuation and dashes",
        "length": "about the length of a text or answer",
        "sources": "about sources and references",
        "comments": "about comments in code",
        "docstrings": "about docstrings or API documentation",
        "types": "about type hints",
        "indent": "about indentation or code formatting",
        "quotes": "about quote characters in code",
        "errors": "about error handling and robustness",
        "deps": "about libraries and dependencies",
        "files": "about where code lives, new or existing files",
        "tests": "about writing tests",
        "plan": "about a plan or what to do next",
        "progress": "about being kept informed during work",
        "verify": "about measuring, building, proving that it works",
    }
)
"""What a dimension governs is the subject of the query."""

ASKS: tuple[str, ...] = tuple(f"{dimension}={value}" for dimension, values in VALUES.items() for value in values)
"""The query itself asks for what this pair gives."""

FACETS: tuple[str, ...] = (*TASKS, *ABOUT, *ASKS)
INDEX = MappingProxyType({name: index for index, name in enumerate(FACETS)})

IMPLIES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "code": ("tech",),
        "config": ("tech",),
        "change": ("tech",),
        "trivial": ("change",),
        "codeq": ("tech",),
        "setup": ("shell",),
        "shell": ("tech",),
        "commit": ("tech", "agent"),
        "message": ("tech",),
        "doc": ("prose",),
        "compare": ("question",),
    }
)
"""What else is true of a query with this facet; applied when training."""


NEEDS: MappingProxyType[Dimension, frozenset[str]] = MappingProxyType(
    {
        Dimension.CODE_FENCE_STYLE: frozenset({"fencing"}),
        Dimension.LIST_STYLE: frozenset({"bullets", "numbered", "list", "prosetext"}),
        Dimension.TABLE_USAGE: frozenset({"table"}),
        Dimension.HEADING_USAGE: frozenset({"heading", "shape"}),
        Dimension.EMOJI_USAGE: frozenset({"emoji"}),
        Dimension.EM_DASH_USAGE: frozenset({"dashes"}),
        Dimension.PREAMBLE: frozenset({"opening"}),
        Dimension.CLOSING_SUMMARY: frozenset({"closing", "summary", "recap"}),
        Dimension.ANSWER_ORDER: frozenset({"ordering"}),
        Dimension.VERIFICATION_FOOTER: frozenset({"executing", "measurement", "measure", "run", "test"}),
        Dimension.SOURCE_CITATION: frozenset({"source"}),
        Dimension.COMMENT_DENSITY: frozenset({"comments"}),
        Dimension.DOCSTRINGS: frozenset({"docstring"}),
        Dimension.TYPE_ANNOTATIONS: frozenset({"types", "language"}),
        Dimension.INDENT_STYLE: frozenset({"format"}),
        Dimension.QUOTE_STYLE: frozenset({"format"}),
        Dimension.CHANGE_SCOPE: frozenset({"scope", "only"}),
        Dimension.FILE_CREATION: frozenset({"newfile", "essay"}),
        Dimension.TEST_POLICY: frozenset({"test"}),
        Dimension.EXECUTION_PACKAGING: frozenset({"shellform"}),
        Dimension.TERMINAL_COMMAND_CHAINING: frozenset({"shellform"}),
        Dimension.CLARIFICATION: frozenset({"ask", "freehand"}),
        Dimension.PLANNING: frozenset({"plan", "goahead"}),
        Dimension.COMMAND_EXECUTION: frozenset({"executing", "run", "command"}),
        Dimension.COMMIT_POLICY: frozenset({"commit"}),
        Dimension.COMMIT_MESSAGE_STYLE: frozenset({"commit"}),
    }
)
"""Concepts of the short lexicon without which an ask about the dimension is doubted: a bare 'without' names nothing."""


def asked(dimension: Dimension, value: str) -> str:
    """The name of the facet 'the query asks for this pair'."""
    return f"{dimension}={value}"
