"""Annotation: tasks, links of annotators, and what annotators did."""

import sqlalchemy as sa
from alembic import op

from bleuscope.workspace.columns import Id, Json, Moment, Typed

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema here."""
    op.create_table(
        "annotation_task",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", Typed, nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("is_own", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("ended_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_annotation_task_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_annotation_task_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_task")),
        sa.UniqueConstraint("name", name=op.f("uq_annotation_task_name")),
        sqlite_strict=True,
    )
    op.create_index("ix_annotation_task_texts", "annotation_task", ["texts_digest"], unique=False)
    op.create_table(
        "annotation_link",
        sa.Column("id", Id, nullable=False),
        sa.Column("annotation_task_id", Id, nullable=False),
        sa.Column("annotator", Typed, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("revoked_at", Moment, nullable=True),
        _task("annotation_link"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_link")),
        sa.UniqueConstraint("hash", name=op.f("uq_annotation_link_hash")),
        sqlite_strict=True,
    )
    op.create_table(
        "annotation_event",
        sa.Column("id", Id, nullable=False),
        sa.Column("annotation_task_id", Id, nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("annotator", Typed, nullable=False),
        sa.Column("number", Id, nullable=False),
        sa.Column("base", Id, nullable=False),
        sa.Column("client", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", Json, nullable=False),
        sa.Column("at", Moment, nullable=False),
        _task("annotation_event"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotation_event")),
        sa.UniqueConstraint(
            "annotation_task_id", "annotator", "item", "number", name=op.f("uq_annotation_event_annotation_task_id")
        ),
        sa.UniqueConstraint("client", "annotation_task_id", "annotator", name=op.f("uq_annotation_event_client")),
        sqlite_strict=True,
    )
    _refuse_changes()


def _task(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_annotation_task_id")
    return sa.ForeignKeyConstraint(["annotation_task_id"], ["annotation_task.id"], name=name, ondelete="CASCADE")


def _refuse_changes() -> None:
    """Have the database itself refuse that an annotation is changed; it goes with its task alone."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER annotation_event_no_update BEFORE UPDATE ON annotation_event "
            "BEGIN SELECT RAISE(ABORT, 'annotations are only added'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION annotation_stays() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'annotations are only added'; END $$"
    )
    op.execute(
        "CREATE TRIGGER annotation_stays BEFORE UPDATE ON annotation_event "
        "FOR EACH STATEMENT EXECUTE FUNCTION annotation_stays()"
    )
