"""The file of readings: where every bad input is met."""

import json
from math import isfinite
from typing import Any, List


class ReadingsError(ValueError):
    """A file of readings that can't be used. The message is for the operator."""


def _refuse_constant(name: str) -> float:
    raise ReadingsError(f"{name} is no JSON number")


class ReadingsFile:
    """A JSON file of the form {"readings": [numbers]}."""

    def __init__(self, path: str) -> None:
        self.path = path

    def load(self) -> List[float]:
        """The readings of the file, checked.

        Raises:
            ReadingsError: The file can't be read, or doesn't hold readings.
        """
        return self.checked(self._parse(self._read()))

    def _read(self) -> str:
        try:
            with open(self.path, encoding="utf-8") as file:
                return file.read()
        except OSError as error:
            raise ReadingsError(f"cannot open {self.path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ReadingsError(f"{self.path} is not UTF-8 text") from error

    @staticmethod
    def _parse(text: str) -> Any:
        try:
            return json.loads(text, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            raise ReadingsError(f"line {error.lineno} is not JSON: {error.msg}") from error

    @classmethod
    def checked(cls, document: Any) -> List[float]:
        """The readings in a parsed document, if it has the agreed shape.

        Raises:
            ReadingsError: It hasn't.
        """
        if not isinstance(document, dict) or not isinstance(document.get("readings"), list):
            raise ReadingsError('expected an object with a list called "readings"')
        readings = document["readings"]
        if not readings:
            raise ReadingsError("the list of readings is empty")
        return [cls._number(value) for value in readings]

    @staticmethod
    def _number(value: Any) -> float:
        # bool is a subclass of int, so the type is compared, not asked for with isinstance.
        if type(value) not in (int, float) or not isfinite(value):
            raise ReadingsError(f"{value!r} is not a temperature")
        return float(value)
