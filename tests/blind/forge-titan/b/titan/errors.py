"""All refusals, with the exit status each has on the command line."""

from typing import ClassVar


class TitanError(Exception):
    """The base of all refusals."""

    exit_status: ClassVar[int] = 1


class BatchError(TitanError):
    """A batch that is not accepted."""

    exit_status = 4


class CycleError(BatchError):
    """A batch with a circle."""

    def __init__(self, path: list[str]) -> None:
        super().__init__(" -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """A key that stands for another batch."""

    exit_status = 5


class StaleError(TitanError):
    """An attempt that is not under way."""

    exit_status = 5


class JournalError(TitanError):
    """A damaged journal."""

    exit_status = 6

    def __init__(self, line: int) -> None:
        super().__init__(f"damaged journal, line {line}")
        self.line = line
