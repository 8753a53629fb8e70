"""Log Leviathan: a summary of logs of any length."""

from .report import build_report
from .tally import Tally

__all__ = ["Tally", "build_report"]
