"""The filter in an address: closed words only, and the same filter always under the same address."""

import re
from datetime import date
from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.codes import Code, Stage
from habitus_schema.detectors import Detector
from habitus_schema.ids import ID_PATTERN
from habitus_schema.vocabulary import Dimension
from habitus_tasks.log_reading import Place, Wanted
from habitus_worker.serve.pages.filters import MAX_ID, Chosen, link, parse, safe_link

DAYS = st.dates(date(1000, 1, 1))
TENANTS = st.from_regex(r"[a-z0-9]{1,8}-[0-9a-f]{32}", fullmatch=True, alphabet=st.characters(max_codepoint=127))
CHOSEN = st.builds(
    Chosen,
    st.builds(
        Wanted, *(st.none() | st.sampled_from(kind) for kind in (Code, Stage, Dimension, Detector)),
        st.none() | DAYS, st.none() | DAYS,
    ),
    st.none() | st.builds(Place, DAYS, st.integers(0, MAX_ID)),
    st.none() | TENANTS,
)  # fmt: skip
NAMES = st.sampled_from(["code", "stage", "dimension", "detector", "since", "until", "before", "tenant"]) | st.text()


def fields(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.partition("?")[2]))


@given(chosen=CHOSEN)
def test_an_address_leads_back_to_its_filter(chosen: Chosen) -> None:
    assert parse(fields(link(chosen))) == (chosen, True)
    assert safe_link(link(chosen)) == link(chosen)


@given(query=st.dictionaries(NAMES, st.text() | TENANTS.map("{}\n".format) | TENANTS))
def test_whatever_is_asked_the_address_holds_closed_words_only(query: dict[str, str]) -> None:
    chosen, _ = parse(query)
    words = {*map(str, [*Code, *Stage, *Dimension, *Detector])}
    for name, value in fields(link(chosen)).items():
        assert (
            value in words
            or (name in ("since", "until", "before") and value.replace("-", "").replace(".", "").isdigit())
            or (name == "tenant" and re.fullmatch(ID_PATTERN[1:-1], value))
        )


@given(text=st.text() | st.text().map("/log?".__add__))
def test_a_link_to_go_on_with_stays_on_this_site(text: str) -> None:
    assert safe_link(text) == "/" or safe_link(text) == "/log" or safe_link(text).startswith("/log?")


def test_a_value_that_is_not_the_logs_is_noticed() -> None:
    for query in (
        {"code": "one_off"},
        {"since": "2026-02-30"},
        {"before": "7"},
        {"colour": "red"},
        {"until": "20260101"},
        {"tenant": "acme"},
        {"tenant": f"k1-{1:032x} "},
    ):
        assert parse(query) == (Chosen(), False)
    assert parse({"code": "", "since": ""}) == (Chosen(), True)
