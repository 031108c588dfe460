"""Who may do what in a project, and who did what: what ``bleuscope team`` and ``bleuscope token`` do, on a page.

Only where others than the one who runs the server can enter. Everything is asked for anew in the moment in which it is
done: what a page showed says nothing of what its reader may do by then.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, get_args

import streamlit as st

from bleucore import InputError
from bleuscope.content.style.unique_names import unique_name
from bleuscope.features.projects import frame as project_frame
from bleuscope.features.projects import sheets_team as team_sheets
from bleuscope.features.projects import words_team as team_words
from bleuscope.features.projects.sheets_team import LinkRow, LogRow, MemberRow, TokenRow
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.state import session, workspace_in_use
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace import Workspace
from bleuscope.workspace.access import Member, Role
from bleuscope.workspace.columns import now
from bleuscope.workspace.events import events
from bleuscope.workspace.people import LOCAL, Person
from bleuscope.workspace.shares import Share
from bleuscope.workspace.tokens import MOST_DAYS, RIGHTS, USUAL_DAYS, Token

SAID = "_team_said"
ASKED = "_team_asked"
ROLES: tuple[Role, ...] = get_args(Role)
FOR_OWNERS = (team_words.TOKENS, team_words.LINKS, team_words.LOG)
MOST_EVENTS = 200
Row = TypeVar("Row")


@dataclass(frozen=True)
class _Said:
    """What came of the last thing that was done in a panel.

    Attributes:
        slug: Of its project.
        words: To show.
        is_fault: Whether it was refused.
        secret: What is shown once.
    """

    slug: str
    words: str
    is_fault: bool = False
    secret: str | None = None


@dataclass(frozen=True)
class _Project:
    """The project of a panel, and who looks at it.

    Attributes:
        slug: Its name in addresses.
        workspace: Where it is.
        who: Is at the browser.
    """

    slug: str
    workspace: Workspace
    who: Person


def team_panel(slug: str, *, is_open: bool = False) -> None:
    """Members of a project; for its owners also tokens, links and the log.

    Args:
        slug: The project.
        is_open: Whether the page is about nothing else.
    """
    if not workspace_in_use.is_shared() or workspace_in_use.is_by_link():
        return
    panel = st.expander(team_words.LABEL, is_open, icon=":material/group:", key=f"team-{slug}", on_change="rerun")
    if not panel.open:
        return
    with panel:
        try:
            found = workspace_in_use.somebody()
            if found is not None:
                _draw(_Project(slug, *found))
        except InputError as error:
            st.error(widgets.plain(str(error)), icon=":material/error:")


def team_page() -> None:
    """The same as a page of the chosen project, which says where a server has no teams."""
    slug = project_frame.chosen_slug()
    if slug is None:
        project_frame.nothing_yet()
    elif workspace_in_use.is_shared():
        team_panel(slug, is_open=True)
    else:
        st.info(team_words.ONE_PERSON)


def _draw(of: _Project) -> None:
    parts: dict[str, Callable[[_Project], None]] = {team_words.MEMBERS: _members}
    if workspace_in_use.may(of.slug, "change members"):
        parts |= dict(zip(FOR_OWNERS, (_tokens, _links, _log), strict=True))
    if workspace_in_use.entered().identity is None:
        st.caption(team_words.WITHOUT_LOGIN)
    chosen = team_words.MEMBERS
    if len(parts) > 1:
        chosen = st.segmented_control(
            team_words.LABEL,
            list(parts),
            default=chosen,
            required=True,
            key=f"team-part-{of.slug}",
            label_visibility="collapsed",
            on_change=session.drop,
            args=(SAID, ASKED),
        )
    _say(of)
    parts[chosen](of)


def _members(of: _Project) -> None:
    members = of.workspace.access.members(of.who, of.slug)
    shown_table(team_sheets.members_sheet(of.slug, [_member_row(one) for one in members]))
    if not workspace_in_use.may(of.slug, "change members"):
        return
    keys = {name: f"team-{name}-{of.slug}" for name in ("who", "role", "issuer", "member")}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Who", key=keys["who"], help=team_words.WHO_HELP, placeholder="ada@example.org")
        st.selectbox("Role", ROLES, key=keys["role"], help=team_words.ROLES_HELP, width=130)
        st.text_input(
            "Issuer", key=keys["issuer"], help=team_words.ISSUER_HELP, placeholder="of somebody who has logged in"
        )
        st.button("Give the role", key=f"team-give-{of.slug}", on_click=_do, args=(of, partial(_give, of, keys)))
    labels = _labelled(members, _member_label)
    gone = _chosen("Member", labels, keys["member"], "Take the role", of)
    if gone is not None:
        name = _name(gone.who.person)
        _confirm(of, team_words.ask_to_take(name, of.slug), "Take it", partial(_take, of, gone.who.person))


def _give(of: _Project, keys: Mapping[str, str]) -> _Said:
    workspace_in_use.project(of.slug, "change members")
    issuer = str(session.get(keys["issuer"]) or "").strip() or None
    to = of.workspace.people.known_as(str(session.get(keys["who"]) or "").strip(), issuer)
    role: Role = session.get(keys["role"])
    of.workspace.access.give(of.who, of.slug, to, role)
    session.put(keys["who"], "")
    return _Said(of.slug, team_words.given(to.name, role, of.slug))


def _take(of: _Project, member: Person) -> _Said:
    of.workspace.access.take(of.who, of.slug, member)
    return _Said(of.slug, team_words.taken(member.name, of.slug))


def _tokens(of: _Project) -> None:
    st.caption(team_words.TOKENS_HELP)
    project, moment = workspace_in_use.project(of.slug, "make token"), now()
    tokens = of.workspace.tokens.all(project)
    if tokens:
        rows = [_token_row(one, _state(one)) for one in tokens]
        shown_table(team_sheets.tokens_sheet(of.slug, rows))
    else:
        st.markdown(team_words.NO_TOKEN)
    keys = {name: f"team-token-{name}-{of.slug}" for name in ("name", "right", "days", "one")}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Name", "push", key=keys["name"], help="Its name in the list.")
        st.selectbox("Right", RIGHTS, RIGHTS.index("write"), key=keys["right"], help="write includes read.", width=130)
        st.number_input("Days that it lasts", 1, MOST_DAYS, USUAL_DAYS, key=keys["days"], width=160)
        st.button("Make a token", key=f"team-make-{of.slug}", on_click=_do, args=(of, partial(_make, of, keys)))
    labels = _labelled([one for one in tokens if one.is_valid(moment)], lambda one: f"{one.id} {one.name}")
    gone = _chosen("Token", labels, keys["one"], "Revoke", of)
    if gone is not None:
        _confirm(of, team_words.ask_to_revoke(gone.name), "Revoke it", partial(_revoke, of, gone))


def _make(of: _Project, keys: Mapping[str, str]) -> _Said:
    project = workspace_in_use.project(of.slug, "make token")
    name, days = str(session.get(keys["name"]) or ""), int(session.get(keys["days"]) or USUAL_DAYS)
    secret, _ = of.workspace.tokens.make(project, of.who, session.get(keys["right"]), name=name, days=days)
    return _Said(of.slug, team_words.TOKEN_SHOWN, secret=secret)


def _revoke(of: _Project, token: Token) -> _Said:
    of.workspace.tokens.revoke(workspace_in_use.project(of.slug, "make token"), token.id, of.who)
    return _Said(of.slug, f"Token {token.id} ({token.name}): revoked.")


def _links(of: _Project) -> None:
    st.caption(team_words.LINKS_HELP)
    found = of.workspace.shares.in_project(of.who, of.slug)
    if not found:
        st.markdown(team_words.NO_LINK)
        return
    rows = [LinkRow(one.id, _page(one), _name(one.author), one.expires_at) for one in found]
    shown_table(team_sheets.links_sheet(of.slug, rows))
    labels = _labelled(found, lambda one: f"{one.id} {_page(one)}")
    gone = _chosen("Link", labels, f"team-link-{of.slug}", "Take back", of)
    if gone is not None:
        _confirm(of, team_words.ask_to_end(_page(gone)), "End it", partial(_end, of, gone))


def _end(of: _Project, link: Share) -> _Said:
    of.workspace.shares.revoke(of.who, link.id)
    return _Said(of.slug, f"Link {link.id} to {_page(link)}: ended.")


def _log(of: _Project) -> None:
    st.caption(team_words.LOG_HELP)
    workspace_in_use.project(of.slug, "see log")
    found = events(of.workspace.database, of.slug, MOST_EVENTS)
    rows = [
        LogRow(one.at, _named(one.author or "", one.issuer), one.action, team_words.in_line(one.object))
        for one in found
    ]
    shown_table(team_sheets.log_sheet(of.slug, rows))


def _labelled(rows: Sequence[Row], label: Callable[[Row], str]) -> dict[str, Row]:
    taken = set[str]()
    return {unique_name(label(one), taken): one for one in rows}


def _chosen(what: str, labels: Mapping[str, Row], key: str, words: str, of: _Project) -> Row | None:
    """One of some to be ended, once that was asked for and until it is answered."""
    session.keep_valid(key, (None, *labels))
    if not labels:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.selectbox(what, list(labels), index=None, key=key, placeholder="choose one", width=320)
        st.button(words, key=f"{key}-end", on_click=session.put, args=(ASKED, (of.slug, key, name)), disabled=not name)
    return labels[name] if name and session.get(ASKED) == (of.slug, key, name) else None


def _confirm(of: _Project, question: str, words: str, do: Callable[[], _Said]) -> None:
    """Ask once more before what cannot be taken back."""
    st.warning(widgets.plain(question), icon=":material/help:")
    with st.container(horizontal=True, gap="small"):
        st.button(words, key=f"team-yes-{of.slug}", type="primary", on_click=_do, args=(of, do))
        st.button("Leave it", key=f"team-no-{of.slug}", on_click=session.drop, args=(ASKED,))


def _do(of: _Project, do: Callable[[], _Said]) -> None:
    """Do it, and keep what came of it for the page that is drawn next."""
    session.drop(ASKED)
    try:
        session.put(SAID, do())
    except InputError as error:
        session.put(SAID, _Said(of.slug, str(error), is_fault=True))


def _say(of: _Project) -> None:
    said: _Said | None = session.get(SAID)
    if said is None or said.slug != of.slug:
        return
    if said.is_fault:
        st.error(widgets.plain(said.words), icon=":material/error:")
        return
    st.success(widgets.plain(said.words), icon=":material/check:")
    if said.secret is not None:
        st.code(said.secret, language=None, wrap_lines=True)


def _member_row(one: Member) -> MemberRow:
    person, identity = one.who.person, one.who.identity
    is_marked = identity.issuer == "browser"  # whose mark is for that browser only
    return MemberRow(
        one.role, _name(person), person.email or "", identity.issuer, "" if is_marked else identity.subject
    )


def _name(person: Person) -> str:
    return _named(person.name, person.issuer)


def _named(name: str, issuer: str | None) -> str:
    """The name for others: whoever runs the server is "you" to themselves alone."""
    return team_words.RUNS_IT if issuer == LOCAL.issuer else name


def _member_label(one: Member) -> str:
    person = one.who.person
    return team_words.member_name(_name(person), person.email or "", person.issuer)


def _state(one: Token) -> str:
    return "revoked" if one.revoked_at is not None else "valid" if one.is_valid(now()) else "expired"


def _token_row(one: Token, state: str) -> TokenRow:
    return TokenRow(
        one.id, one.name, one.right, state, _name(one.made_by), one.created_at, one.expires_at, one.last_used_at
    )


def _page(one: Share) -> str:
    return next((page.title for page in PAGES.values() if page.address == one.page), one.page)
