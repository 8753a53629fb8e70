"""Lists names that may say too little: ``python -m tests.candidate_names [FOLDER]``; ``make check`` shows how many.

A candidate is no fault. It is a name of a kind at which readers stopped: a value that is called by a participle, a word
that fits everything, a verb without an object, and a module or class whose name another one has, too.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.source_names import FUNCTIONS, NO_NAMES_OF_FUNCTIONS, NO_NAMES_OF_VALUES, definitions, plain, values

PARTICIPLES = NO_NAMES_OF_VALUES | frozenset(
    "begun beside built chosen drawn held here hidden kept left lost made meant own read said seen sent shown struck "
    "taken there thrown tried used whole written".split()
)
NOUNS_IN_ED = frozenset("bed embed feed need red seed speed".split())
FITS_EVERYTHING = frozenset("each one place places room rooms thing things word words".split())
OBJECTLESS = NO_NAMES_OF_FUNCTIONS | frozenset("blow bring deal do give handle learn make put show".split())
Candidate = tuple[str, str, str]
"""A kind, a place such as ``model/score.py:12``, and a name."""


def candidates(folder: Path) -> Iterator[Candidate]:
    """Yield every candidate below a folder."""
    places = defaultdict[tuple[str, str], list[str]](list)
    for path in sorted(folder.rglob("*.py")):
        module = path.relative_to(folder).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        places["module", path.stem].append(module)
        for name, line in values(tree):
            if kind := _kind_of_value(plain(name)):
                yield kind, f"{module}:{line}", name
        for definition in definitions(tree):
            place = f"{module}:{definition.lineno}"
            if not isinstance(definition, FUNCTIONS):
                places["class", definition.name].append(place)
            elif plain(definition.name) in OBJECTLESS:
                yield "verb without an object", place, definition.name
    for (kind, name), all_places in places.items():
        if len(all_places) > 1 and not name.startswith("_"):
            yield f"{kind} of the same name", ", ".join(all_places), name


def _kind_of_value(name: str) -> str:
    """Why a value's name may say too little; empty if it doesn't."""
    if name in PARTICIPLES or (name.endswith("ed") and "_" not in name and name not in NOUNS_IN_ED):
        return "value named by a participle"
    return "word that fits everything" if name in FITS_EVERYTHING else ""


def main() -> None:
    """Print a line for each candidate, and their numbers last."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("evalforge")
    counts = Counter[str]()
    for kind, place, name in candidates(folder):
        print(f"{place}: {name} ({kind})")
        counts[kind] += 1
    print(f"{counts.total()} candidates: " + ", ".join(f"{count} x {kind}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
