"""Whether an operator learns of failures: what runs that end with another status than 0 leave for them."""

from evalforge.model.evidence import Fact
from evalforge.sandbox.report import TRACEBACK_START, RunReport

_MAX_COUNT = 2


class FailureReports:
    """Counts the failed runs that left words on standard error, or a file such as a log; tracebacks don't count."""

    def __init__(self) -> None:
        self._count = 0

    def count(self, report: RunReport) -> RunReport:
        """Look at the report of a run and hand it on, for ``Host.reports_to``."""
        is_trace = report.uncaught_error is not None and TRACEBACK_START in report.stderr
        has_failed = report.exit_code not in (0, None) and not is_trace
        self._count += has_failed and bool(report.stderr.strip() or report.files)
        return report

    def fact(self) -> Fact:
        """How many there were, up to a few: how many runs fail depends on the trials."""
        return Fact(name="code.reported_failures", value=min(self._count, _MAX_COUNT))
