"""Files of readings, and what may be wrong with them."""

import json
import math


class ReadingsError(Exception):
    """A file can't be used; the message names the file and the reason."""


def load(path):
    """Return the readings in the file, one or more finite numbers."""
    try:
        return extract(json.loads(_text(path)))
    except OSError as error:
        raise ReadingsError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ReadingsError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise ReadingsError(f"{path}: not JSON: {error}") from error
    except ReadingsError as error:
        raise ReadingsError(f"{path}: {error}") from error


def extract(document):
    """Return the readings in a parsed document."""
    if not isinstance(document, dict):
        raise ReadingsError("the top level is not an object")
    if "readings" not in document:
        raise ReadingsError('there is no "readings"')
    readings = document["readings"]
    if not isinstance(readings, list) or not readings:
        raise ReadingsError('"readings" is not a list of one or more')
    for place, reading in enumerate(readings):
        if type(reading) not in (int, float) or not math.isfinite(reading):
            raise ReadingsError(f"readings[{place}] is not a number: {json.dumps(reading)}")
    return readings


def _text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()
