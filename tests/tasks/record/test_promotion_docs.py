"""The worked cases of docs/promotion.md: each is run here, and the table in the document is made from them.

``python tests/tasks/record/test_promotion_docs.py`` writes the table anew.
"""

from datetime import date, timedelta
from pathlib import Path

import pytest

from habitus_tasks.history import Vote, replay
from habitus_tasks.promote import PromotionRule

DOCUMENT = Path(__file__).parents[3] / "docs" / "promotion.md"
BEGIN, END = "<!-- cases: begin (generated) -->", "<!-- cases: end -->"
RULE = PromotionRule(k=2, window_days=180)
START = date(2026, 1, 1)

# (what it shows, the votes as "day context value", '!' for a standing statement, the day it is looked at, the outcome)
CASES = [
    ("one context is never enough", "1 A short!, 2 A short!, 3 A short", 3, "none"),
    ("two distinct contexts", "1 A short, 2 B short", 2, "short, promoted"),
    ("K contexts, but a rival is only one behind", "1 A short, 2 B long, 3 C short", 3, "none"),
    ("leads every rival by K", "1 A short, 1 B short, 1 C short, 1 D long", 1, "short, promoted"),
    ("the K most recent contexts say it", "1 A short, 2 B short, 3 C short, 4 D long, 5 E long", 5, "long, promoted"),
    (
        "... even against a long lead",
        "1 A short, 2 B short, 3 C short, 4 D short, 5 E long, 6 F long",
        6,
        "long, promoted",
    ),
    (
        "... which counts again once the recent ones disagree",
        "1 A short, 2 B short, 3 C short, 4 D short, 5 E long, 6 F long, 7 G short",
        7,
        "short, promoted",
    ),
    ("values that alternate hold one another back", "1 A short, 2 B long, 3 C short, 4 D long", 4, "none"),
    ("an incumbent stays when one rival context appears", "1 A short, 2 B short, 3 C long", 3, "short, promoted"),
    ("a standing statement for a rival contests at once", "1 A short, 2 B short, 3 C long!", 3, "short, contested"),
    ("... whatever the lead", "1 A short, 2 B short, 3 C short, 4 D short, 5 E long!", 5, "short, contested"),
    (
        "... until it is said again and the rule holds",
        "1 A short, 2 B short, 3 C long!, 4 D short",
        4,
        "short, promoted",
    ),
    ("... or the rival is promoted", "1 A short, 2 B short, 3 C long!, 4 D long", 4, "long, promoted"),
    ("a day has no order: one rival on it is enough", "1 A short, 2 B long, 3 C short, 3 D short, 3 E long", 3, "none"),
    ("the same contexts change their mind", "1 A short, 2 B short, 8 A long, 9 B long", 9, "long, promoted"),
    ("at the edge of the window", "1 A short, 2 B short", 181, "short, promoted"),
    ("under K inside the window", "1 A short, 2 B short", 182, "none"),
    ("fresh evidence keeps it", "1 A short, 2 B short, 170 C short", 182, "short, promoted"),
    ("no lead yet", "1 A long, 5 B short, 9 C short, 9 D short, 9 E long", 9, "none"),
    (
        "... until a rival context expires",
        "1 A long, 5 B short, 9 C short, 9 D short, 9 E long",
        182,
        "short, promoted",
    ),
    (
        "... and it stays when it loses one",
        "1 A long, 5 B short, 9 C short, 9 D short, 9 E long",
        187,
        "short, promoted",
    ),
]


def votes_of(story: str) -> list[Vote]:
    votes = []
    for part in story.split(", "):
        day, context, value = part.split()
        votes.append(Vote(value.rstrip("!"), context, START + timedelta(days=int(day)), value.endswith("!")))
    return votes


def outcome_of(story: str, day: int) -> str:
    settlement = replay(votes_of(story), RULE, START + timedelta(days=day))
    return f"{settlement.value}, {settlement.status}" if settlement.value else "none"


def table() -> str:
    rows = [f"| {shows} | {story} | {day} | {outcome_of(story, day)} |" for shows, story, day, _ in CASES]
    head = "| what it shows | votes: day, context, value (`!` standing) | on day | in the profile |"
    return "\n".join([BEGIN, head, "| --- | --- | --- | --- |", *rows, END])


@pytest.mark.parametrize(("shows", "story", "day", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_worked_case_comes_out_as_written(shows: str, story: str, day: int, expected: str) -> None:
    assert outcome_of(story, day) == expected


def test_the_table_of_the_document_is_the_one_made_from_the_cases() -> None:
    assert table() in DOCUMENT.read_text("utf-8")


if __name__ == "__main__":
    text = DOCUMENT.read_text("utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    DOCUMENT.write_text(before + table() + after, "utf-8")
