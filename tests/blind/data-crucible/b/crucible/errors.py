"""What may be wrong with what we are given."""


class CrucibleError(Exception):
    """Base of all complaints about the input."""


class ConfigError(CrucibleError):
    pass


class TableError(CrucibleError):
    pass


class ValueFieldError(TableError):
    def __init__(self, text: str, line: int) -> None:
        super().__init__(f"line {line}: {text!r} is not a number")
