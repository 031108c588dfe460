"""The integrations with the newest real packages, in an environment that is made for them: ``make test-deep``."""

import os
import re
import subprocess
import venv
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = (
    "accelerate",
    "anywidget",
    "datasets",
    "evaluate",
    "inspect-ai",
    "lightning",
    "lm-eval",
    "mlflow",
    "torch",
    "transformers",
    "wandb",
)


OF_OURS = {"huggingface": "transformers", "bleuscope_bleu": "evaluate", "widget": "anywidget"}
"""Modules and folders that are not named after the package that they are for."""


def test_every_integration_is_tried_with_its_package():
    folder = ROOT / "dashboard" / "bleuscope" / "integrations"
    shared = {"__init__", "__pycache__", "checkpoints", "logged", "segments"}
    modules = {OF_OURS.get(path.stem, path.stem) for path in folder.iterdir()} - shared
    checks = set(re.findall(r"^def check_(\w+)", (HERE / "real.py").read_text(encoding="utf-8"), re.MULTILINE))
    assert modules == checks
    assert {name.replace("_", "-") for name in checks} <= {*PACKAGES}


if settings.get_current_profile_name() == "deep":  # it fetches some gigabytes

    @pytest.mark.deep
    @pytest.mark.timeout(3600)
    def test_every_integration_works_with_the_newest_package(tmp_path):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
        venv.create(tmp_path / "env", with_pip=True)
        install = ("-m", "pip", "install", "--quiet", f"{ROOT}[dashboard]", *PACKAGES)
        for command in (install, (HERE / "real.py",)):
            done = subprocess.run(
                [tmp_path / "env" / "bin" / "python", *command],
                env=environment,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
