"""The rejection codes: closed, each with a stage, a meaning and an advice."""

from habitus_schema.codes import MEANING, Code, Stage, stage_of
from habitus_schema.models import Rejection

DESIGN = {
    "parse": "MALFORMED_TRANSCRIPT UNSUPPORTED_FORMAT TOO_LARGE",
    "extract": "ONE_OFF WITHDRAWN UNDECIDED EXTRACTOR_FAILED",
    "gate": "UNKNOWN_DIMENSION UNKNOWN_VALUE FREE_TEXT PRIVATE_EMAIL PRIVATE_URL PRIVATE_DOMAIN PRIVATE_PATH "
    "PRIVATE_PHONE PRIVATE_ACCOUNT_NUMBER PRIVATE_IP PRIVATE_SECRET PRIVATE_HIGH_ENTROPY PRIVATE_NAMED_ENTITY "
    "PRIVATE_DEMOGRAPHIC PRIVATE_QUOTED_TEXT PRIVATE_EVASION",
    "record": "DUPLICATE_SESSION BELOW_RECURRENCE CONFLICTING_EVIDENCE ENTITY_COUPLED SUPERSEDED BLOCKED_BY_PERSON "
    "FORGOTTEN",
    "queue": "PAYLOAD_EXPIRED ATTEMPTS_EXHAUSTED UNSEAL_FAILED",
}


def test_the_codes_are_those_of_the_design_each_at_its_stage() -> None:
    assert {code.value: stage_of(code).value for code in Code} == {
        name: stage for stage, names in DESIGN.items() for name in names.split()
    }


def test_every_code_says_what_it_means_and_what_to_do() -> None:
    assert set(MEANING) == set(Code)
    assert all(meaning and advice for _stage, meaning, advice in MEANING.values())


def test_a_rejection_takes_its_stage_from_its_code() -> None:
    assert Rejection(code=Code.WITHDRAWN).stage is Stage.EXTRACT
