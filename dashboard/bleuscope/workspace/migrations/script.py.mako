"""${message}."""

import sqlalchemy as sa
from alembic import op

from bleuscope.workspace.columns import Id, Json, Moment, Real, Typed

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema here."""
    ${upgrades if upgrades else "pass"}
