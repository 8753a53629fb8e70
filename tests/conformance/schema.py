"""Prints the form of a boss's reply as a JSON schema whose texts and lists end.

For servers that can hold a model to a grammar, but not by a request: ``python -m tests.conformance.schema
training-dummy > reply.json``, then llama.cpp's ``json_schema_to_grammar`` and its option ``--grammar-file``. Without
bounds a small model goes in circles inside the first text, which no grammar forbids.
"""

import argparse
import json
from pathlib import Path
from typing import Any, cast

from evalforge.judges.reply_schema import schema_for
from evalforge.packs.pack import load_pack
from tests.conformance.run import BOSSES

TEXT, ITEMS, LINES = 240, 2, 9_999
"""The most characters of a text, the most entries of a list, the greatest number of a line."""

TIGHT = {"x-guidance": {"whitespace_flexible": False}}
"""For llguidance, which else allows spaces without end between two tokens; others pass over it."""


def bounded(schema: dict[str, Any]) -> dict[str, Any]:
    """The same form with an end to each text and each list, and a text in each entry."""
    kind = schema.get("type")
    if kind == "string":
        return {**schema, "minLength": 1, "maxLength": TEXT}
    if kind == "integer":
        return {**schema, "minimum": 1, "maximum": LINES}
    if kind == "array":
        return {**schema, "items": bounded(schema["items"]), "minItems": 1, "maxItems": ITEMS}
    if kind == "object":
        properties = cast("dict[str, dict[str, Any]]", schema["properties"])
        return {**schema, "properties": {name: bounded(each) for name, each in properties.items()}}
    return schema


def main() -> None:
    """Print the schema of one boss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boss", help="a folder of bosses/, or any other")
    given = Path(parser.parse_args().boss)
    pack = load_pack(given if given.is_dir() else BOSSES / given)
    print(json.dumps({**bounded(schema_for(pack.rubric)), **TIGHT}))


if __name__ == "__main__":
    main()
