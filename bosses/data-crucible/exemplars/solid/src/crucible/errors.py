"""The one error the command line reports."""


class InputError(Exception):
    """The CSV or the config can't be used."""
