"""Refusals, with the exit statuses of sysexits.h."""

import os


class TitanError(Exception):
    """The base of all refusals."""

    exit_status = os.EX_SOFTWARE


class BatchError(TitanError):
    """A batch that makes no sense."""

    exit_status = os.EX_DATAERR


class CycleError(BatchError):
    """Jobs that wait for one another."""

    def __init__(self, path: list[str]) -> None:
        super().__init__(f"a circle of {', '.join(path)}")
        self.path = path


class ConflictError(TitanError):
    """A key that belongs to another batch."""

    exit_status = os.EX_DATAERR


class StaleError(TitanError):
    """An attempt that is not under way."""

    exit_status = os.EX_UNAVAILABLE


class JournalError(TitanError):
    """A journal of which nothing can be read."""

    exit_status = os.EX_IOERR
