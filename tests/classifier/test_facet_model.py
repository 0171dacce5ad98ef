"""The facet model: exact sums, a capped reading, and a light, bounded file."""

import random
import struct
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import features as features_module
from habitus_classifier.concepts import concepts
from habitus_classifier.evidence import NAMES, weigh
from habitus_classifier.facets import ASKS, FACETS, INDEX, asked
from habitus_classifier.features import features
from habitus_classifier.lexicon import found_in
from habitus_classifier.model import FLOOR, MAGIC, FacetModel, load
from habitus_classifier.text import READ_HEAD, READ_TAIL, WORDS_HEAD, WORDS_TAIL, read
from habitus_schema.catalog import all_pairs
from habitus_schema.vocabulary import VALUES

KINDS = (0b1, 0b110, 0b1)
"""Three kinds: the first facet, the second and third, the first again."""
OUTPUTS = len(KINDS) + len(ASKS)
TASKS_AND_ABOUT = len(FACETS) - len(ASKS)


def weights(rows: dict[int, list[int]], scale: float = 0.02) -> bytes:
    """A weights file whose features have the given weights, one an output."""
    head = MAGIC + struct.pack("<III3Q", len(rows), len(KINDS), len(ASKS), *KINDS)
    head += struct.pack(f"<{OUTPUTS}f", *[scale] * OUTPUTS) + struct.pack(f"<{OUTPUTS}f", *[0.0] * OUTPUTS)
    head += struct.pack(f"<{len(rows)}I", *sorted(rows))
    return head + bytes(weight + 128 for feature in sorted(rows) for weight in rows[feature])


@pytest.mark.parametrize("size", [0, 1, 5, 256, 257, 900])
def test_the_sums_in_big_integers_are_those_of_plain_arithmetic(size: int) -> None:
    rng = random.Random(size)
    rows = {feature: [rng.randint(-127, 127) for _ in range(OUTPUTS)] for feature in range(1, size + 1)}
    chances = FacetModel(weights(rows)).facets([*rows, 99_999])
    logits = [0.02 * sum(row[output] for row in rows.values()) / sqrt(size or 1) for output in range(OUTPUTS)]
    kinds = [exp(logit) / sum(map(exp, logits[:3])) for logit in logits[:3]]
    assert chances[:4] == pytest.approx([kinds[0] + kinds[2], kinds[1], kinds[1], 0.0], abs=1e-4)
    asks = dict(zip(ASKS, zip(chances[TASKS_AND_ABOUT:], logits[3:], strict=True), strict=True))
    for dimension, values in VALUES.items():
        rivals = [asks[asked(dimension, str(value))] for value in values]
        total = 1 + sum(exp(logit) for _, logit in rivals)  # 1 for 'nothing asked'
        for chance, logit in rivals:
            assert chance == pytest.approx(max(0.0, exp(logit) / total - FLOOR) / (1 - FLOOR), abs=1e-4)


def test_the_asks_alone_are_the_tail_of_all_facets() -> None:
    model = FacetModel(weights({7: [90] * OUTPUTS, 8: [-30] * OUTPUTS}))
    assert model.asks([7, 8]) == model.facets([7, 8])[TASKS_AND_ABOUT:]


@pytest.mark.parametrize("spoil", [lambda data: b"XXXX" + data[4:], lambda data: data[:-1], lambda data: data + b"\0"])
def test_a_file_that_does_not_fit_is_refused(spoil) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="do not fit"):
        FacetModel(spoil(weights({1: [0] * OUTPUTS})))


def test_every_pair_of_the_catalog_has_an_ask() -> None:
    assert list(ASKS) == [str(pair) for pair in all_pairs()]
    assert len(NAMES) == len(set(NAMES.values()))


@given(st.text(max_size=4000))
def test_whatever_the_query_all_chances_lie_in_0_to_1(query: str) -> None:
    evidence = weigh(query)
    assert len(evidence.vector) == len(NAMES)
    assert all(0.0 <= chance <= 1.0 for chance in evidence.vector)
    assert all(0.0 <= missed <= 1.0 for missed in evidence.missed)


@given(st.text(max_size=300), st.text(max_size=300))
def test_what_stands_between_head_and_tail_of_a_long_query_is_not_read(one: str, two: str) -> None:
    head, tail = "please look at this " * 50, " and tell me why it fails" * 40
    fill = "x" * 700
    left, right = (read(f"{head}{fill}{middle}{fill}{tail}") for middle in (one.ljust(300), two.ljust(300)))
    assert left.words == right.words


