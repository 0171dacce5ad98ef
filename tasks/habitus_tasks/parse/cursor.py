"""Cursor agent transcripts: JSON Lines of ``{role, message}``. What a person typed lies inside ``<user_query>``."""

import re
from collections.abc import Iterable

from habitus_schema.transcript import Format, Transcript
from habitus_tasks.parse.jsonio import as_map, as_text
from habitus_tasks.parse.limits import Limits
from habitus_tasks.parse.messages import say, texts
from habitus_tasks.parse.turns import TurnLog
from habitus_tasks.parse.words import own_text

_QUERY = re.compile(r"\s*<user_query>(.*)</user_query>\s*", re.DOTALL)


def read_records(records: Iterable[object], limits: Limits) -> Transcript:
    """The transcript of one session.

    Args:
        records: the decoded lines; anything but an object with a role counts as a bad record.
        limits: what is kept at most.
    """
    log = TurnLog(limits)
    for record in records:
        role, message = as_text(as_map(record).get("role")), as_map(as_map(record).get("message"))
        if role == "user":
            log.messages += 1
            queries = [query[1] for text in texts(message.get("content")) if (query := _QUERY.fullmatch(text))]
            log.person("\n\n".join(own for query in queries if (own := own_text(query))))
        else:
            say(log, {"role": role, "content": message.get("content")})
    return log.transcript(Format.CURSOR, "")
