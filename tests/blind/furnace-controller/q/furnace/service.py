"""The application: one control cycle."""

from dataclasses import dataclass

from .ports import InputError, Policy, ReadingSource, Reporter

BAD_INPUT = 1


@dataclass(frozen=True)
class ControlCycle:
    """Reads, decides and reports once."""

    source: ReadingSource
    policy: Policy
    reporter: Reporter

    def run(self) -> int:
        """The exit status."""
        try:
            readings = self.source.load()
        except InputError as error:
            self.reporter.refuse(error)
            return BAD_INPUT
        command = self.policy.decide(readings)
        self.reporter.report(command)
        return command.value
