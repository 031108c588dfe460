"""Runs: a page and a command on recipes with several runs."""

from bleuscope.registry import Command, Feature, Page

FEATURE = Feature(
    name="runs",
    pages=(Page("runs", "Runs", path="features/runs/pages/runs.py", stands_under="significance"),),
    page_before="test_set",
    beneath_verdict="bleuscope.features.runs.panel:to_recipes",
    commands=(Command("runs", "bleuscope.features.runs.command", before="checks"),),
)
