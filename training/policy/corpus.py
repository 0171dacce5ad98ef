"""Reads the written queries and composes them with the written asks ('as a table', 'no tests'), by a fixed seed."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from habitus_classifier.facets import IMPLIES

DATA = Path(__file__).with_name("data")
FORM = (
    "list_style",
    "table_usage",
    "heading_usage",
    "emoji_usage",
    "em_dash_usage",
    "response_density",
    "verbosity_ceiling_tokens",
    "answer_order",
    "preamble",
    "closing_summary",
    "source_citation",
)
"""Dimensions that a query of any subject may ask for; the others go with queries about software only."""
JOINS = ("{q}, {a}", "{q}. {a}", "{q} - {a}", "{a}: {q}", "{q} {a}", "{q}\n{a}", "{a}. {q}", "{q} ({a})", "{a}, {q}")
SEED = 6
MADE = 0.12
"""The share of compositions whose ask comes from the templates of `polarity`."""
Asks = tuple[list[dict], list[dict]]
"""Asks that were written one by one, and those made from templates."""


@dataclass(frozen=True)
class Row:
    """One training query: its text, its facets, and how much it counts."""

    text: str
    facets: frozenset[str]
    weight: float


def closed(facets: list[str]) -> frozenset[str]:
    """The facets with all that they imply."""
    found, todo = set(), list(facets)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(IMPLIES.get(name, ()))
    return frozenset(found)


def lines(names: str) -> list[dict]:
    """The objects of the data files of that name, or of those that a pattern names, in the order of their names."""
    return [json.loads(line) for path in sorted(DATA.glob(names)) for line in path.read_text("utf-8").splitlines()]


def polarity(rng: random.Random) -> list[dict]:
    """Each thing that can be left out or put in, said with each template of its language: 'without tests'."""
    entries = lines("polarity.jsonl")
    things = [entry for entry in entries if "words" in entry]
    templates = {entry["lang"]: entry for entry in entries if "words" not in entry}
    return [
        {"lang": thing["lang"], "asks": thing[side], "phrase": template.replace("{x}", rng.choice(thing["words"]))}
        for thing in things
        for side in ("without", "with")
        for template in templates[thing["lang"]][f"templates_{side}"]
    ]


def _fits(ask: str, facets: frozenset[str]) -> bool:
    dimension = ask.partition("=")[0]
    if any(facet.partition("=")[0] == dimension for facet in facets):
        return False
    if dimension in FORM:
        return True
    return "tech" in facets or ("agent" in facets and dimension in ("clarification", "planning", "progress_updates"))


def _composed(row: Row, asks: Asks, rng: random.Random, times: int) -> Iterator[Row]:
    written, made = asks
    for _ in range(times):
        ask = rng.choice(made if made and rng.random() < MADE else written)
        if _fits(ask["asks"], row.facets):
            text = rng.choice(JOINS).format(q=row.text, a=ask["phrase"])
            gone = {"short"} if ask["asks"] == "response_density=detailed_explanatory" else set()
            yield Row(text, (row.facets - gone) | {ask["asks"]}, 0.5)


def _framed(rng: random.Random, times: int) -> Iterator[Row]:
    """Each frame with some of its fillers, so that the frame and not its subject tells the facets."""
    fillers = {entry["slot"]: entry["words"] for entry in lines("fillers.jsonl")}
    for entry in lines("frames.jsonl"):
        for _ in range(times):
            text = entry["frame"]
            for slot, words in fillers.items():
                text = text.replace("{" + slot + "}", rng.choice(words))
            yield Row(text, closed(entry["facets"]), 0.3)


def _polite(row: Row, openings: list[str], rng: random.Random) -> Row:
    """The row with a courtesy before or after it: courtesies say nothing of the facets."""
    opening = rng.choice(openings)
    return Row(opening.format(q=row.text), row.facets, row.weight * 0.5)


def rows(times: int = 3) -> list[Row]:
    """All training rows: the queries, the asks alone, and compositions in the same language."""
    rng = random.Random(SEED)
    asks = lines("asks-*.jsonl")
    made = polarity(rng)
    by_language: dict[str, Asks] = {}
    for place, source in enumerate((asks, made)):
        for ask in source:
            by_language.setdefault(ask["lang"], ([], []))[place].append(ask)
    courtesies = {entry["lang"]: entry["courtesies"] for entry in lines("courtesies.jsonl")}
    found = [Row(ask["phrase"], frozenset({ask["asks"]}), 1.0) for ask in asks]
    found += [Row(ask["phrase"], frozenset({ask["asks"]}), 0.25) for ask in made]
    for entry in lines("queries-*.jsonl"):
        row = Row(entry["query"], closed(entry["facets"]), 1.0)
        found.append(row)
        if "chat" not in row.facets:
            found.append(_polite(row, courtesies.get(entry["lang"], ["{q}"]), rng))
            found.extend(_composed(row, by_language.get(entry["lang"], (asks, [])), rng, times))
    for row in _framed(rng, 5):
        found.append(row)
        found.extend(_composed(row, by_language["en"], rng, 1))
    return found
