"""What reaches the model's prompt."""

import random

from hypothesis import given
from hypothesis import strategies as st

from habitus_classifier import build_generation_prompt, decide
from habitus_classifier.prompt import CLOSE, MAX_LINES, OPEN, section
from habitus_schema.catalog import all_pairs, meaning
from habitus_schema.pairs import Pair

policies = st.sampled_from(["ignore", "support", "drive"])
decided = st.lists(st.tuples(st.sampled_from(all_pairs()), policies), max_size=40)


@given(decided)
def test_every_line_is_ours_or_the_catalogs(items: list[tuple[Pair, str]]) -> None:
    frame = set(section([(all_pairs()[0], "drive"), (all_pairs()[1], "support")]).split("\n"))
    words = {f"- {meaning(pair)}" for pair in all_pairs()}
    assert set(section(items).split("\n")) <= frame | words | {""}


@given(decided)
def test_it_is_empty_exactly_when_nothing_applies(items: list[tuple[Pair, str]]) -> None:
    assert bool(section(items)) == any(policy != "ignore" for _, policy in items)


@given(decided, st.integers(0, 100))
def test_its_bytes_do_not_depend_on_the_order_of_the_pairs(items: list[tuple[Pair, str]], seed: int) -> None:
    shuffled = items[:]
    random.Random(seed).shuffle(shuffled)
    assert section(shuffled) == section(items)


@given(decided, st.integers(1, 20))
def test_it_names_at_most_so_many_preferences_and_those_that_drive_first(
    items: list[tuple[Pair, str]], most: int
) -> None:
    lines = [line for line in section(items, most).split("\n") if line.startswith("- ")]
    driving = {f"- {meaning(pair)}" for pair, policy in items if policy == "drive"}
    assert len(lines) <= most
    assert len(driving & set(lines)) == min(most, len(driving))


def test_it_is_wrapped_in_the_lines_by_which_habitus_knows_its_own_text() -> None:
    text = section([(all_pairs()[0], "support")])
    assert text.startswith(OPEN + "\n")
    assert text.endswith("\n" + CLOSE)
    assert (OPEN, CLOSE) == ("<habitus-profile>", "</habitus-profile>")


def test_without_a_limit_given_a_set_number_holds() -> None:
    text = section([(pair, "support") for pair in all_pairs()])
    assert sum(line.startswith("- ") for line in text.split("\n")) == MAX_LINES


@given(st.text(max_size=400), st.lists(st.sampled_from(all_pairs()), max_size=10))
def test_the_query_ends_the_generation_prompt_untouched(query: str, pairs: list[Pair]) -> None:
    prompt = build_generation_prompt(query, pairs)
    assert prompt.endswith(query)
    assert prompt[: len(prompt) - len(query)].strip() == decide(query, pairs).prompt


def test_a_query_that_nothing_applies_to_is_the_whole_prompt() -> None:
    query = "what is the capital of Mongolia"
    assert build_generation_prompt(query, [Pair(dimension="docstrings", value="include")]) == query


def test_decisions_already_made_are_not_made_again() -> None:
    decisions = decide("compare tea and coffee", [Pair(dimension="table_usage", value="prefer")])
    assert build_generation_prompt("anything else", decisions) == f"{decisions.prompt}\n\nanything else"
