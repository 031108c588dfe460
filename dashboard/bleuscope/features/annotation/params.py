"""Keys of the address that only annotation knows, one line each."""

from bleuscope.runtime.param import Param

TASK = Param("task", noun="task")
ADJUDICATED = Param("adjudicated", scope="page", noun="item")
ANNOTATION_WEIGHTS = Param("annotation_weights", "text", option="--mqm-weights", most=500)
