"""Keys of the address that only runs know, one line each."""

from bleuscope.runtime.param import Param

AXIS = Param("axis", option="--axis")
AXIS_LEVEL = Param("axis_level")
