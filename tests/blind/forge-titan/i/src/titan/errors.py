"""The refusals."""


class TitanError(Exception):
    """The base of all refusals."""


class BatchError(TitanError):
    """The batch makes no sense."""


class CycleError(BatchError):
    """Jobs wait for one another.

    Attributes:
        path: Their ids; each waits for the next, and the last is the first again.
    """

    def __init__(self, path: list[str]) -> None:
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """The key belongs to another batch."""


class StaleError(TitanError):
    """The attempt is not under way."""


class JournalError(TitanError):
    """The journal is damaged.

    Attributes:
        line: The number of the first line that is not sound.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"the journal is damaged in line {line}")
        self.line = line
