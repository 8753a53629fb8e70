"""What comes out of the crucible: castings as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from melting import Casting
from ore import CrucibleError, Recipe


def as_object(recipe: Recipe, casting: Casting) -> dict[str, str | float]:
    """The output object of one casting."""
    names = dict(zip(recipe.group_by, casting.group, strict=True))
    return {**names, "sum": casting.total, "count": casting.count, "avg": casting.mean}


def write_castings(path: Path, recipe: Recipe, castings: Iterable[Casting]) -> None:
    """Write all castings in one go."""
    text = json.dumps([as_object(recipe, casting) for casting in castings], indent=2, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise CrucibleError(f"cannot write {path}: {error.strerror}") from error
