"""The first schema: nine tables, every column of them closed, and the catalog of version 1.

A migration is frozen: it repeats what the tables were, and follows none of their later changes.
"""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_CODES = """
MALFORMED_TRANSCRIPT UNSUPPORTED_FORMAT TOO_LARGE ONE_OFF WITHDRAWN UNDECIDED EXTRACTOR_FAILED
UNKNOWN_DIMENSION UNKNOWN_VALUE FREE_TEXT PRIVATE_EMAIL PRIVATE_URL PRIVATE_DOMAIN PRIVATE_PATH PRIVATE_PHONE
PRIVATE_ACCOUNT_NUMBER PRIVATE_IP PRIVATE_SECRET PRIVATE_HIGH_ENTROPY PRIVATE_NAMED_ENTITY PRIVATE_DEMOGRAPHIC
PRIVATE_QUOTED_TEXT PRIVATE_EVASION DUPLICATE_SESSION BELOW_RECURRENCE CONFLICTING_EVIDENCE ENTITY_COUPLED
SUPERSEDED BLOCKED_BY_PERSON FORGOTTEN PAYLOAD_EXPIRED ATTEMPTS_EXHAUSTED UNSEAL_FAILED
"""

_DETECTORS = """
age birth_date capitals characters code_snippet count credential domain email_address encodings file_path
handle high_entropy iban ip_address life_phrase mac_address mixed_token national_id note_form numbers origin
payment_card person_title phone postal_address private_key quoted_text schema secret_token sensitive_word
spelled_out split_letters ticket url vocabulary
"""

