"""Versions with several runs: the name of the run, "" for outputs that name none."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema here."""
    options = {"sqlite_strict": True}
    with op.batch_alter_table("version", schema=None, table_kwargs=options) as batch_op:
        batch_op.add_column(sa.Column("run", sa.Text(), nullable=False, server_default=""))
        batch_op.drop_constraint(op.f("uq_version_system_id"), type_="unique")
        batch_op.create_unique_constraint(op.f("uq_version_system_id"), ["system_id", "test_set_id", "label", "run"])