@given(st.text(max_size=9000))
def test_what_is_read_is_capped(query: str) -> None:
    reading = read(query)
    # Compatibility forms may be longer than the character they stand for: U+FDFA is the longest, 18 for 1.
    assert len(reading.exact) <= 18 * (WORDS_HEAD + WORDS_TAIL + 1)
    assert READ_HEAD + READ_TAIL <= 1000


def test_pasted_code_is_a_cue_and_not_prose() -> None:
    reading = read("what is wrong here?\n```python\ndef secret_name(x):\n    return x\n```")
    assert "secret" not in reading.words
    assert "code" in reading.cues
    assert "code" in read("why?\nfor (int i = 0; i < n; i++) {\n  run(i);\n}").cues
    assert "code" not in read("why?\nbecause it is late\nand I am tired").cues


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("explain it in two sentences", "150"),
        ("in 80 words", "150"),
        ("erklär das in drei Sätzen", "150"),
        ("en 200 palabras", "300"),
        ("about half a page on owls", "600"),
        ("on one page", "1200"),
        ("用三句话解释", "150"),
        ("200字以内", "150"),
        ("в двух предложениях", "150"),
    ],
)
def test_a_stated_length_is_read(query: str, value: str) -> None:
    found = dict(found_in(read(query)))
    assert max(found, key=found.__getitem__) == INDEX[f"verbosity_ceiling_tokens={value}"]


@pytest.mark.parametrize("query", ["5 words that rhyme", "a word for tired", "what is page rank", "sentences"])
def test_a_number_of_things_is_no_length(query: str) -> None:
    assert not list(found_in(read(query)))


def test_an_essay_of_2000_words_asks_for_detail() -> None:
    assert INDEX["response_density=detailed_explanatory"] in dict(found_in(read("a 2000 word essay on tides")))


@pytest.mark.parametrize("query", ["(" * 200_000, "a." * 200_000, "`" * 100_000, "\n  x" * 100_000, "' " * 100_000])
def test_of_a_hostile_query_no_more_is_looked_at_than_of_others(query: str) -> None:
    found = features(read(query))
    assert len(found.whole) < 2_000
    assert len(found.clauses) <= 4
    assert weigh(query).vector == weigh(query[: READ_HEAD + READ_TAIL] + query[-READ_TAIL:]).vector


@pytest.mark.parametrize(
    ("token", "dense"),
    [("表格", True), ("표", True), ("ตาราง", True), ("table", False), ("стол", False), ("जल", False)],
)
def test_scripts_without_spaces_are_known_by_their_characters(token: str, dense: bool) -> None:
    assert features_module._dense(token) is dense


def test_features_hold_no_text() -> None:
    found = features(read("my secret plan, and the other one"))
    assert all(isinstance(feature, int) for part in (found.whole, *found.clauses) for feature in part)
    assert "secret" not in repr(found)
    assert "secret" not in repr(read("my secret plan"))
    assert "secret" not in repr(weigh("my secret plan"))


@pytest.mark.parametrize(
    ("words", "concept", "found"),
    [
        ("a table of trains", "table", True),
        ("a bulletproof installer", "bullets", False),
        ("tablet or phone", "table", False),  # the whole word only
        ("unstable weather", "table", False),
        ("zusammenfassen bitte", "summary", True),
        ("用表格说明", "table", True),  # no spaces: anywhere
        ("이걸 표로 보여줘", "table", True),
        ("as a side by side view", "table", True),
    ],
)
def test_a_stem_of_the_lexicon_matches_where_it_must(words: str, concept: str, found: bool) -> None:
    assert (concept in concepts(words.split(" "))) == found


def test_only_words_that_the_weights_know_are_kept_between_queries() -> None:
    weigh("please explain the zorgblattian wedding of quexorine")
    assert {"please", "explain", "wedding"} <= set(features_module._PUBLIC)
    assert not {"zorgblattian", "quexorine"} & set(features_module._PUBLIC)


@given(st.text(max_size=300))
def test_what_is_kept_changes_no_feature(query: str) -> None:
    reading = read(query)
    assert features(reading, load().known) == features(reading)
