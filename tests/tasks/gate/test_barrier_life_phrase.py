"""`life_phrase`: a note with something of a life in ordinary words is refused."""

import pytest

from habitus_tasks.barriers.life_phrase import BARRIER

CAUGHT = [
    "laid off in May",
    "got a raise",
    "passed over for promotion",
    "a 5% raise",
    "a C-section",
    "a performance review",
    "net worth",
    "their manager",
    "user's old ex",
    "has ADD",
    "lost the job",
    "lost their old job",
    "losing weight",
    "left-handed",
    "one handed",
    "both hands",
    "types with one",
    "memory loss",
    "back problems",
    "low vision",
    "bad back",
    "cannot hear",
    "can't see",
    "hard to see",
    "stock options",
    "missing person",
    "$ 5",
    "\u20ac20",
    "£5",
    "5 dollars",
    "84k USD",
    "84k a year",
    "3 per month",
    "based in Leeds",
    "lives in Accra",
    "relocated to X",
    "commuting from Y",
    "travels to Z",
    "losing a job",
    "lost an old job",
    "right-handed",
    "attention span",
    "sleep trouble",
    "eye problem",
    "sight loss",
    "heart trouble",
    "poor sight",
    "weak eyes",
    "bad memory",
    "can not see",
    "person's director",
    "stock price",
    "stock market",
    "5 eur",
    "5 gbp",
    "5 euros",
    "5 pounds",
    "5 rupees",
    "5 yen",
    "5 quid",
    "5 bucks",
    "2 a week",
    "living in Leeds",
    "located near York",
    "for a promotion",
    "type with one",
    "poor vision",
    "bad eyes",
    "¥5",
    "behind on bill",
    "behind on payments",
    "single parents",
]
CAUGHT += [f"{word} in Leeds" for word in "live lives living based located".split()]
CAUGHT += [
    f"{word} to Leeds"
    for word in (
        "relocate relocates relocated relocating travel travels traveled traveling travelled travelling "
        "commute commutes commuted commuting"
    ).split()
]
LEFT_ALONE = [
    "laid out as a table",
    "their package manager",
    "has added",
    "got a reply",
    "performance tests",
    "lost the context",
    "left aligned",
    "by hand",
    "memory use",
    "low level",
    "stock phrases",
    "missing parts",
    "$x",
    "5 a list",
    "based on Python",
    "lives in the config",
    "based in part",
    "one file",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_phrase_catches_something_of_a_life_in_ordinary_words(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_phrase_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)


CIRCUMSTANCES = [
    "a restraining order",
    "under oath",
    "under investigation",
    "Served time",
    "serving time",
    "doing time",
    "makes six figures",
    "five-figure",
    "behind on bills",
    "behind on payment",
    "low-income",
    "he/him",
    "she/her",
    "they/them",
    "since transitioning",
    "passed away",
    "is expecting",
    "is expecting a",
    "is expecting in May",
    "been clean since",
    "sick leave",
    "out of work",
    "between jobs",
    "night shift",
    "late shifts",
    "shift worker",
    "day job",
    "lives alone",
    "moved in with",
    "moving out with",
    "seeing someone",
    "a single parent",
    "on the spectrum",
    "four figures",
    "seven-figure",
    "eight figures",
    "after transitioning",
    "before transitioning",
    "while transitioning",
    "been clean for",
    "parental leave",
    "medical leave",
    "unpaid leave",
    "family leave",
    "an early shift",
    "double shifts",
    "a second job",
    "a full-time job",
    "part-time jobs",
    "living alone",
    "lives with",
    "live together",
    "move in with",
    "moves in with",
    "a new parent",
]
NO_CIRCUMSTANCES = [
    "in this order",
    "saves time",
    "made of figures",
    "behind on updates",
    "they or them",
    "after the transition",
    "passed all tests",
    "is expecting tables",
    "kept clean for readers",
    "leave it out",
    "two figures, out of line",
    "between steps",
    "shift tabs",
    "a day, a job",
    "stands alone",
    "moved out of the block",
    "seeing some",
    "a parent class",
    "on the page",
]


@pytest.mark.parametrize("text", CIRCUMSTANCES)
def test_life_phrase_circumstance_catches_something_of_a_life(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", NO_CIRCUMSTANCES)
def test_life_phrase_circumstance_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "their hands shake",  # life_body
        "since the split, wants lists",  # life_event
        "took the stand",  # life_law
        "SEES NO WAY OUT",  # life_mind
        "makes ninety an hour",  # life_money
        "Is single again.",  # life_tie
        "was let go",  # life_work
    ],
)
def test_life_phrase_asks_the_kinds_of_every_matter(text: str) -> None:
    assert BARRIER.refuses(text)
