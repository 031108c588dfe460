"""Earlier versions of notes and remarks."""

import sqlalchemy as sa
from alembic import op

from bleuscope.workspace.columns import Id, Moment, Typed

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema here."""
    op.create_table(
        "past_note",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("segment", sa.Integer(), nullable=True),
        sa.Column("tag", Typed, nullable=False),
        sa.Column("note", Typed, nullable=False),
        sa.Column("written_at", Moment, nullable=False),
        sa.Column("replaced_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_past_note_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_past_note")),
        sqlite_strict=True,
    )
    op.create_index("ix_past_note_texts", "past_note", ["person_id", "texts_digest"], unique=False)
