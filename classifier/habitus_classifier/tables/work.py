"""Rows for code and the way of working: the groups ``code`` and ``workflow``."""

from habitus_classifier.tables.row import Row
from habitus_schema.vocabulary import Dimension

D = Dimension

_NOT_FUNCTIONS = {"config": 0.8, "letter": 0.9, "untech": 0.9}

WORK = {
    D.CODE_DELIVERY: Row(
        # A request for a change to code drives it (settled case).
        place={"edit": 1, "file": 1, "code": 0.8, "tests": 1},
        drive={"edit": 1, "file": 0.7, "config": 0.5, "tests": 0.8},
        block={"untech": 0.9, "message": 1, "commit": 0.8, "letter": 1},
    ),
    D.CODE_EXPLANATION: Row(
        place={"codeout": 0.95, "shell": 0.8, "codeq": 0.9},
        drive={"code_explanation=with_explanation": 1},
        block={"untech": 0.9, "letter": 1, "message": 0.9, "commit": 0.9, "creative": 0.9},
    ),
    D.COMMENT_DENSITY: Row(
        place={"newcode": 1, "file": 0.8, "codetalk": 0.8},
        drive={"comments": 1},
        block={"untech": 0.9, "short": 0.5, "letter": 1, "message": 0.9, "commit": 0.9, "creative": 0.9},
    ),
    D.DOCSTRINGS: Row(
        place={"newcode": 0.9, "docstrings": 1, "comments": 0.8, "types": 0.8},
        drive={"docstrings": 1},
        block={**_NOT_FUNCTIONS, "message": 0.9, "trivial": 0.3, "codeq": 0.7},
    ),
    D.TYPE_ANNOTATIONS: Row(
        place={"newcode": 0.95, "types": 1, "docstrings": 0.8},
        drive={"types": 1},
        block={
            **_NOT_FUNCTIONS,
            "message": 0.9,
            "codeq": 0.7,
            "indent": 0.8,
            "quotes": 0.8,
            "trivial": 0.6,
            "setup": 0.9,
        },
    ),
    D.INDENT_STYLE: Row(
        place={"newcode": 0.95, "file": 0.7, "indent": 1},
        drive={"indent": 1},
        block={"untech": 0.9, "letter": 1, "message": 0.9, "codeq": 0.4},
    ),
    D.QUOTE_STYLE: Row(
        place={"newcode": 0.95, "quotes": 1, "indent": 0.7},
        drive={"quotes": 1},
        block={**_NOT_FUNCTIONS, "message": 0.9, "codeq": 0.5},
    ),
    D.ERROR_HANDLING: Row(
        place={"newcode": 0.9, "errors": 1, "big": 0.7, "data": 0.3},
        drive={"errors": 1},
        block={
            "untech": 0.9,
            "config": 0.6,
            "trivial": 0.7,
            "message": 0.9,
            "codeq": 0.2,
            "letter": 1,
            "docstrings": 0.7,
            "comments": 0.7,
        },
    ),
    D.DEPENDENCY_POLICY: Row(
        place={"code": 0.95, "big": 0.7, "deps": 1, "change": 0.5, "vague": 0.4},
        drive={"deps": 1},
        block={
            "untech": 0.9,
            "trivial": 0.8,
            "message": 0.9,
            "codeq": 0.3,
            "letter": 1,
            "comments": 0.8,
            "docstrings": 0.8,
        },
    ),
    D.CHANGE_SCOPE: Row(
        # A request for a change to code drives it (settled case).
        place={"edit": 1, "big": 0.9, "vague": 0.6, "verify": 0.7},
        drive={"edit": 1, "verify": 0.6},
        block={"untech": 0.9, "message": 1, "letter": 1, "tests": 0.3},
        calm={"vague": 0.6},
    ),
    D.FILE_CREATION: Row(
        place={"file": 0.8, "big": 0.9, "agent": 0.55, "vague": 0.7, "files": 1, "tests": 0.6},
        drive={"files": 1},
        block={"untech": 0.9, "commit": 1, "run": 0.9, "trivial": 0.9, "recap": 1, "letter": 1},
    ),
    D.TEST_POLICY: Row(
        # A request for a change to code supports it (settled case).
        place={"change": 0.95, "big": 1, "file": 0.5, "code": 0.55, "tests": 1},
        drive={"tests": 1},
        block={
            "untech": 0.9,
            "trivial": 0.9,
            "config": 0.5,
            "comments": 0.7,
            "message": 0.9,
            "indent": 0.5,
            "docstrings": 0.7,
        },
    ),
    D.EXECUTION_PACKAGING: Row(
        place={"setup": 1, "shell": 0.6},
        drive={"setup": 1},
        block={"untech": 0.9, "codeq": 0.5},
    ),
    D.TERMINAL_COMMAND_CHAINING: Row(
        place={"shell": 0.95, "setup": 1},
        drive={"setup": 0.8},
        block={"untech": 0.9, "codeq": 0.5},
    ),
    D.CLARIFICATION: Row(
        place={
            "work": 0.7,
            "vague": 1,
            "advice": 0.75,
            "letter": 0.6,
            "big": 0.9,
            "doc": 0.7,
            "plan": 0.7,
            "data": 0.5,
            "codeq": 0.65,
        },
        drive={"vague": 1},
        block={"trivial": 0.6, "recap": 0.8, "chat": 0.9, "short": 0.5, "commit": 0.6, "listing": 0.2},
        calm={"big": 0.3, "advice": 0.9, "letter": 0.9},
    ),
    D.PLANNING: Row(
        # Drives on multi-step work, else supports (settled case).
        place={"agent": 0.8, "big": 1, "vague": 0.7, "plan": 1, "change": 0.4},
        drive={"big": 1, "plan": 1},
        block={"trivial": 0.4, "recap": 0.9, "commit": 0.8, "letter": 0.9, "chat": 1},
    ),
    D.COMMAND_EXECUTION: Row(
        place={"run": 1, "shell": 0.95, "agent": 0.5, "verify": 0.8, "file": 0.3},
        drive={"run": 1, "setup": 0.2},
        block={"untech": 0.9, "message": 1, "recap": 0.9, "letter": 0.7},
    ),
    D.COMMIT_POLICY: Row(
        place={"work": 0.85, "commit": 1, "big": 0.9, "tests": 0.6, "files": 0.8},
        drive={"commit": 1},
        block={"untech": 0.9, "look": 0.7, "recap": 0.9, "plan": 0.9, "message": 0.7, "letter": 1},
    ),
    D.COMMIT_MESSAGE_STYLE: Row(
        place={"message": 1, "commit": 1, "big": 0.7, "agent": 0.3, "trivial": 0.7},
        drive={"message": 1, "commit": 1},
        calm={"question": 0.8, "shell": 0.7},
        block={"untech": 0.9, "look": 0.7, "plan": 0.9, "recap": 0.9},
    ),
    D.PROGRESS_UPDATES: Row(
        place={"work": 0.95, "big": 1, "run": 0.9, "change": 0.6, "progress": 1, "plan": 0.5},
        drive={"progress": 1},
        block={"message": 1, "recap": 0.9, "letter": 1, "chat": 1},
    ),
}
"""By dimension."""
