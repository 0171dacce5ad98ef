"""Keyed ids: stable under one key, meaningless without it, and never mixed up."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from habitus_schema.errors import UsageError
from habitus_schema.ids import ID_PATTERN, IdKey, Kind

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
