"""The names of the method's description."""

import pytest

from habitus_classifier import Module, Policy, classify_preference
from habitus_schema.errors import UsageError
from habitus_schema.pairs import Pair

TABLES = Pair(dimension="table_usage", value="prefer")


def test_a_pair_of_the_catalog_is_judged_by_the_built_in_backend() -> None:
    assert classify_preference("train or plane to Vienna, compare them", TABLES) is Policy.PREFERENCE_DRIVEN
    assert classify_preference("fix the login button", TABLES) is Policy.IGNORE


def test_free_text_needs_a_ranker_and_its_words_stay_out_of_the_error() -> None:
    with pytest.raises(UsageError) as caught:
        classify_preference("dinner?", "loves anchovies")
    assert "anchovies" not in str(caught.value)


def test_free_text_is_judged_by_the_three_modules_of_a_ranker() -> None:
    seen = []

    def ranker(module: Module, query: str, preference: str) -> str:
        seen.append((module, query, preference))
        return "C > B > A"

    assert classify_preference("what is for dinner?", "vegan", ranker) is Policy.PREFERENCE_DRIVEN
    assert seen == [(module, "what is for dinner?", "vegan") for module in Module]


def test_two_of_three_modules_decide_when_one_times_out() -> None:
    def ranker(module: Module, query: str, preference: str) -> str:
        if module is Module.MLE:
            raise TimeoutError
        return "B > C > A"

    assert classify_preference("q", "p", ranker) is Policy.SUPPORT


def test_one_module_alone_decides_nothing() -> None:
    def ranker(module: Module, query: str, preference: str) -> str:
        if module is not Module.MLE:
            raise OSError
        return "C > B > A"

    assert classify_preference("q", "p", ranker) is Policy.IGNORE
