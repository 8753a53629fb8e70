"""How a trial learns that the player's code ended the run in its own way."""

from evalforge.sandbox.report import Ending, RunReport


class SpoiledError(Exception):
    """The code hung, crashed, flooded or was killed: the trial is over, and it says why.

    Args:
        report: The run that ended so.
    """

    def __init__(self, report: RunReport) -> None:
        super().__init__(report.spoiled)
        self.report = report

    @property
    def timed_out(self) -> bool:
        """Whether it took longer than it may."""
        return self.report.ending is Ending.TIMEOUT
