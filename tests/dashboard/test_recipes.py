"""The scripts and files for other tools stand on the pages that explain them."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes"


@pytest.mark.parametrize("recipe", sorted(path.name for path in RECIPES.iterdir()))
def test_every_recipe_stands_on_a_page(recipe):
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "howto").glob("*.md"))
    assert f"```{{literalinclude}} ../recipes/{recipe}\n" in pages