_CATALOG = """
code_fence_style triple_backtick quad_backtick
list_style bullets numbered prose
table_usage prefer avoid
heading_usage use avoid
emoji_usage none allowed
em_dash_usage avoid allowed
response_density concise_direct detailed_explanatory
verbosity_ceiling_tokens 150 300 600 1200
answer_order answer_first reasoning_first
preamble none allowed
closing_summary none include
verification_footer compile_and_print_metrics none
source_citation include none
code_delivery full_file changed_parts unified_diff
code_explanation code_only with_explanation
comment_density none minimal explanatory
docstrings include omit
type_annotations include omit
indent_style tabs spaces_2 spaces_4
quote_style single double
error_handling fail_fast defensive
dependency_policy stdlib_only allow_third_party
change_scope minimal_diff refactor_freely
file_creation edit_existing new_files_allowed
test_policy tests_first tests_with_change on_request
execution_packaging single_block_bash multi_step python_heredoc
terminal_command_chaining chained one_per_line
clarification ask_first assume_and_proceed
planning plan_first act_directly
command_execution run_directly show_only
commit_policy auto_commit never_commit
commit_message_style conventional plain
progress_updates quiet step_by_step
"""
_PAIRS = [(line.split()[0], value) for line in _CATALOG.strip().split("\n") for value in line.split()[1:]]
_DIMENSIONS = list(dict.fromkeys(dimension for dimension, _ in _PAIRS))
_ID = "^[a-z0-9]{1,8}-[0-9a-f]{32}$"
_TICKET = "^[0-9a-f]{32}$"
_INTEGER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the tables and seeds the catalog."""
    _table("schema_version", [_number("version", key=True)], rowid=True)
    _table(
        "catalog_value",
        [_word("dimension", key=True), _word("value", key=True), _number("catalog_version")],
        sa.CheckConstraint(
            f"dimension || '=' || value IN ({_quoted('='.join(pair) for pair in _PAIRS)})",
            name="ck_catalog_value_vocabulary",
        ),
        rowid=True,
    )
    _facts()
    _decisions()
    _accounts()
    values = sa.table("catalog_value", sa.column("dimension"), sa.column("value"), sa.column("catalog_version"))
    op.bulk_insert(values, [{"dimension": d, "value": v, "catalog_version": 1} for d, v in _PAIRS])


def _facts() -> None:
    _table(
        "session",
        [
            *_person(), _id("session", key=True), _id("context"), _flag("named"), _day("day"),
            _number("catalog_version"), *(_number(f"sketch_{index}", optional=True) for index in range(8)),
        ],
    )  # fmt: skip
    _table(
        "session_message",
        [*_person(), _id("message", key=True), _id("session"), _day("day")],
        _session_key("session_message"),
    )
    _table(
        "observation",
        [
            *_person(), _word("dimension", key=True), _word("value", key=True), _id("session", key=True),
            _id("context"), _closed("signal", ["standing", "correction", "edit"]),
            _closed("scope", ["general", "entity"]), _id("message", optional=True), _day("day"),
            _number("catalog_version"),
        ],
        _pair_key("observation"),
        _session_key("observation"),
    )  # fmt: skip
    _index("session", "tenant", "subject", "day")
    _index("session_message", "tenant", "subject", "session")
    _index("observation", "tenant", "subject", "session")


def _decisions() -> None:
    _table(
        "profile",
        [
            *_person(), _word("dimension", key=True), _word("value"), _closed("status", ["promoted", "contested"]),
            _flag("pinned"), _number("contexts"), _day("first_day"), _day("last_day"), _day("expires", optional=True),
            _number("catalog_version"),
        ],
        _pair_key("profile"),
    )  # fmt: skip
    _table(
        "blocked_pair",
        [
            *_person(), _word("dimension", key=True), _word("value", key=True), _day("day"),
            _number("catalog_version"),
        ],
        _pair_key("blocked_pair"),
    )  # fmt: skip
    _table("tombstone", [*_person(), _day("day")])
    _index("profile", "expires")


def _accounts() -> None:
    outcomes = ["recorded", "duplicate", "dead"]
    _table("settled", [_ticket("ticket"), _closed("outcome", outcomes), _day("day")])
    _table(
        "rejection",
        [
            _number("id", key=True), _day("day"), _closed("stage", ["parse", "extract", "gate", "record", "queue"]),
            _closed("code", _CODES.split()), _closed("dimension", _DIMENSIONS, optional=True),
            _closed("detector", _DETECTORS.split(), optional=True), _id("tenant"), _id("subject", optional=True),
            _id("session", optional=True), _number("catalog_version"),
        ],
        rowid=True,
    )  # fmt: skip
    _index("rejection", "tenant", "subject", "session")
    _index("rejection", "tenant", "code", "id")


_Column = tuple[sa.Column[Any], dict[str, str]]
"""A column, and by dialect (or "" for both) the condition of its CHECK."""


def _table(name: str, columns: list[_Column], *constraints: sa.Constraint, rowid: bool = False) -> None:
    dialect = op.get_bind().dialect.name
    checks = [
        sa.CheckConstraint(rules.get(dialect) or rules[""], name=f"ck_{name}_{column.name}_closed")
        for column, rules in columns
        if dialect in rules or "" in rules
    ]
    key = sa.PrimaryKeyConstraint(*(str(c.name) for c, _ in columns if c.info.get("key")), name=f"pk_{name}")
    kind = {} if rowid else {"sqlite_with_rowid": False}
    op.create_table(name, *(column for column, _ in columns), key, *constraints, *checks, **kind)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _pair_key(table: str) -> sa.ForeignKeyConstraint:
    pair = ["dimension", "value"]
    return sa.ForeignKeyConstraint(pair, [f"catalog_value.{name}" for name in pair], name=f"fk_{table}_catalog_value")


def _session_key(table: str) -> sa.ForeignKeyConstraint:
    names = ["tenant", "subject", "session"]
    return sa.ForeignKeyConstraint(names, [f"session.{name}" for name in names], name=f"fk_{table}_session")


def _column(name: str, kind: Any, rules: dict[str, str], *, key: bool = False, optional: bool = False) -> _Column:
    return sa.Column(name, kind, nullable=optional, info={"key": key}), rules


def _person() -> list[_Column]:
    return [_id("tenant", key=True), _id("subject", key=True)]


def _id(name: str, *, key: bool = False, optional: bool = False) -> _Column:
    shape = (
        f"{name} IS NULL OR ({_text(name)} AND length({name}) BETWEEN 34 AND 41"
        f" AND substr({name}, -32) NOT GLOB '*[^0-9a-f]*' AND substr({name}, -33, 1) = '-'"
        f" AND substr({name}, 1, length({name}) - 33) NOT GLOB '*[^a-z0-9]*')"
    )
    rules = {"postgresql": f"{name} ~ '{_ID}'", "sqlite": shape}
    return _column(name, sa.String(41), rules, key=key, optional=optional)


def _ticket(name: str) -> _Column:
    shape = f"{_text(name)} AND length({name}) = 32 AND {name} NOT GLOB '*[^0-9a-f]*'"
    return _column(name, sa.String(32), {"postgresql": f"{name} ~ '{_TICKET}'", "sqlite": shape}, key=True)


def _word(name: str, *, key: bool = False) -> _Column:
    return _column(name, sa.String(32), {}, key=key)


def _number(name: str, *, key: bool = False, optional: bool = False) -> _Column:
    rules = {"sqlite": f"{name} IS NULL OR typeof({name}) = 'integer'"}
    return _column(name, _INTEGER, rules, key=key, optional=optional)


def _day(name: str, *, optional: bool = False) -> _Column:
    shape = "-".join("[0-9]" * digits for digits in (4, 2, 2))
    rule = f"{name} IS NULL OR ({name} GLOB '{shape}' AND {name} IS date({name}, '+0 days'))"
    return _column(name, sa.Date(), {"sqlite": rule}, optional=optional)


def _flag(name: str) -> _Column:
    return _column(name, sa.Boolean(), {"sqlite": f"typeof({name}) = 'integer' AND {name} IN (0, 1)"})


def _closed(name: str, words: list[str], *, optional: bool = False) -> _Column:
    return _column(name, sa.String(32), {"": f"{name} IN ({_quoted(words)})"}, optional=optional)


def _text(name: str) -> str:
    return f"typeof({name}) = 'text' AND length({name}) = length(CAST({name} AS BLOB))"


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
