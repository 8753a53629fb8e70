"""Reading the input file."""

import json


class InputError(Exception):
    """The input can't be used."""


def read_readings(path):
    """Return the list of readings in the file, or raise InputError."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist")
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not valid JSON: {error}")
    if not isinstance(data, dict) or "readings" not in data:
        raise InputError(f"{path} has no readings")
    if len(data["readings"]) == 0:
        raise InputError(f"{path} has an empty list of readings")
    return data["readings"]
