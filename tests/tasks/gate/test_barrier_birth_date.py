"""`birth_date`: a note with a date of birth or an age is refused."""

import pytest

from habitus_tasks.barriers.birth_date import BARRIER

CAUGHT = [
    "born in May",
    "date of birth",
    "their birthday",
    "birthdate",
    "DOB",
    "birthplace",
    "aged 40",
    "age: 34",
    "b. 1980",
    "turning 66",
    "turned 50",
    "turns 30",
    "age 44",
    "age of 44",
    "52 year old",
    "52-year-old",
    "52 yrs of age",
    "52yo",
    "30 y/o",
    "on 1967-09-26",
    "on 06/10/99",
    "on 6.10.1967",
    "10 March 1957",
    "10 March 2001",
    "1st of May, 1899",
    "10th of March 1957",
    "March 10, 1957",
    "Mar 3rd 2001",
    "on 1857-09-26",
    "on 06/10/1899",
    "2nd May 1957",
    "3rd May 1957",
    "22nd of June 2003",
    "May 1st, 1957",
    "May 2nd, 1957",
    "May 4th, 1957",
    "May 10, 1857",
    "5 May 1857",
    "3rd May 2003",
    "4th May 2003",
    "May 1st, 2003",
    "May 2nd, 2003",
    "May 4th, 2003",
]
CAUGHT += [
    f"4 {word} 2003"
    for word in "January February March April May June July August September October November December Jan Sept".split()
]
LEFT_ALONE = [
    "3 May 2026",
    "March 14, 2026",
    "on 2026-03-14",
    "on 05/03/26",
    "1970-01-01",
    "ages of caches",
    "turning 5 bullets into 3",
    "10 years of logs",
    "in 2019",
    "1950 tokens",
    "10 makes 2005",
    "1980-based",
    "an old reply",
    "aged out",
    "aged 40% less",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_birth_date_catches_a_date_of_birth_or_an_age(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_birth_date_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
