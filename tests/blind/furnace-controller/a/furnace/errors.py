"""Errors an operator is told about."""


class FurnaceError(Exception):
    """Base of all errors of this package."""


class SourceError(FurnaceError):
    """The source of readings can't be read."""


class InvalidReadings(FurnaceError):
    """There is something to read, but it's no list of numbers."""
