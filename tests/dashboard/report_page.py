"""What tests read on the Report page, and its button."""


def said(app):
    return " ".join(element.proto.body for element in app.get("html"))


def has_button(app, key):
    return any(button.key == key for button in app.button)


def saves(app):
    return [element.proto for element in app.get("download_button")]


def make(app):
    app.button(key="make_report").click().run()
    assert not app.exception, [problem.message for problem in app.exception]
    return app
