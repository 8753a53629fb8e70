"""What the order book refuses. Each class knows the exit status it means on the command line."""


class TitanError(Exception):
    """The base of all refusals."""

    status = 1


class BatchError(TitanError):
    """A batch that makes no sense."""

    status = 4


class CycleError(BatchError):
    """Jobs that wait for one another; ``path`` goes round once and ends where it began."""

    def __init__(self, path):
        """Remember the way round."""
        super().__init__(f"jobs wait for one another: {' -> '.join(path)}")
        self.path = path


class ConflictError(TitanError):
    """A key that was used for another batch."""

    status = 5


class StaleError(TitanError):
    """Something was said of an attempt that is not under way."""

    status = 5


class JournalError(TitanError):
    """A line that is not sound, with others after it; ``line`` is its number."""

    status = 6

    def __init__(self, path, line):
        """Remember the line."""
        super().__init__(f"{path} is damaged in line {line}")
        self.line = line
