"""`secret_token`: a note with a key with a known prefix is refused."""

import pytest

from habitus_tasks.barriers.secret_token import BARRIER

CAUGHT = [
    "sk-abcdef1",
    "sk_live_abc123",
    "pk_test_1234",
    "rk_live_1234",
    "ak-123456",
    "whsec_abcd1234",
    "cus_abcd1234",
    "acct_abcd1234",
    "ghp_abc123",
    "gho_abc123",
    "github_pat_abc123",
    "glpat-abc123",
    "xoxb-123456",
    "xapp-123456",
    "AKIA12345678",
    "ASIAABCD1234",
    "AIzaSy12345678",
    "ya29.a0123456",
    "GOCSPX-abc123",
    "1//0abcdefghij",
    "eyJhbGciOi1",
    "hf_abcd1234",
    "npm_abcd1234",
    "pypi-abcd1234",
    "nvapi-abcd1234",
    "gsk_abcd1234",
    "SG.abcd1234",
    "key-0123456789abcdef",
    "AC0123456789abcdef",
    "dop_v1_abcd1234",
    "shpat_abcd1234",
    "sq0atp-abcd1234",
    "dckr_pat_abcd1234",
    "lin_api_abcd1234",
    "v1.0-0123abcd",
    "EAA123456789abc",
    "tskey-abc123",
    "PMAK-abcd1234",
    "rubygems_0123abcd",
    "pi_abcd1234",
    "sub_abcd1234",
    "price_abcd1234",
    "seti_abcd1234",
    "req_abcd1234",
    "glrt-abc123",
    "gldt-abc123",
    "glcbt-abc123",
    "AGPA12345678",
    "AIDA12345678",
    "AROA12345678",
    "ANPA12345678",
    "ABIA12345678",
    "SK0123456789abcdef",
    "shpca_abcd1234",
    "shppa_abcd1234",
    "shpss_abcd1234",
]
LEFT_ALONE = [
    "sk-abc",
    "task-1234567",
    "risk_1234567",
    "pk and rk",
    "desk-1234567",
    "hf_1",
    "keyJ123456789",
    "npm_run",
    "key-0123456789abcde",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_secret_token_catches_a_key_with_a_known_prefix(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_secret_token_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
