"""The sums of the rejection log, the triggers that keep them true, and the indexes by which an operator pages it."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_CODES = """
MALFORMED_TRANSCRIPT UNSUPPORTED_FORMAT TOO_LARGE ONE_OFF WITHDRAWN UNDECIDED EXTRACTOR_FAILED
UNKNOWN_DIMENSION UNKNOWN_VALUE FREE_TEXT PRIVATE_EMAIL PRIVATE_URL PRIVATE_DOMAIN PRIVATE_PATH PRIVATE_PHONE
PRIVATE_ACCOUNT_NUMBER PRIVATE_IP PRIVATE_SECRET PRIVATE_HIGH_ENTROPY PRIVATE_NAMED_ENTITY PRIVATE_DEMOGRAPHIC
PRIVATE_QUOTED_TEXT PRIVATE_EVASION DUPLICATE_SESSION BELOW_RECURRENCE CONFLICTING_EVIDENCE ENTITY_COUPLED
SUPERSEDED BLOCKED_BY_PERSON FORGOTTEN PAYLOAD_EXPIRED ATTEMPTS_EXHAUSTED UNSEAL_FAILED
"""
_DIMENSIONS = """
code_fence_style list_style table_usage heading_usage emoji_usage em_dash_usage response_density
verbosity_ceiling_tokens answer_order preamble closing_summary verification_footer source_citation
code_delivery code_explanation comment_density docstrings type_annotations indent_style quote_style
error_handling dependency_policy change_scope file_creation test_policy execution_packaging
terminal_command_chaining clarification planning command_execution commit_policy commit_message_style
progress_updates none
"""
_COUNTING, _TENANT = 0x6861_6269_7475_74, 0x6861_6269
_ADD = """INSERT INTO rejection_count (tenant, day, code, dimension, lines)
    SELECT NEW.tenant, NEW.day, NEW.code, coalesce(NEW.dimension, 'none'), 1 FROM rejection_counted WHERE NEW.id <= upto
    ON CONFLICT (tenant, day, code, dimension) DO UPDATE SET lines = lines + 1;"""
_SAME = """tenant = OLD.tenant AND day = OLD.day AND code = OLD.code AND dimension = coalesce(OLD.dimension, 'none')"""
_TAKE = f"""UPDATE rejection_count SET lines = lines - 1
    WHERE {_SAME} AND OLD.id <= (SELECT upto FROM rejection_counted);"""  # noqa: S608 - of fixed parts
_SWEEP = f"""DELETE FROM rejection_count WHERE {_SAME} AND lines = 0;"""  # noqa: S608
_SQLITE = (
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_insert AFTER INSERT ON rejection
    WHEN NEW.id <= (SELECT upto FROM rejection_counted) BEGIN {_ADD} END""",  # noqa: S608 - of fixed parts
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_delete AFTER DELETE ON rejection
    BEGIN {_TAKE} {_SWEEP} END""",
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_update AFTER UPDATE
    OF id, tenant, day, code, dimension ON rejection BEGIN {_TAKE} {_ADD} {_SWEEP} END""",
)
_POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION rejection_recount() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    bound bigint;
BEGIN
    PERFORM pg_advisory_xact_lock_shared({_COUNTING});
    SELECT max(upto) INTO bound FROM rejection_counted;
    IF bound IS NULL OR NOT EXISTS (SELECT FROM gone WHERE id <= bound) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock({_TENANT}, owner.number)
        FROM (SELECT DISTINCT hashtext(tenant) AS number FROM gone ORDER BY number) AS owner;
    UPDATE rejection_count AS kept SET lines = kept.lines - taken.lines
        FROM (
            SELECT tenant, day, code, coalesce(dimension, 'none') AS dimension, count(*) AS lines
            FROM gone WHERE id <= bound GROUP BY tenant, day, code, coalesce(dimension, 'none')
        ) AS taken
        WHERE kept.tenant = taken.tenant AND kept.day = taken.day
            AND kept.code = taken.code AND kept.dimension = taken.dimension;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO rejection_count (tenant, day, code, dimension, lines)
            SELECT tenant, day, code, coalesce(dimension, 'none'), count(*)
            FROM come WHERE id <= bound GROUP BY tenant, day, code, coalesce(dimension, 'none')
            ON CONFLICT (tenant, day, code, dimension)
            DO UPDATE SET lines = rejection_count.lines + excluded.lines;
    END IF;
    DELETE FROM rejection_count AS kept USING (SELECT DISTINCT tenant, day FROM gone) AS swept
        WHERE kept.tenant = swept.tenant AND kept.day = swept.day AND kept.lines = 0;
    RETURN NULL;
END
$$""",  # noqa: S608
    """CREATE OR REPLACE TRIGGER rejection_count_delete AFTER DELETE ON rejection
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rejection_recount()""",
    """CREATE OR REPLACE TRIGGER rejection_count_update AFTER UPDATE ON rejection
    REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION rejection_recount()""",
)
_DAY = "day IS NULL OR (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND day IS date(day, '+0 days'))"
_ID = "^[a-z0-9]{1,8}-[0-9a-f]{32}$"
_SQLITE_ID = (
    "tenant IS NULL OR (typeof(tenant) = 'text' AND length(tenant) = length(CAST(tenant AS BLOB))"
    " AND length(tenant) BETWEEN 34 AND 41 AND substr(tenant, -32) NOT GLOB '*[^0-9a-f]*'"
    " AND substr(tenant, -33, 1) = '-' AND substr(tenant, 1, length(tenant) - 33) NOT GLOB '*[^a-z0-9]*')"
)
_WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the tables, the triggers and the indexes; one of these takes the place of the tenant's by detector.

    The sums begin empty: `habitus upkeep`, or a record worker's daily work, counts the lines that are there.
    """
    words = [sa.Column(name, sa.String(32), nullable=False) for name in ("code", "dimension")]
    op.create_table(
        "rejection_count",
        sa.Column("tenant", sa.String(41), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        *words,
        sa.Column("lines", _WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("tenant", "day", "code", "dimension", name="pk_rejection_count"),
        *_checks("rejection_count", "tenant", "day", "code", "dimension", "lines"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rejection_counted",
        sa.Column("upto", _WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("upto", name="pk_rejection_counted"),
        *_checks("rejection_counted", "upto"),
    )
    _index("rejection_count", "day", "code", "dimension", "lines")
    op.drop_index("ix_rejection_tenant_detector_day_id", "rejection")
    _index("rejection", "code", "day", "id")
    _index("rejection", "dimension", "code", "day", "id")
    _index("rejection", "detector", "day", "id", "tenant")
    for statement in _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRESQL:
        op.execute(statement)


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def _checks(table: str, *columns: str) -> list[sa.CheckConstraint]:
    rules: dict[str, Any] = {
        name: f"{name} IN ({', '.join(map(repr, words.split()))})"
        for name, words in (("code", _CODES), ("dimension", _DIMENSIONS))
    }
    if op.get_bind().dialect.name == "sqlite":
        whole = {name: f"{name} IS NULL OR typeof({name}) = 'integer'" for name in ("lines", "upto")}
        rules |= {"tenant": _SQLITE_ID, "day": _DAY, **whole}
    else:
        rules["tenant"] = f"tenant ~ '{_ID}'"
    return [sa.CheckConstraint(rules[name], name=f"ck_{table}_{name}_closed") for name in columns if name in rules]
