"""Keys of the address that only runs know, one line each."""

from bleuscope.runtime.param import Param

RECIPES = Param("recipes", "text", scope="test set", option="--run", most=10_000)
FACTOR_WORDS = Param("factor_words", "text", scope="test set", option="--factor", most=1_000)
AXIS = Param("axis", option="--axis")
AXIS_LEVEL = Param("axis_level")
