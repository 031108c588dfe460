"""Keys of the address that only projects know, one line each."""

from bleuscope.runtime.param import Param

TEST_SET = Param("on", noun="test set", opens="project", option="--test-set")
SCORED_BY = Param("scored_by")
WHICH = Param("which", option="--which")
PINNED = Param("pinned", "choices")
SYSTEM = Param("system", noun="system", option="--system")
ALONG = Param("along")
OLDER = Param("older", noun="version")
NEWER = Param("newer", noun="version")
COURSE = Param("course")
STRIP = Param("strip", "whole", noun="segment")
