"""Keys of the address that only references know, one line each."""

from bleuscope.runtime.param import Param

HELD_AGAINST = Param("held_against", option="--base")
DRAW_UNIT = Param("draw_unit", option="--draw-by")
