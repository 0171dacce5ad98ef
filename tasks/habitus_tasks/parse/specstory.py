"""SpecStory histories: Markdown with a mark before each speaker's section, one session a file."""

import re
from collections.abc import Iterable, Iterator

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import moment
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.turns import Passage, TurnLog
from habitus_tasks.parse.words import is_slash_command, own_text

_MARK = re.compile(r"_\*\*(User|Agent|Assistant)\b([^*]*)\*\*_\s*")
_SESSION = re.compile(r"<!-- .*?\bSession ([0-9a-f-]{36})\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?")
_TOOL = re.compile(r"<(tool-use|details|think)\b.*?</\1>", re.DOTALL)


def read_text(lines: Iterable[str], limits: Limits) -> Iterator[Transcript]:
    """The one transcript of the file.

    Args:
        lines: the file's lines, without their ends.
        limits: what is kept at most.
    """
    log, session, speaker = TurnLog(limits), "", ""
    section = Passage(limits)
    for line in lines:
        if mark := _MARK.fullmatch(line):
            _add(log, speaker, section)
            speaker, section = mark[1], Passage(limits)
            if time := _TIME.search(mark[2]):
                log.saw(moment(time[0]))
        elif speaker:
            section.add(line)
        elif name := _SESSION.match(line):
            session = name[1]
    _add(log, speaker, section)
    yield log.transcript(Format.SPECSTORY, session)


def _add(log: TurnLog, speaker: str, section: Passage) -> None:
    text = str(section).strip().removesuffix("---").strip()
    log.messages += bool(speaker)
    if speaker == "User":
        own = own_text(text)
        log.person("" if is_slash_command(own) else own)
    elif speaker:
        log.assistant(_TOOL.sub("", text))
