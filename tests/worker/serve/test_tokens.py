"""Tokens: shown once, kept as keyed hashes, in force until they are revoked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_schema.ids import IdKey
from habitus_worker.serve.tokens import PREFIX, Role, TokenFile, add_token, digest_of, read_tokens, revoke_tokens

KEY = IdKey.generate()
TENANTS = st.text(min_size=1, max_size=40).filter(str)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def test_a_token_opens_its_own_tenant_and_role(path: Path) -> None:
    made = {name: add_token(path, name, role, KEY) for name, role in (("acme", Role.TENANT), ("ops", Role.OPERATOR))}
    file = TokenFile(path)
    found = {name: file.access(token, KEY) for name, token in made.items()}
    assert [(each.tenant, each.role) for each in found.values() if each] == [
        ("acme", Role.TENANT),
        ("ops", Role.OPERATOR),
    ]


def test_the_file_holds_neither_the_token_nor_the_tenants_name(path: Path) -> None:
    token = add_token(path, "Renata Logistics", Role.TENANT, KEY)
    text = path.read_text()
    assert "Renata" not in text
    assert all(part not in text for part in token.split(".")[1:])
    assert digest_of(token, KEY) in text
    assert path.stat().st_mode & 0o077 == 0


def test_another_deployments_key_makes_nothing_of_the_file(path: Path) -> None:
    token = add_token(path, "acme", Role.TENANT, KEY)
    assert TokenFile(path).access(token, IdKey.generate()) is None


def test_a_token_for_one_tenant_cannot_be_turned_into_one_for_another(path: Path) -> None:
    prefix, _, secret = add_token(path, "acme", Role.TENANT, KEY).split(".")
    _, other, _ = add_token(path, "globex", Role.TENANT, KEY).split(".")
    assert TokenFile(path).access(f"{prefix}.{other}.{secret}", KEY) is None


def test_a_revoked_token_is_refused_by_a_file_that_is_open_already(path: Path) -> None:
    first, second = (add_token(path, "acme", Role.TENANT, KEY) for _ in range(2))
    other, file = add_token(path, "globex", Role.TENANT, KEY), TokenFile(path)
    assert file.access(first, KEY)
    assert revoke_tokens(path, "acme", read_tokens(path)[0].id, KEY) == 1
    assert file.access(first, KEY) is None
    assert file.access(second, KEY)
    assert revoke_tokens(path, "acme", None, KEY) == 1
    assert file.access(second, KEY) is None
    assert file.access(other, KEY)
    path.unlink()
    assert file.access(other, KEY) is None


def test_a_file_that_others_may_read_is_refused(path: Path) -> None:
    add_token(path, "acme", Role.TENANT, KEY)
    path.chmod(0o644)
    with pytest.raises(UsageError, match="chmod 600"):
        read_tokens(path)


@pytest.mark.parametrize("text", ["{", "[]", '{"tokens": [{"id": 1}]}', '{"tokens": 3}'])
def test_a_damaged_file_is_named_and_not_taken_for_empty(path: Path, text: str) -> None:
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(UsageError, match="cannot be read"):
        read_tokens(path)


@pytest.mark.parametrize("name", ["", "x" * 513])
def test_a_tenant_has_a_name_of_a_sane_length(path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        add_token(path, name, Role.TENANT, KEY)


@given(text=st.one_of(st.text(), st.from_regex(rf"{PREFIX}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*", fullmatch=True)))
def test_no_other_text_is_a_token(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "tokens.json"
    path.touch(0o600)
    path.write_text('{"tokens": []}')
    assert TokenFile(path).access(text, KEY) is None


@given(tenant=TENANTS)
def test_a_tenants_name_may_be_any_text(tmp_path_factory: pytest.TempPathFactory, tenant: str) -> None:
    path = tmp_path_factory.mktemp("any") / "tokens.json"
    access = TokenFile(path).access(add_token(path, tenant, Role.TENANT, KEY), KEY)
    assert access is not None
    assert access.tenant == tenant
    assert tenant not in repr(access) or len(tenant) < 9
