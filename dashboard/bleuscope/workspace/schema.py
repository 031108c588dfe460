"""The tables: what each row says, and which rows belong together.

Texts are no rows. A row names a blob by the SHA-256 of its content (``blobs.py``), so equal texts are kept once, and a
workspace of many versions stays small.
"""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy import UniqueConstraint as Unique
from sqlalchemy.schema import SchemaItem

from bleuscope.workspace.columns import Id, Json, Moment, Real, Typed

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _key() -> Column[int]:
    return Column("id", Id, primary_key=True)


def _of(table: str, *, is_needed: bool = True, ends_with_it: bool = True) -> Column[int]:
    """A column that names a row of another table, and goes with it."""
    rule = "CASCADE" if ends_with_it else None
    return Column(f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete=rule), nullable=not is_needed)


def _text(name: str, *, is_needed: bool = True) -> Column[str]:
    return Column(name, Text, nullable=not is_needed)


def _typed(name: str, *, is_needed: bool = True) -> Column[str]:
    return Column(name, Typed, nullable=not is_needed)


def _moment(name: str, *, is_needed: bool = True) -> Column[object]:
    return Column(name, Moment, nullable=not is_needed)


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, metadata, *parts, sqlite_strict=True)


person = _table(
    "person",
    _key(),
    _text("issuer"),  # who says so: "local", "browser", an OpenID provider's address, "proxy"
    _text("subject"),
    _typed("name"),
    _typed("email", is_needed=False),
    _moment("created_at"),
    Unique("issuer", "subject"),
)
"""Who does something. Without login it is the one person who runs this, or a browser's mark."""

comparison = _table(
    "comparison",
    _key(),
    _text("origin"),  # as links name it
    _text("digest"),
    _text("texts_digest"),
    _typed("title"),
    Column("n_systems", Integer, nullable=False),
    Column("n_segments", Integer, nullable=False),
    Column("manifest", Json, nullable=False),
    _moment("created_at"),
    Unique("origin"),
)
"""Texts that somebody opened: the blobs of their columns, and what was read beside them."""

