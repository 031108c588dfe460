"""Keys of the address that only kinds know, one line each."""

from bleuscope.runtime.param import Param

KIND = Param("kind", option="--kind")
SLICES = Param("kind_slices", scope="test set", option="--by")
