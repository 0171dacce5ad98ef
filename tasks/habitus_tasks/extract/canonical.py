"""The content of a text with its form taken away: equal for two versions that differ in structure only."""

import re

LINE_COMMENT = re.compile(r"(?:(?<=\s)|^)(?://|#(?!!)|--(?=\s))[^\n]*", re.M)
BLOCK_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/|<!--(?:[^-]|-(?!->))*-->")
DOC_BLOCK = re.compile(r'^[ \t]*[rRuU]?(?:"""(?:[^"]|"(?!""))*"""|\'\'\'(?:[^\']|\'(?!\'\'))*\'\'\')[ \t]*\n?', re.M)
DOC_AFTER = re.compile(r'(?<=:)[ \t]*"""(?:[^"]|"(?!""))*"""')
RETURN_TYPE = re.compile(
    r"(?<=\))\s*->\s*[^:{\n]{1,80}(?=\s*[:{\n])|(?<=\))\s*:\s*[A-Za-z_][\w\[\]<>|., ]{0,60}(?=\s*(?:\{|=>|;))"
)
VARIABLE_TYPE = re.compile(r"(?<=\w)\??:\s*[A-Za-z_][\w\[\]<>|.]{0,60}(?:,\s*\w+[\]>])?(?:\s*\|\s*\w+)?(?=\s*[,)=;])")
GENERIC = re.compile(r"(?<=\w)<[A-Z]\w*(?:[^<>\n]{0,60})>(?=\()|(?<==)\s*<[A-Z][^<>\n]{0,60}>(?=\s*\()")
TYPING_IMPORT = re.compile(r"^\s*from (?:typing|collections\.abc|__future__) import [^\n]*\n?", re.M)
QUOTES = re.compile("[\"'`«»“”„‘’「」]")
LIST_MARK = re.compile(r"^[ \t]*(?:[-*•·‣+]|\(?\d{1,2}[.)、])[ \t]+", re.M)
HEADING_MARK = re.compile(r"^[ \t]*#{1,6}[ \t]+", re.M)
EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.M)
EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3\ufe0f\u200d]")
WORD = re.compile(r"[^\W_]+")
CODE_TOKEN = re.compile(r"\w+|[^\w\s]")


def bare_of_comments(code: str) -> str:
    """Code without comments; docstrings stay."""
    return LINE_COMMENT.sub("", BLOCK_COMMENT.sub(" ", code))


def bare_of_docstrings(code: str) -> str:
    """Code without docstrings (Python's, and block comments, which document in other languages)."""
    return DOC_AFTER.sub("", DOC_BLOCK.sub("", code))


def bare_of_annotations(code: str) -> str:
    """Code without type annotations, and without the imports that only they need."""
    bare = RETURN_TYPE.sub("", TYPING_IMPORT.sub("", code))
    return GENERIC.sub("", VARIABLE_TYPE.sub("", bare))


def code_tokens(code: str) -> list[str]:
    """Code as tokens, free of comments, docstrings, annotations, quote style, layout and chaining."""
    bare = bare_of_annotations(bare_of_comments(bare_of_docstrings(FENCE_LINE.sub("", code))))
    return [mark for mark in CODE_TOKEN.findall(QUOTES.sub("'", bare)) if mark not in "&;'," and mark != "pass"]


def prose_words(text: str) -> list[str]:
    """Prose as case-folded words, free of list marks, heading marks, tables, emphasis, emoji and dashes."""
    bare = EMOJI.sub(" ", EMPHASIS.sub("", HEADING_MARK.sub("", LIST_MARK.sub("", FENCE_LINE.sub("", text)))))
    return [word.casefold() for word in WORD.findall(bare)]
