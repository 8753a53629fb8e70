"""What must hold for any text: no crash, and no difference where the code says the same."""

import ast
import builtins
import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.static import read_code
from evalforge.model.submission import Submission
from tests.examples import at_most

CORPUS = {path.name: path.read_text(encoding="utf-8") for path in Path(json.__file__).parent.glob("*.py")}
CORPUS["furnace.py"] = '''
import argparse, json, logging, sys
LIMIT = 3
seen = []
logger = logging.getLogger(__name__)

def load(path):
    """Read."""
    with open(path) as handle:
        document = json.load(handle)
    values = document["readings"]
    for value in values:
        if value > 37:
            raise ValueError(value)
    seen.append(path)
    return values

def decide(values, target, *, tolerance=1.0):
    total = 0
    for value in values:
        total += value
    average = total / len(values)
    if average < target - tolerance:
        return "HEAT"
    return "COOL" if average > target + tolerance else "STABLE"

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input")
    arguments = parser.parse_args()
    stream = sys.stderr
    try:
        decision = decide(load(arguments.input), 20)
    except (OSError, ValueError) as problem:
        print(problem, file=stream)
        sys.exit(problem)
    except Exception:
        pass
    logger.info("%s", (shown := decision))
    match decision:
        case {"a": first, **rest}:
            return first, rest
    return [item * 1.8 for item in decision], shown

if __name__ == "__main__":
    main()
'''
CORPUS["test_furnace.py"] = """
import pytest
from furnace import main

def check(outcome):
    assert outcome

def test_bogus():
    code = main(["x"])
    assert code == 1

def test_taken_apart():
    status, out, err = run("x")
    assert "error" in err
    check(out)

def test_raises():
    with pytest.raises(SystemExit) as info:
        main([])
    assert info.value.code == 2
"""
PYTHON = st.text(alphabet="\n\n    abfx01._:,=+-*/()[]{}\"'\\#@<>!%&|~^\r\t\x0c\ufeff\0é", max_size=120)
KEYWORDS = """
    def class return if elif else for while try except finally with as import from lambda yield await async match case
    global nonlocal raise assert pass del in is not and or None True ... ( ) [ ] { } : , = := == < ** -> @ . f x print
    open sys self 1 37 1.5 'a' f'{x}'
"""
WORDS = st.lists(st.sampled_from([*KEYWORDS.split(), "\n", "\n    ", "\n        "]), max_size=60).map(" ".join)


def facts(files: dict[str, str]):
    return read_code(Submission.of(files))


def gist(files: dict[str, str]):
    """Facts and findings without line numbers."""
    return [
        (fact.name, fact.value, [(finding.path, re.sub(r"\d+", "N", finding.message)) for finding in fact.findings])
        for fact in facts(files)
    ]


@given(st.dictionaries(st.sampled_from(["a.py", "b.py", "test_a.py", "c.txt"]), st.one_of(st.text(), PYTHON, WORDS)))
def test_any_text_is_answered(files):
    assert len(facts(files)) == len(facts({}))


@given(st.sampled_from(sorted(CORPUS)), st.data())
@at_most(60)
def test_damaged_code_is_answered(name, data):
    text = CORPUS[name]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(PYTHON) + text[end:]
    assert len(facts({name: damaged})) == len(facts({}))


@given(st.permutations(sorted(CORPUS)))
@at_most(10)
def test_the_order_of_files_changes_nothing(names):
    assert facts({name: CORPUS[name] for name in names}) == facts(CORPUS)


@given(st.sampled_from(sorted(CORPUS)), st.data())
@at_most(60)
def test_comments_and_blank_lines_change_nothing(name, data):
    lines = CORPUS[name].splitlines()
    places = sorted(
        {
            min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
            for node in ast.walk(ast.parse(CORPUS[name]))
            if isinstance(node, ast.stmt)
        }
        - {number for number, line in enumerate(lines, start=1) if line.lstrip().startswith(("elif", "else"))}
    )
    filler = st.sampled_from(["", "   ", "# why", "    # print(x) if 37 > y", '# """'])
    for place in sorted(data.draw(st.lists(st.sampled_from(places), max_size=12)), reverse=True):
        lines.insert(place - 1, data.draw(filler))
    assert gist({name: "\n".join(lines)}) == gist({name: CORPUS[name]})


class Renamed(ast.NodeTransformer):
    """Other names for locals, the same code."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit(self, node):
        for field in ("id", "name", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.alias):
                setattr(node, field, self.names.get(value, value))
        return self.generic_visit(node)


def renameable(tree: ast.Module) -> list[str]:
    """Names that are only ever locals: no parameter, import, definition, global or built-in."""
    fixed = set(dir(builtins))
    local = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            fixed.add(node.arg)
        elif isinstance(node, ast.alias):
            fixed.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            fixed.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            fixed.update(node.names)
    for statement in tree.body:
        names = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            local |= names
        else:
            fixed |= names
    return sorted(local - fixed)


@given(st.sampled_from(sorted(CORPUS)), st.data())
@at_most(60)
def test_names_of_locals_change_nothing(name, data):
    tree = ast.parse(CORPUS[name])
    locals_ = renameable(tree)
    chosen = data.draw(st.lists(st.sampled_from(locals_), unique=True)) if locals_ else []
    before = ast.unparse(tree)
    after = ast.unparse(Renamed({old: f"q{number}_{old[::-1]}" for number, old in enumerate(chosen)}).visit(tree))
    assert gist({name: after}) == gist({name: before})
