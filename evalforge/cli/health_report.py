"""The report of ``evalforge doctor``: its checks and their states."""

from enum import StrEnum

from evalforge.model.base import Frozen


class CheckState(StrEnum):
    """The result of a check.

    Attributes:
        OK: It works.
        OFF: It isn't available, and nothing needs it.
        NOTE: Something is ignored or untested; a judging is still possible.
        FAILED: A judging would be refused.
    """

    OK = "ok"
    OFF = "off"
    NOTE = "note"
    FAILED = "failed"


class Check(Frozen):
    """One thing that was checked.

    Attributes:
        name: Its subject, such as ``isolation``.
        state: Its result.
        message: What was found, as a sentence.
        remedy: How to fix it; empty if there is nothing to fix.
    """

    name: str
    state: CheckState
    message: str
    remedy: str = ""


class HealthReport(Frozen):
    """The results of all checks.

    Attributes:
        can_judge: Whether none of them failed.
        checks: In the order in which they are shown.
    """

    can_judge: bool
    checks: tuple[Check, ...]
