"""RPEval's figures are exact on known answers, over made-up files of the same shape."""

import json
from pathlib import Path

import pytest

from habitus_classifier.rpeval.baselines import always_ignore, preference_only
from habitus_classifier.rpeval.figures import MISSING, figures
from habitus_classifier.rpeval.files import LABELS, fingerprint, load
from habitus_schema.errors import HabitusError

SPELLINGS = {
    "A": ["ignore"],
    "B": ["support", "supportive", "支持性偏好"],
    "C": ["dominate"],
}
WORDS = {"A": "off the subject", "B": "of some help", "C": "the very thing"}


def single() -> list[dict[str, object]]:
    """150 records, 50 a class, on 60 questions, in every spelling."""
    letters = "ABC" * 50
    return [
        {
            "question": f"question {at % 60}",
            "persona": f"a {WORDS[letter]} preference, number {at}",
            "intent_type": SPELLINGS[letter][at % len(SPELLINGS[letter])],
        }
        for at, letter in enumerate(letters)
    ]


def golds() -> list[str]:
    """The labels of 150 multi records with the counts of the real files: 60 all A with 264 slots, 641 A's of 803."""
    all_a = ["A" * 4] * 36 + ["A" * 5] * 24
    others, a_left, rest_left = [], 641 - 264, 803 - 641
    for at in range(90):
        records = 90 - at
        a, rest = -(-a_left // records), -(-rest_left // records)
        others.append("A" * a + "BC"[at % 2] * rest)
        a_left, rest_left = a_left - a, rest_left - rest
    return [*all_a, *others]


def multi() -> list[dict[str, object]]:
    return [
        {
            "question": f"question {at % 70}",
            "persona": [f"a {WORDS[letter]} preference, {at} {place}" for place, letter in enumerate(gold)],
            "implicit_persona": [f"user: {WORDS[letter]} in {at} {place}" for place, letter in enumerate(gold)],
            "intent_type": gold,
        }
        for at, gold in enumerate(golds())
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clone") / "benchmark_dataset" / "explicit_preference"
    path.mkdir(parents=True)
    (path / "single_testset.json").write_text(json.dumps(single()))
    (path / "multi_testset.json").write_text(json.dumps(multi()))
    return path.parent.parent


def test_always_ignore_gives_the_known_answers(folder: Path) -> None:
    records = load(folder)
    found = figures(records, always_ignore(records))
    counts = {name: (figure.right, figure.of) for name, figure in found.items()}
    assert counts == {
        "single": (50, 150),
        "micro": (641, 803),
        "micro_ia": (264, 264),
        "micro_lko": (377, 539),
        "macro": (60, 150),
        "macro_ia": (60, 60),
        "macro_lko": (0, 90),
    }
    assert round(found["single"].share, 3) == 0.333


def test_the_labels_themselves_score_everything_and_no_answers_nothing(folder: Path) -> None:
    records = load(folder)
    assert all(each.share == 1.0 for each in figures(records, {r.name: r.gold for r in records}).values())
    assert all(each.right == 0 < each.of for each in figures(records, {}).values())


def test_a_parse_failure_is_wrong_even_where_ignore_is_right(folder: Path) -> None:
    records = load(folder)
    found = figures(records, {r.name: MISSING * len(r.gold) for r in records})
    assert found["micro_ia"].right == found["single"].right == 0


def test_too_few_letters_are_wrong_and_too_many_do_not_help(folder: Path) -> None:
    records = [record for record in load(folder) if record.kind == "multi"]
    assert figures(records, {r.name: r.gold[:-1] for r in records})["macro"].right == 0
    assert figures(records, {r.name: r.gold + "A" for r in records})["micro"].right == 803


def test_the_interval_is_by_question_and_holds_the_share(folder: Path) -> None:
    records = load(folder)
    found = figures(records, always_ignore(records))
    for figure in found.values():
        assert figure.low <= figure.share <= figure.high
    assert 0.0 < found["micro"].low < found["micro"].high < 1.0
    alone = [record for record in records if record.question == "question 1"]
    one = figures(alone, always_ignore(alone))["micro"]
    assert one.low == one.high == one.share


def test_the_preference_alone_tells_a_set_whose_labels_are_in_its_wording(folder: Path) -> None:
    records = load(folder)
    found = figures(records, preference_only(records))
    assert found["single"].share > 0.95
    assert found["micro"].share > 0.95


def test_every_spelling_of_a_label_is_known() -> None:
    for spelling in ("ignore", "support", "supportive", "支持性偏好", "dominate"):
        assert spelling in LABELS
    assert set(LABELS.values()) == {"A", "B", "C"}


def test_conversations_are_read_in_an_implicit_set_and_statements_elsewhere(tmp_path: Path) -> None:
    for name in ("explicit_preference", "implicit_preference"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "multi_testset.json").write_text(json.dumps(multi()[:1]))
    explicit, implicit = load(tmp_path)
    assert explicit.preferences[0].startswith("a ")
    assert implicit.preferences[0].startswith("user: ")


def test_only_the_first_records_of_each_file_are_read_when_so_asked(folder: Path) -> None:
    assert [record.kind for record in load(folder, 3)] == ["multi"] * 3 + ["single"] * 3


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[7]", '[{"question": "secret"}]', '[{"question": "secret", "persona": "p", "intent_type": "maybe"}]'],
)
def test_a_file_of_another_form_is_refused_without_its_text(tmp_path: Path, text: str) -> None:
    (tmp_path / "single_testset.json").write_text(text)
    with pytest.raises(HabitusError) as caught:
        load(tmp_path)
    assert "secret" not in str(caught.value)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HabitusError, match="name a clone of RPEval"):
        load(tmp_path)


def test_the_fingerprint_changes_with_the_data(tmp_path: Path) -> None:
    path = tmp_path / "single_testset.json"
    path.write_text("[]")
    first = fingerprint(tmp_path)
    path.write_text("[ ]")
    assert fingerprint(tmp_path) != first
