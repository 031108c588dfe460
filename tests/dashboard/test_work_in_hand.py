"""Long work shows how far it is and can be cancelled; it is begun again only when that is asked for."""

import pytest

from bleuscope.shell.controls import widgets


def page():
    import streamlit as st

    from bleuscope.shell.controls import widgets
    from bleuscope.shell.state import session

    asked = st.text_input("asked", "sample")
    st.caption(session.get("ended", "goes on"))
    end, unseen = (lambda: session.put("ended", "was ended")), session.get("unseen", 0.0)
    report, finish = widgets.progress_reporter("Scoring …", asked, end, seconds_unseen=unseen)
    report(0.5)
    st.text("worked")
    if st.checkbox("done"):
        finish()


def labels(app):
    return [button.label for button in app.button]


def test_work_that_is_cancelled_stays_so_until_the_person_starts_it_again(undrawn):
    app = undrawn(page).run()
    assert labels(app) == ["Cancel"]
    assert [one.proto.text for one in app.get("progress")] == ["Scoring … 50%"]
    app.button[0].click().run()
    assert [one.value for one in app.info] == ["Cancelled: Scoring."]
    assert labels(app) == ["Start again"]
    assert not app.text
    app.run()
    assert not app.text
    app.button(key="start-Scoring …").click().run()
    assert [one.value for one in app.text] == ["worked"]


def test_work_that_would_go_on_without_the_page_is_ended_by_the_button(undrawn):
    app = undrawn(page).run()
    assert [one.value for one in app.caption] == ["goes on"]
    app.button[0].click().run()
    assert [one.value for one in app.caption] == ["was ended"]


def test_other_work_of_the_same_name_is_begun(undrawn):
    app = undrawn(page).run()
    app.button[0].click().run()
    app.text_input[0].set_value("другое").run()
    assert [one.value for one in app.text] == ["worked"]


def test_work_that_is_done_leaves_no_button(undrawn):
    app = undrawn(page).run()
    app.checkbox[0].check().run()
    assert labels(app) == []


def test_short_work_shows_no_line(undrawn):
    app = undrawn(page)
    app.session_state["unseen"] = 60.0
    app.run()
    assert [one.value for one in app.text] == ["worked"]
    assert not labels(app)
    assert not app.get("progress")


def test_a_bar_moves_at_most_four_times_a_second(monkeypatch):
    now, shown = [10.0], []
    monkeypatch.setattr(widgets.time, "monotonic", lambda: now[0])
    move = widgets.mover(lambda share, _: shown.append(share), "Scoring …", 0.3)
    for step in range(200):  # two seconds
        now[0] = 10.0 + step / 100
        move(step / 200)
    assert shown[0] == pytest.approx(0.15)
    assert len(shown) == 7


def page_that_does_the_same_twice():
    from bleuscope.shell.controls import widgets  # the script of a test stands alone

    for _ in range(2):
        report, finish = widgets.progress_reporter("Scoring …", "sample", seconds_unseen=0.0)
        report(0.5)
        finish()


def test_work_that_is_done_again_within_a_run_has_a_line_of_its_own(undrawn):
    app = undrawn(page_that_does_the_same_twice).run()
    assert not app.exception
    app.run()
    assert not app.exception
