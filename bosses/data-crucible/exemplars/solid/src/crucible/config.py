"""The config: a plain dict with two checked keys."""

import json

from crucible.errors import InputError


def load_config(path):
    """Read and check a config file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise InputError(f"cannot open config {path}: {error.strerror}") from error
    return check_config(text)


def check_config(text):
    """Turn the text of a config into a dict that may be relied on."""
    try:
        config = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"config is not JSON: {error}") from error
    if not isinstance(config, dict):
        raise InputError("config must be an object with group_by and value_field")
    for key in ("group_by", "value_field"):
        if key not in config:
            raise InputError(f"config lacks the key {key}")
    if not is_list_of_names(config["group_by"]):
        raise InputError("group_by must be a non-empty list of column names")
    if not isinstance(config["value_field"], str):
        raise InputError("value_field must be a column name")
    return {"group_by": config["group_by"], "value_field": config["value_field"]}


def is_list_of_names(value):
    """Whether value is a non-empty list of strings."""
    return isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value)
