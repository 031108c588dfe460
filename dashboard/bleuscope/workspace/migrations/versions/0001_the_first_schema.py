"""The first schema."""

import sqlalchemy as sa
from alembic import op

from bleuscope.workspace.columns import Id, Json, Moment, Real, Typed

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema here."""
    op.create_table(
        "comparison",
        sa.Column("id", Id, nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("title", Typed, nullable=False),
        sa.Column("n_systems", sa.Integer(), nullable=False),
        sa.Column("n_segments", sa.Integer(), nullable=False),
        sa.Column("manifest", Json, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("origin", name=op.f("uq_comparison_origin")),
        sqlite_strict=True,
    )
    op.create_table(
        "person",
        sa.Column("id", Id, nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("name", Typed, nullable=False),
        sa.Column("email", Typed, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_person_issuer")),
        sqlite_strict=True,
    )
    op.create_table(
        "project",
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("title", Typed, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("slug", name=op.f("uq_project_slug")),
        sqlite_strict=True,
    )
    op.create_table(
        "scores",
        sa.Column("id", Id, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipe", Json, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_scores_kind")),
        sqlite_strict=True,
    )
    op.create_table(
        "chosen",
        sa.Column("person_id", Id, nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("names", Json, nullable=False),
        sa.Column("remarks", Typed, nullable=False),
        sa.Column("blind_seed", sa.Integer(), nullable=False),
        sa.Column("revision", Id, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_chosen_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "texts_digest", name=op.f("pk_chosen")),
        sqlite_strict=True,
    )
    op.create_table(
        "event",
        sa.Column("id", Id, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("person_id", Id, nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("object", Json, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_event_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sqlite_strict=True,
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index("ix_event_at", ["at"], unique=False)

    op.create_table(
        "member",
        sa.Column("project_id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.CheckConstraint("role IN ('reader', 'writer', 'owner')", name=op.f("ck_member_role")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_member_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_member_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "person_id", name=op.f("pk_member")),
        sqlite_strict=True,
    )
    op.create_table(
        "note",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("segment", sa.Integer(), nullable=False),
        sa.Column("tag", Typed, nullable=False),
        sa.Column("note", Typed, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_note_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
        sa.UniqueConstraint("texts_digest", "person_id", "segment", name=op.f("uq_note_texts_digest")),
        sqlite_strict=True,
    )
    with op.batch_alter_table("note", schema=None) as batch_op:
        batch_op.create_index("ix_note_texts", ["texts_digest"], unique=False)

    op.create_table(
        "opening",
        sa.Column("person_id", Id, nullable=False),
        sa.Column("comparison_id", Id, nullable=False),
        sa.Column("name", Typed, nullable=True),
        sa.Column("opened_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["comparison_id"], ["comparison.id"], name=op.f("fk_opening_comparison_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_opening_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "comparison_id", name=op.f("pk_opening")),
        sqlite_strict=True,
    )
    with op.batch_alter_table("opening", schema=None) as batch_op:
        batch_op.create_index("ix_opening_recent", ["person_id", "opened_at"], unique=False)

    op.create_table(
        "share",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("revoked_at", Moment, nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_share_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_share_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
        sa.UniqueConstraint("hash", name=op.f("uq_share_hash")),
        sqlite_strict=True,
    )
    op.create_table(
        "system",
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_system_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_system")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_system_project_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "test_set",
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("source_language", sa.Text(), nullable=True),
        sa.Column("target_language", sa.Text(), nullable=True),
        sa.Column("n_segments", sa.Integer(), nullable=False),
        sa.Column("manifest", Json, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_test_set_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_set")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_test_set_project_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "token",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("right", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=True),
        sa.Column("last_used_at", Moment, nullable=True),
        sa.Column("revoked_at", Moment, nullable=True),
        sa.CheckConstraint("\"right\" IN ('read', 'write')", name=op.f("ck_token_right")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_token_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_token_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_token_hash")),
        sqlite_strict=True,
    )
    op.create_table(
        "trial",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("texts_digest", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("first", Typed, nullable=False),
        sa.Column("second", Typed, nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("is_over", sa.Integer(), nullable=False),
        sa.Column("preferences", Json, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_trial_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trial")),
        sa.UniqueConstraint(
            "person_id", "texts_digest", "digest", "first", "second", "seed", name=op.f("uq_trial_person_id")
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "view",
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("name", Typed, nullable=False),
        sa.Column("page", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_view_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_view_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_view")),
        sa.UniqueConstraint("person_id", "name", name=op.f("uq_view_person_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "result",
        sa.Column("id", Id, nullable=False),
        sa.Column("test_set_id", Id, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("score", Real, nullable=False),
        sa.Column("low", Real, nullable=True),
        sa.Column("high", Real, nullable=True),
        sa.Column("interval", sa.Text(), nullable=False),
        sa.Column("counts", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", Moment, nullable=False),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name=op.f("fk_result_test_set_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_result")),
        sa.UniqueConstraint("test_set_id", "digest", "signature", "interval", name=op.f("uq_result_test_set_id")),
        sqlite_strict=True,
    )
    op.create_table(
        "version",
        sa.Column("id", Id, nullable=False),
        sa.Column("system_id", Id, nullable=False),
        sa.Column("test_set_id", Id, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("step", Id, nullable=True),
        sa.Column("made_at", Moment, nullable=False),
        sa.Column("pushed_at", Moment, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("config", Json, nullable=False),
        sa.Column("tags", Json, nullable=False),
        sa.Column("person_id", Id, nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_version_person_id")),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name=op.f("fk_version_system_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name=op.f("fk_version_test_set_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint("system_id", "test_set_id", "label", name=op.f("uq_version_system_id")),
        sqlite_strict=True,
    )
    with op.batch_alter_table("version", schema=None) as batch_op:
        batch_op.create_index("ix_version_test_set", ["test_set_id", "system_id"], unique=False)

    _refuse_changes_of_events()


def _refuse_changes_of_events() -> None:
    """Have the database itself refuse that what was done is told otherwise afterwards."""
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER event_no_{change.lower()} BEFORE {change} ON event "
                "BEGIN SELECT RAISE(ABORT, 'events are only added'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are only added'; END $$"
    )
    op.execute(
        "CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON event "
        "FOR EACH STATEMENT EXECUTE FUNCTION event_stays()"
    )
