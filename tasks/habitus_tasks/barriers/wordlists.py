"""The word lists, read once from the text files beside this one (``words/``; docs/gate.md says how they were made).

A file holds words separated by white space; a line that begins with ``#`` is a remark.
"""

from pathlib import Path

from habitus_schema.vocabulary import VALUES

_FOLDER = Path(__file__).with_name("words")


def read(name: str) -> frozenset[str]:
    """The words of one file of the folder, as they are spelled there."""
    lines = (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _catalog_words() -> frozenset[str]:
    names = [name.value for dimension, values in VALUES.items() for name in (dimension, *values)]
    return frozenset(word for name in names for word in name.split("_") if word.isalpha())


NAMES = read("names")
"""Names that may stand anywhere in this spelling: tools, languages of programs, formats, acronyms, weekdays, months."""
FORM = read("form") | _catalog_words()
"""Words about the form of answers, code and ways of working, with the function words; a capital may stand on any."""
WORDS = FORM | read("general") | frozenset(name.lower() for name in NAMES if name.isalpha())
"""Every word that may stand in a note, in lower case. `habitus_tasks.barriers.vocabulary.published` hands it out."""
MIXED = read("mixed")
"""Tokens of letters and digits that may stand, in lower case ("utf8", "h2")."""
DOTTED = read("dotted")
"""Tokens with dots that may stand, in lower case: abbreviations, names of tools, names of usual files."""
CODE_ROOTS = read("code_roots")
"""First parts of dotted names of usual libraries ("os" of ``os.path``), in lower case."""
IDIOMS = frozenset(phrase.replace("_", " ") for phrase in read("idioms"))
"""Turns of phrase in lower case, a space for each space or hyphen ("pet peeve"): a word of one that is not in `WORDS`
may stand within it, nowhere else."""
SENSITIVE = read("sensitive")
"""Words that speak of a person's life, in lower case; none of them is in `WORDS`. They name the reason only."""
