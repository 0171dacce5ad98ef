"""The log's filter in a page's address: closed words, days and ids only, so that a link is stable and never an echo."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode

from habitus_schema.codes import Code, Stage
from habitus_schema.detectors import Detector
from habitus_schema.ids import ID_PATTERN
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_reading import Place, Wanted

Word = TypeVar("Word", bound=StrEnum)
MAX_ID = 2**63 - 1
MAX_TENANT = 41
_ID = re.compile(ID_PATTERN.strip("^$"))


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a page of the log shows: the lines, from where on, and for an operator of which tenant (a keyed id)."""

    wanted: Wanted = field(default_factory=Wanted)
    before: Place | None = None
    tenant: str | None = None


def parse(query: Mapping[str, str]) -> tuple[Chosen, bool]:
    """The filter in the fields of an address or a form, and whether every value was one of the log's."""
    words = {
        "code": _word(Code, query.get("code", "")),
        "stage": _word(Stage, query.get("stage", "")),
        "dimension": _word(Dimension, query.get("dimension", "")),
        "detector": _word(Detector, query.get("detector", "")),
        "since": _day(query.get("since", "")),
        "until": _day(query.get("until", "")),
        "before": _place(query.get("before", "")),
        "tenant": tenant_in(query),
    }
    known = all(words[name] is not None for name in words if query.get(name)) and not (set(query) - set(words))
    before, tenant = words.pop("before"), words.pop("tenant")
    place = before if isinstance(before, Place) else None
    return Chosen(Wanted(**words), place, tenant if isinstance(tenant, str) else None), known  # type: ignore[arg-type]


def tenant_in(query: Mapping[str, str]) -> str | None:
    """The tenant's keyed id in the fields of an address; None when there is none that could be one."""
    text = query.get("tenant", "")
    return text if len(text) <= MAX_TENANT and _ID.fullmatch(text) else None


def link(chosen: Chosen) -> str:
    """The address of the log so filtered; the same filter always has the same one."""
    names = ("code", "stage", "dimension", "detector", "since", "until")
    fields = {name: str(value) for name in names if (value := getattr(chosen.wanted, name)) is not None}
    fields |= {"tenant": chosen.tenant} if chosen.tenant is not None else {}
    fields |= {"before": f"{chosen.before.day}.{chosen.before.id}"} if chosen.before is not None else {}
    return f"/log?{urlencode(fields)}" if fields else "/log"


def safe_link(text: str) -> str:
    """An address of ours that `text` names: the log's with what is valid of its filter, or the overview."""
    path, _, query = text.partition("?")
    if path != "/log" or len(query) > 1000:
        return "/"
    return link(parse(dict(parse_qsl(query, max_num_fields=None)))[0])


def _word(kind: type[Word], text: str) -> Word | None:
    return kind(text) if text in kind.__members__.values() else None


def _day(text: str) -> date | None:
    if len(text) != 10 or not text.isascii():
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _place(text: str) -> Place | None:
    day, _, number = text.partition(".")
    found = _day(day)
    if found is None or not (0 < len(number) < 20 and number.isascii() and number.isdigit() and int(number) <= MAX_ID):
        return None
    return Place(found, int(number))
