"""What the documentation hands out for training: every script is on its page, and Python gives numbers."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "docs" / "recipes"


def test_trainer_is_given_numbers_against_the_references_of_the_file():
    page = (ROOT / "docs" / "howto" / "training.md").read_text(encoding="utf-8")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "compute_metrics" in block)
    names = {}
    exec(code, names)

    class Tokenizer:
        pad_token_id = 0
        words = ("", "the", "cat", "sat", "down")

        def batch_decode(self, ids, *, skip_special_tokens):
            assert skip_special_tokens
            return [" ".join(self.words[one] for one in row if one) for row in ids.tolist()]

    compute = names["metrics_against"](["the cat sat down", "cat"], Tokenizer())
    ids = np.array([[0, 1, 2, 3, 4], [2, -100, -100, -100, -100]])
    for predictions in (ids, (ids, "further outputs of the model")):
        found = compute(SimpleNamespace(predictions=predictions, label_ids=None))
        assert found == {"BLEU": pytest.approx(100), "chrF2": pytest.approx(100)}
    assert compute(SimpleNamespace(predictions=ids[::-1], label_ids=None))["BLEU"] < 50


@pytest.mark.parametrize("recipe", sorted(path.name for path in RECIPES.iterdir()))
def test_every_recipe_stands_on_the_page(recipe):
    page = (ROOT / "docs" / "howto" / "training.md").read_text(encoding="utf-8")
    assert f"```{{literalinclude}} ../recipes/{recipe}\n" in page
