"""Keyed ids: stable under one key, meaningless without it, and never mixed up."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_schema.ids import ID_PATTERN, IdKey, KeyChain, Kind

KEY = IdKey("k1", b"1" * 32)
NAMES = st.text(st.characters(exclude_categories=()))


@given(st.sampled_from(Kind), NAMES, NAMES)
def test_an_id_has_the_shape_that_the_tables_check_and_shows_no_name(kind: Kind, tenant: str, name: str) -> None:
    made = KEY.keyed(kind, tenant, name)
    assert re.fullmatch(ID_PATTERN, made)
    assert made == KEY.keyed(kind, tenant, name)


@given(NAMES, NAMES, NAMES, NAMES)
def test_parts_never_run_into_one_another(a: str, b: str, c: str, d: str) -> None:
    same = KEY.keyed(Kind.SUBJECT, a, b) == KEY.keyed(Kind.SUBJECT, c, d)
    assert same == ((a, b) == (c, d))


def test_kinds_and_keys_keep_ids_apart() -> None:
    made = {IdKey(k, s * 32).keyed(kind, "ada") for k, s in (("k1", b"1"), ("k1", b"2")) for kind in Kind}
    assert len(made) == 2 * len(Kind)


@pytest.mark.parametrize(
    ("name", "secret"), [("k1", b"short"), ("", b"1" * 32), ("K1", b"1" * 32), ("k" * 9, b"1" * 32)]
)
def test_a_key_of_another_form_is_refused(name: str, secret: bytes) -> None:
    with pytest.raises(UsageError):
        IdKey(name, secret)


def test_the_secret_stays_out_of_the_repr() -> None:
    assert "1111" not in repr(KEY)


K2, K3 = IdKey("k2", b"2" * 32), IdKey("k3", b"3" * 32)
CHAINS = [KeyChain("k1", KEY), KeyChain("k1", KEY, (K2,)), KeyChain("k1", KEY, (K2, K3), settled=1)]


@given(st.sampled_from(Kind), NAMES)
def test_a_chain_of_one_key_makes_the_ids_of_that_key(kind: Kind, name: str) -> None:
    assert CHAINS[0].keyed(kind, name) == KEY.keyed(kind, name) == CHAINS[0].lift(KEY.keyed(kind, name))


@given(st.sampled_from(Kind), NAMES)
def test_an_id_of_any_key_is_lifted_to_the_same_id_of_the_newest(kind: Kind, name: str) -> None:
    made = KEY.keyed(kind, name)
    forms = CHAINS[2].forms(made)
    assert forms == (made, K2.wrap(made), K3.wrap(K2.wrap(made)))
    assert {CHAINS[2].lift(form) for form in forms} == {forms[-1]}
    assert all(re.fullmatch(ID_PATTERN, form) for form in forms)
    assert CHAINS[2].forms(forms[1]) == forms[1:]


@given(st.sampled_from(Kind), NAMES)
def test_ids_are_handed_on_wrapped_by_the_settled_keys_alone(kind: Kind, name: str) -> None:
    made = KEY.keyed(kind, name)
    assert [chain.keyed(kind, name) for chain in CHAINS] == [made, made, K2.wrap(made)]
    assert CHAINS[2].outgoing(made) == K2.wrap(made) == CHAINS[2].outgoing(K2.wrap(made))


def test_a_wrapped_id_tells_nothing_to_whoever_has_one_of_the_two_keys() -> None:
    made = KEY.keyed(Kind.SUBJECT, "ada")
    assert K2.wrap(made) not in (K2.keyed(Kind.SUBJECT, "ada"), IdKey("k2", b"9" * 32).wrap(made))
    assert K2.wrap(made)[3:] != made[3:]


def test_a_chain_that_only_wraps_makes_no_id_and_no_sketch() -> None:
    blind = KeyChain("k1", None, (K2,))
    assert blind.lift(KEY.keyed(Kind.SUBJECT, "ada")) == CHAINS[1].lift(KEY.keyed(Kind.SUBJECT, "ada"))
    with pytest.raises(UsageError):
        blind.keyed(Kind.SUBJECT, "ada")


def test_an_id_of_a_key_that_is_not_in_the_chain_is_refused() -> None:
    with pytest.raises(UsageError, match="newest key file"):
        CHAINS[1].lift(IdKey("k9", b"9" * 32).keyed(Kind.SUBJECT, "ada"))


def test_the_secrets_stay_out_of_the_repr_of_a_chain() -> None:
    assert "2222" not in repr(CHAINS[2])
    assert "1111" not in repr(CHAINS[2])
