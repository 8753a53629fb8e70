"""The output file."""

import json

from crucible.errors import InputError


def save(path, results):
    """Write the results as JSON."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=2, ensure_ascii=False)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
