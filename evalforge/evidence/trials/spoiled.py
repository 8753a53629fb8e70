"""How a trial learns that the player's code ended the run in its own way."""

from evalforge.sandbox.report import Ending, RunReport


class SpoiledError(Exception):
    """The code hung, crashed, flooded or was killed: the trial is over, and it says why.

    Args:
        report: The run that ended so.
        words: What it did, if the report alone doesn't tell.
    """

    def __init__(self, report: RunReport, words: str = "") -> None:
        super().__init__(words or report.spoiled or f"ended its own process (exit status {report.exit_code})")
        self.report = report

    @property
    def timed_out(self) -> bool:
        """Whether it took longer than it may."""
        return self.report.ending is Ending.TIMEOUT

    @property
    def left(self) -> bool:
        """Whether it was the code itself that ended its process."""
        return self.report.ending is Ending.EXIT
