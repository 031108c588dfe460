"""Streamlit's settings: every one is judged, and no file or variable of the machine changes any."""

import json
import os
import subprocess
import sys
import tomllib

import pytest
from streamlit import config

from bleuscope.shell.disk.packaged import CHECKOUT
from bleuscope.shell.server.settings import AS_STREAMLIT_HAS_IT, GIVEN_AT_START, THEME, read_settings

FORMS = {
    "not TOML": "[server\n",
    "no tables": 'server = 1\ntheme = "dark"\n',
    "a section that there is not": "[theme.light.dark]\nprimaryColor = '#000'\n",
}
HOSTILE = """
[global]
developmentMode = true
[server]
enableCORS = false
enableXsrfProtection = false
enableAgentApi = true
enableStaticServing = true
cookieSecret = "known"
address = "0.0.0.0"
port = 1
maxUploadSize = 100000
trustedUserHeaders = {x = "y"}
corsAllowedOrigins = ["http://evil.example"]
runOnSave = true
fileWatcherType = "poll"
[browser]
gatherUsageStats = true
serverAddress = "evil.example"
[client]
showErrorDetails = "full"
toolbarMode = "developer"
[theme]
base = "http://127.0.0.1:1/theme.toml"
primaryColor = "#ff0000"
[secrets]
files = ["secrets.toml"]
"""
PROGRAM = """
import json, os
from streamlit import config
from bleuscope.shell.server.settings import apply_settings
apply_settings({"server.port": 8501})
import streamlit as st
values = {name: config.get_option(name) for name in config.get_config_options()}
print(json.dumps([values, "planted" in os.environ, st.secrets.load_if_toml_exists()], default=str))
"""


def values_under(folder, **variables):
    """Every setting in a process whose home and working directory is the folder."""
    environment = os.environ | {"HOME": str(folder), "USERPROFILE": str(folder)} | variables
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory):
    return values_under(tmp_path_factory.mktemp("nothing"))


class TestEverySetting:
    def test_of_streamlit_is_judged_once(self):
        known = {name for name in config._config_options_template if not name.startswith(THEME)}
        ours = {name for name in read_settings() if not name.startswith(THEME)}
        judged = [*ours, *AS_STREAMLIT_HAS_IT, *GIVEN_AT_START]
        assert sorted(judged) == sorted(known)

    def test_of_the_theme_is_looks_alone(self):
        reaching = ("base", "fontFaces")
        assert not [name for name in read_settings() if name.startswith(THEME) and name.rpartition(".")[2] in reaching]
        assert set(read_settings()) <= set(config._config_options_template)

    def test_that_is_left_alone_says_why(self):
        assert all(AS_STREAMLIT_HAS_IT.values())
        assert all(GIVEN_AT_START.values())

    def test_of_ours_is_by_dotted_name_what_the_file_says(self):
        tables = tomllib.loads((CHECKOUT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
        settings = read_settings()
        assert settings["server.maxUploadSize"] == tables["server"]["maxUploadSize"]
        assert settings["theme.dark.sidebar.backgroundColor"] == tables["theme"]["dark"]["sidebar"]["backgroundColor"]
        assert settings["browser.gatherUsageStats"] is False
        assert settings["client.showErrorDetails"] == "none"
        assert settings["runner.postScriptGC"] is False


class TestApplied:
    def test_are_ours(self, ordinary):
        values, _, has_secrets = ordinary
        assert {name: values[name] for name in read_settings()} == read_settings()
        assert values["server.port"] == 8501
        assert not has_secrets

    @pytest.mark.parametrize("text", [HOSTILE, *FORMS.values()], ids=["hostile", *FORMS])
    def test_are_the_same_whatever_files_and_variables_there_are(self, ordinary, tmp_path, text):
        (tmp_path / ".streamlit").mkdir()
        (tmp_path / ".streamlit" / "config.toml").write_text(text, encoding="utf-8")
        (tmp_path / ".streamlit" / "secrets.toml").write_text('planted = "1"\n[auth]\ncookie_secret = "known"\n')
        variables = {option.env_var: "1" for option in config._config_options_template.values()}
        values, is_planted, has_secrets = values_under(tmp_path, **variables)
        secret = "server.cookieSecret"
        assert values.pop(secret) not in ("1", "known", ordinary[0][secret])
        assert values == {name: value for name, value in ordinary[0].items() if name != secret}
        assert not is_planted
        assert not has_secrets
