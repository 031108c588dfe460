"""Keys of the address that only annotation knows, one line each."""

import re

from bleuscope.runtime.param import Form, Param

TASK = Param("task", noun="task")
ADJUDICATED = Param("adjudicated", scope="page", noun="item")
ANNOTATION_WEIGHTS = Param("annotation_weights", "text", option="--mqm-weights", most=500)
RATER = Param("rater", form=Form(re.compile(r"[A-Za-z0-9_-]{22}"), "22 letters or digits"))
