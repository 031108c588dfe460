"""Versions of one system on one test set, in their order: which differ, which is the best, when to raise an alarm."""

from bleucore.history.alarms import CONTROLS, AlarmKind, AlarmOptions, Control, online_levels
from bleucore.history.changes import VersionChanges, changes_between
from bleucore.history.choice import BestVersion, best_version
from bleucore.history.segment_history import COURSES, Course, SegmentStrips, segment_strips
from bleucore.history.version_verdicts import Against, version_verdict
from bleucore.history.versions import HeldAgainst, Version, VersionHistory, version_history

__all__ = [
    "CONTROLS",
    "COURSES",
    "Against",
    "AlarmKind",
    "AlarmOptions",
    "BestVersion",
    "Control",
    "Course",
    "HeldAgainst",
    "SegmentStrips",
    "Version",
    "VersionChanges",
    "VersionHistory",
    "best_version",
    "changes_between",
    "online_levels",
    "segment_strips",
    "version_history",
    "version_verdict",
]
