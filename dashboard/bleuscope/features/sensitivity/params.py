"""Keys of the address that only sensitivity knows, one line each."""

from bleuscope.runtime.param import Param

AXES = Param("axes", "choices")
FILTERS = Param("filters", "choices")
