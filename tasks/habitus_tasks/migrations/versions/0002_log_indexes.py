"""Indexes by which the rejection log is paged and counted, however long it is."""

from alembic import op

revision = "0002"
down_revision = "0001"

_INDEXES = (
    ("code", "day", "id"),
    ("dimension", "code", "day", "id"),
    ("detector", "day", "id"),
    ("day", "code", "dimension"),
)


def upgrade() -> None:
    """Creates the indexes; the one by day takes the place of the one by id alone."""
    op.drop_index("ix_rejection_tenant_code_id", "rejection")
    for columns in _INDEXES:
        op.create_index(f"ix_rejection_tenant_{'_'.join(columns)}", "rejection", ["tenant", *columns])
