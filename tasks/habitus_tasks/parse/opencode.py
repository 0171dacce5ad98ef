"""opencode sessions: a list of ``{info, parts}``, bare or under ``messages`` of an export."""

from collections.abc import Iterable, Mapping

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import as_list, as_map, as_text, moment
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import act_on
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import own_text


def read_records(records: Iterable[object], limits: Limits) -> Transcript:
    """The transcript of one session's messages.

    Args:
        records: the messages; anything but an object with ``info`` counts as a bad record.
        limits: what is kept at most.
    """
    log, session = TurnLog(limits), ""
    for record in records:
        info = as_map(as_map(record).get("info"))
        session = as_text(info.get("sessionID")) or session
        if info:
            _take(log, info, as_list(as_map(record).get("parts")))
        else:
            log.skipped += 1
    return log.transcript(Format.OPENCODE, session)


def _take(log: TurnLog, info: Mapping[str, object], parts: Iterable[object]) -> None:
    log.messages += 1
    log.saw(moment(as_map(info.get("time")).get("completed")) or moment(as_map(info.get("time")).get("created")))
    fields = [as_map(part) for part in parts]
    texts = [as_text(part.get("text")) for part in fields if part.get("type") == "text" and not _injected(part)]
    if info.get("role") == "user":
        log.person("\n\n".join(own for text in texts if (own := own_text(text))))
    elif info.get("role") == "assistant" and info.get("summary") is not True:
        for part in fields:
            if part.get("type") == "text":
                log.assistant(as_text(part.get("text")))
            elif part.get("type") == "tool":
                act_on(log, as_text(part.get("tool")), as_map(part.get("state")).get("input"))


def _injected(part: Mapping[str, object]) -> bool:
    """Parts that the tool adds (file contents, plan reminders) are marked synthetic; ignored ones were not sent."""
    return part.get("synthetic") is True or part.get("ignored") is True
