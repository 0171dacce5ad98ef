"""`life_event`: what happened to somebody, or until when, is caught."""

import pytest

from habitus_tasks.barriers.life_event import KINDS
from habitus_tasks.barriers.life_pattern import says

CAUGHT = [
    "since the split",
    "because of a bad fall",
    "since their long case, wants lists",
    "after the split",
    "had a bad scare, wants lists",
    "had a bad fall",
    "when the scan results come back",
    "till their new results came through",
    "since it happened",
    "because of what happened in june",
    "since what was done to them",
    "the operation went wrong",
    "gets up at four",
    "no tables since 2019-06-30",
    "quiet until friday",
]
CAUGHT += [
    f"since the {x}"
    for x in "split crash move fall loss scare breakdown operation cuts raise review case results".split()
]
CAUGHT += [f"{x} the split" for x in ("since", "because of", "after", "until", "over")]
CAUGHT += [f"since {x} split" for x in ("a", "the", "their", "the long")]
CAUGHT += [f"after {x}" for x in ("the split", "their split")]
CAUGHT += [f"after the {x}" for x in "split crash move fall loss scare breakdown operation cuts".split()]
CAUGHT += [f"had a {x}" for x in ("scare", "fall", "loss", "breakdown", "bad scare")]
CAUGHT += [
    f"{x} results come back"
    for x in ("until the", "till the", "before the", "when the", "until their", "until the test")
]
CAUGHT += [f"until the results {x}" for x in ("come back", "came back", "come through")]
CAUGHT += [
    f"{x} happened"
    for x in ("since it", "after that", "because of this", "since everything", "since what", "since it all")
]
CAUGHT += [f"the {x} went badly" for x in "move review case scan operation".split()]
CAUGHT += [f"the move went {x}" for x in "badly wrong".split()]
CAUGHT += [f"{x} up at four" for x in "get gets getting".split()]
CAUGHT += [f"{x} 2024-02-03" for x in "since until till".split()]
CAUGHT += [f"{x} friday" for x in "next last this coming by before until till since".split()]
CAUGHT += [f"by {x}" for x in "monday tuesday wednesday thursday friday saturday sunday".split()]
CAUGHT += [f"since 1999-02-03{x}" for x in ".".split()]
CAUGHT += [f"{x} may 2021" for x in "since until till".split()]
CAUGHT += [
    f"since {x} 2021" for x in ("4 may", "4th may", "1st of may", "2nd may", "3rd may", "may 4", "may 4,", "august")
]
CAUGHT += [f"since {x} 1999" for x in "jan feb mar apr may jun jul aug sep oct nov dec".split()]
LEFT_ALONE = [
    "since the split was clean",
    "because of the results table",
    "after the split commands",
    "before the move",
    "since may",
    "since mode 2021",
    "since may 5021",
    "after the results",
    "had a split",
    "had a fall back",
    "until the results are in",
    "until the results come as a table",
    "before it happened",
    "since the error happened",
    "the case went on",
    "what was done to the code",
    "the move went well",
    "gets up to four",
    "dated 2019-06-30",
    "since 2021",
    "until 5019-06-30",
    "on friday",
    "every friday",
    "monday",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_life_event_catches_an_event(text: str) -> None:
    assert says(KINDS, text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_life_event_leaves_a_near_miss_alone(text: str) -> None:
    assert not says(KINDS, text)