opening = _table(
    "opening",
    Column("person_id", Id, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    Column("comparison_id", Id, ForeignKey("comparison.id", ondelete="CASCADE"), primary_key=True),
    _typed("name", is_needed=False),  # that the person gave it
    _moment("opened_at"),
)
"""Which person opened which comparison, and when last."""

scores = _table(
    "scores",
    _key(),
    _text("key"),  # as links name them
    _text("kind"),  # "scores", "judgements", "words"
    Column("recipe", Json, nullable=False),
    _moment("created_at"),
    Unique("kind", "key"),
)
"""Files of scores, judgements or labels that were read beside texts: their blobs and what was chosen of them."""

note = _table(
    "note",
    _key(),
    _of("person"),
    _text("texts_digest"),
    Column("segment", Integer, nullable=False),  # counted from 0
    _typed("tag"),
    _typed("note"),
    _moment("created_at"),
    _moment("changed_at"),
    Unique("texts_digest", "person_id", "segment"),
)
"""What a person said of a segment."""

past_note = _table(
    "past_note",
    _key(),
    _of("person"),
    _text("texts_digest"),
    Column("segment", Integer),  # counted from 0; none for the remarks on the report
    _typed("tag"),
    _typed("note"),
    _moment("written_at"),
    _moment("replaced_at"),
)
"""What a person said before of a segment or as remarks, and what a change in another window kept from being saved."""

trial = _table(
    "trial",
    _key(),
    _of("person"),
    _text("texts_digest"),
    _text("digest"),
    _typed("first"),
    _typed("second"),
    Column("seed", Integer, nullable=False),
    Column("is_over", Integer, nullable=False),
    Column("preferences", Json, nullable=False),
    _moment("changed_at"),
    Unique("person_id", "texts_digest", "digest", "first", "second", "seed"),
)
"""A blind comparison: what a person preferred, by segment."""

chosen = _table(
    "chosen",
    Column("person_id", Id, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    Column("texts_digest", Text, primary_key=True),
    Column("names", Json, nullable=False),
    _typed("remarks"),
    Column("blind_seed", Integer, nullable=False),
    Column("revision", Id, nullable=False),  # of all that the person said of these texts
    _moment("changed_at"),
)
"""What else a person chose by hand for some texts."""

project = _table(
    "project",
    _key(),
    _text("slug"),
    _typed("title"),
    _moment("created_at"),
    Unique("slug"),
)
"""What belongs together: test sets, systems, and who may see them."""

member = _table(
    "member",
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", Id, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    _text("role"),
    CheckConstraint("role IN ('reader', 'writer', 'owner')", name="role"),
)
"""What a person may do in a project."""

test_set = _table(
    "test_set",
    _key(),
    _of("project"),
    _text("name"),
    _text("digest"),  # of references, source, documents and labels
    _text("source_language", is_needed=False),
    _text("target_language", is_needed=False),
    Column("n_segments", Integer, nullable=False),
    Column("manifest", Json, nullable=False),
    _moment("created_at"),
    Unique("project_id", "name"),
)
"""References with what stands beside them, under a name; it never changes."""

system = _table(
    "system",
    _key(),
    _of("project"),
    _text("name"),
    _moment("created_at"),
    Unique("project_id", "name"),
)
"""What has versions."""

version = _table(
    "version",
    _key(),
    _of("system"),
    _of("test_set"),
    _text("label"),
    Column("step", Id),
    _moment("made_at"),  # as whoever pushed it says
    _moment("pushed_at"),
    _text("digest"),  # of the blob with its outputs
    Column("config", Json, nullable=False),
    Column("tags", Json, nullable=False),
    _of("person", is_needed=False, ends_with_it=False),
    Column("run", Text, nullable=False, server_default=""),  # "" for outputs that name none
    Unique("system_id", "test_set_id", "label", "run"),
)
"""The outputs of a system on a test set: of a version, or of one of its runs. They never change."""

result = _table(
    "result",
    _key(),
    _of("test_set"),
    _text("digest"),  # of the outputs
    _text("signature"),
    Column("score", Real, nullable=False),
    Column("low", Real),
    Column("high", Real),
    _text("interval"),  # how it was drawn; "" without one
    Column("counts", LargeBinary, nullable=False),
    _moment("made_at"),
    Unique("test_set_id", "digest", "signature", "interval"),
)
"""What was computed once: counts and score of outputs. It can be made again from the texts."""

view = _table(
    "view",
    _key(),
    _of("person"),
    _of("project", is_needed=False),
    _typed("name"),
    _text("page"),
    _text("query"),
    _moment("created_at"),
    Unique("person_id", "name"),
)
"""A page with all its choices, under a name."""

token = _table(
    "token",
    _key(),
    _of("person"),
    _of("project"),
    _text("hash"),
    _text("name"),
    _text("right"),
    _moment("created_at"),
    _moment("expires_at", is_needed=False),
    _moment("last_used_at", is_needed=False),
    _moment("revoked_at", is_needed=False),
    CheckConstraint("\"right\" IN ('read', 'write')", name="right"),
    Unique("hash"),
)
"""What a program shows in place of a person; only its hash is kept."""

share = _table(
    "share",
    _key(),
    _of("person"),
    _of("project", is_needed=False),
    _text("hash"),
    _text("page"),
    _text("query"),
    _moment("created_at"),
    _moment("expires_at"),
    _moment("revoked_at", is_needed=False),
    Unique("hash"),
)
"""A link to one view, for who has no account; only its hash is kept."""

event = _table(
    "event",
    _key(),
    _moment("at"),
    _of("person", is_needed=False, ends_with_it=False),
    _text("project", is_needed=False),  # its slug: the project itself may be gone
    _text("action"),
    Column("object", Json, nullable=False),
)
"""Who did what. Rows are only added: the database refuses to change or delete one."""

annotation_task = _table(
    "annotation_task",
    _key(),
    _of("person"),
    _of("project", is_needed=False),
    _text("name"),  # as links name it
    _typed("title"),
    _text("texts_digest"),
    _text("digest"),  # of the blob that says what is to be annotated, and by whom
    Column("is_own", Integer, nullable=False),  # marks that its maker makes in Segments
    _moment("created_at"),
    _moment("ended_at", is_needed=False),
    Unique("name"),
)
"""Outputs that annotators mark errors in."""

annotation_link = _table(
    "annotation_link",
    _key(),
    _of("annotation_task"),
    _typed("annotator"),
    _text("hash"),
    _moment("created_at"),
    _moment("revoked_at", is_needed=False),
    Unique("hash"),
)
"""A link that opens the items of one annotator; only its hash is kept."""

annotation_event = _table(
    "annotation_event",
    _key(),
    _of("annotation_task"),
    _text("item"),
    _typed("annotator"),
    Column("number", Id, nullable=False),  # of this item and annotator, from 1
    Column("base", Id, nullable=False),  # the number that the window had seen
    _text("client"),  # the window and its number, each once
    _text("kind"),
    Column("body", Json, nullable=False),
    _moment("at"),
    Unique("annotation_task_id", "annotator", "item", "number"),
    Unique("client", "annotation_task_id", "annotator"),
)
"""What an annotator did to an item. Rows are only added: the database refuses to change one."""

Index("ix_note_texts", note.c.texts_digest)
Index("ix_past_note_texts", past_note.c.person_id, past_note.c.texts_digest)
Index("ix_version_test_set", version.c.test_set_id, version.c.system_id)
Index("ix_opening_recent", opening.c.person_id, opening.c.opened_at)
Index("ix_event_at", event.c.at)
Index("ix_annotation_task_texts", annotation_task.c.texts_digest)
