"""`private_key`: a note with a key file is refused."""

import pytest

from habitus_tasks.barriers.private_key import BARRIER

CAUGHT = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END CERTIFICATE-----",
    "---- BEGIN SSH2 PUBLIC KEY",
    "ssh-rsa AAAAB3Nza",
    "ssh-ed25519 AAAAC3Nza",
    "ssh-dss AAAAB3Nza",
    "ecdsa-sha2-nistp256 AAAA",
    "AGE-SECRET-KEY-1QQ",
]
LEFT_ALONE = [
    "Begin with ---- and end with ----",
    "Wants ssh commands shown",
    "begin each section at the top",
    "---BEGIN block",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_private_key_catches_a_key_file(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_private_key_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
