"""Are the texts what you think they are? What looks wrong with them is reported, and never fixed silently."""

from bleucore.checks.compared_texts import SubjectKind
from bleucore.checks.findings import SEVERITIES, Finding, Repair, Severity, Shift
from bleucore.checks.registry import CHECKS, Check, check, check_scoring, gravest_first

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Check",
    "Finding",
    "Repair",
    "Severity",
    "Shift",
    "SubjectKind",
    "check",
    "check_scoring",
    "gravest_first",
]
