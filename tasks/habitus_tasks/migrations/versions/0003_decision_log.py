"""The decision log: how often a dimension got a policy for a reason on a day."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_DIMENSIONS = """
code_fence_style list_style table_usage heading_usage emoji_usage em_dash_usage response_density
verbosity_ceiling_tokens answer_order preamble closing_summary verification_footer source_citation
code_delivery code_explanation comment_density docstrings type_annotations indent_style quote_style
error_handling dependency_policy change_scope file_creation test_policy execution_packaging
terminal_command_chaining clarification planning command_execution commit_policy commit_message_style
progress_updates
"""
_POLICIES = "ignore support drive"
_REASONS = "vote contradicted recipient medium moot filtered too_few_modules"
_DAY = "day IS NULL OR (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND day IS date(day, '+0 days'))"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "decision",
        sa.Column("day", sa.Date(), nullable=False),
        *(sa.Column(name, sa.String(32), nullable=False) for name in ("dimension", "policy", "reason")),
        sa.Column("decisions", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("day", "dimension", "policy", "reason", name="pk_decision"),
        *_checks(),
        sqlite_with_rowid=False,
    )


def _checks() -> list[sa.CheckConstraint]:
    rules: dict[str, Any] = {
        name: f"{name} IN ({', '.join(map(repr, words.split()))})"
        for name, words in (("dimension", _DIMENSIONS), ("policy", _POLICIES), ("reason", _REASONS))
    }
    if op.get_bind().dialect.name == "sqlite":
        rules |= {"day": _DAY, "decisions": "decisions IS NULL OR typeof(decisions) = 'integer'"}
    return [sa.CheckConstraint(rule, name=f"ck_decision_{name}_closed") for name, rule in rules.items()]
