"""The application: settings, source, controller, reporter."""

from collections.abc import Sequence

from furnace.domain import Band, Controller
from furnace.errors import FurnaceError
from furnace.reporting import ConsoleReporter, Reporter
from furnace.settings import Settings
from furnace.sources import JsonFileSource, ReadingSource

EXIT_BAD_INPUT = 1


class Application:
    """One run."""

    def __init__(self, source: ReadingSource, controller: Controller, reporter: Reporter):
        self._source = source
        self._controller = controller
        self._reporter = reporter

    def run(self) -> int:
        """Read, decide, report; return the exit status."""
        try:
            readings = self._source.readings()
        except FurnaceError as error:
            self._reporter.failed(error)
            return EXIT_BAD_INPUT
        decision = self._controller.decide(readings)
        self._reporter.decided(decision)
        return decision.exit_status


def main(argv: Sequence[str] | None = None) -> int:
    """Put an application together and run it."""
    settings = Settings.from_argv(argv)
    controller = Controller(Band(settings.target, settings.tolerance))
    return Application(JsonFileSource(settings.input), controller, ConsoleReporter()).run()
