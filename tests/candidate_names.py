"""Lists names that may say too little: ``python -m tests.candidate_names [FOLDER]``; ``make check`` shows how many.

A candidate is no fault. It is a name of a kind at which readers stopped: a value that is called by a participle, a word
that fits everything, a verb without an object, and a module or class whose name another one has, too.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

PARTICIPLES = frozenset(
    "begun behind beside built chosen drawn found given gone held here hidden kept known left lost made meant near own "
    "read rest said seen sent shown struck taken there thin thrown told tried used whole written".split()
)
NOUNS_IN_ED = frozenset("bed embed feed need red seed speed".split())
FITS_EVERYTHING = frozenset("each one place places room rooms thing things told word words".split())
OBJECTLESS = frozenset(
    "ask blow bring deal do end give handle know learn make note put say show sign stand take tell turn".split()
)
Candidate = tuple[str, str, str]
"""A kind, a place such as ``model/score.py:12``, and a name."""


def candidates(folder: Path) -> Iterator[Candidate]:
    """Yield every candidate below a folder."""
    definitions = defaultdict[tuple[str, str], list[str]](list)
    for path in sorted(folder.rglob("*.py")):
        module = path.relative_to(folder).as_posix()
        definitions["module", path.stem].append(module)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                definitions["class", node.name].append(f"{module}:{node.lineno}")
            for kind, name in _kinds(node):
                yield kind, f"{module}:{getattr(node, 'lineno', 1)}", name
    for (kind, name), places in definitions.items():
        if len(places) > 1 and not name.startswith("_"):
            yield f"{kind} of the same name", ", ".join(places), name


def _kinds(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            bare = name.strip("_").lower()
            if bare in PARTICIPLES or (bare.endswith("ed") and "_" not in bare and bare not in NOUNS_IN_ED):
                yield "value named by a participle", name
            elif bare in FITS_EVERYTHING:
                yield "word that fits everything", name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.strip("_") in OBJECTLESS:
            yield "verb without an object", name
        case _:
            pass


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
