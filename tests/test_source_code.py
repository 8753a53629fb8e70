"""The source as a stranger reads it: short files, values named by nouns, docstrings that say something."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import evalforge
from tests.source_names import (
    FUNCTIONS,
    NO_NAMES_OF_FUNCTIONS,
    NO_NAMES_OF_VALUES,
    definitions,
    plain,
    values,
)

SOURCE = Path(evalforge.__file__).parent
FILES = sorted(path for path in SOURCE.rglob("*.py") if "templates" not in path.relative_to(SOURCE).parts)
LONGEST_FILE = 500
# A key of ``calibrate --faults --json``.
KEYS_OF_FORMATS = {("calibration/impostor_matrix.py", "given")}
# Words of our own for what the field has words for.
NO_WORDS_OF_OURS = frozenset("bench bite desk dossier errand foe hearer purse reckoning story teller till".split())
# What is created without a mode is everybody's to read, as far as the umask allows it.
CREATING = frozenset("copytree copyfile makedirs mkdir touch write_bytes write_text".split())
MODES = frozenset(("FILE_MODE", "FOLDER_MODE"))
# Those that may: into a folder that is private already, into one that is closed later, or into the user's own.
CREATING_OPEN_FILES = frozenset(
    (
        *("classroom/archive.py", "classroom/remote_worker.py", "classroom/class_run.py"),
        *("packs/atomic_files.py", "packs/private_files.py"),
        *("lab/pack_versions.py", "sandbox/staging.py"),
    )
)
SECTION = re.compile(r"(Args|Attributes):\n((?:    .*\n|\n)*)")


@cache
def parsed() -> tuple[tuple[str, ast.Module], ...]:
    """Each module by its path from the package."""
    return tuple((path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text("utf-8"))) for path in FILES)


def test_no_file_has_more_than_500_lines() -> None:
    lengths = {path: len((SOURCE / path).read_text("utf-8").splitlines()) for path, _ in parsed()}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_parameters_of_sql_have_no_numbers() -> None:
    """Python 3.12 warns of ``?1`` where the values are a sequence; ``?`` and names are fine."""
    numbered = {
        path: re.findall(r"(?:=|WHERE|LIMIT|,|\() *\?\d", (SOURCE / path).read_text("utf-8")) for path, _ in parsed()
    }
    assert {path: found for path, found in numbered.items() if found and path.startswith("history/")} == {}


def test_values_are_named_by_nouns() -> None:
    named = {(path, name) for path, tree in parsed() for name, _ in values(tree) if plain(name) in NO_NAMES_OF_VALUES}
    assert named - KEYS_OF_FORMATS == set()


def test_names_use_the_words_of_the_field() -> None:
    names = {
        (path, name)
        for path, tree in parsed()
        for name in (*dict(values(tree)), *(one.name for one in definitions(tree)), Path(path).stem)
        if plain(name) in NO_WORDS_OF_OURS
    }
    assert names == set()


def test_functions_say_what_they_do_to_what() -> None:
    names = {
        (path, one.name)
        for path, tree in parsed()
        for one in definitions(tree)
        if isinstance(one, FUNCTIONS) and plain(one.name) in NO_NAMES_OF_FUNCTIONS
    }
    assert names == set()


def test_docstrings_say_more_than_a_word_or_two() -> None:
    short = {
        (path, one.name, text)
        for path, tree in parsed()
        for one in definitions(tree)
        if (text := ast.get_docstring(one)) is not None and len(text.split()) < 3
    }
    assert short == set()


def test_docstrings_describe_what_is_there() -> None:
    wrong = {
        (path, one.name, name)
        for path, tree in parsed()
        for one in definitions(tree)
        for kind, section in SECTION.findall(f"{ast.get_docstring(one) or ''}\n")
        for name in re.findall(r"^    (\w+):", section, re.MULTILINE)
        if (there := _described(one, kind)) is not None and name not in there
    }
    assert wrong == set()


def _described(definition: ast.ClassDef | FUNCTIONS, kind: str) -> set[str] | None:
    """The parameters of a function, or those and the attributes of a class; None where a base class has them."""
    if isinstance(definition, FUNCTIONS):
        return {node.arg for node in ast.walk(definition.args) if isinstance(node, ast.arg)}
    has_constructor = any(isinstance(node, FUNCTIONS) and node.name == "__init__" for node in definition.body)
    if kind == "Args" and definition.bases and not has_constructor:
        return None
    names = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
    names |= {node.attr for node in ast.walk(definition) if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    return names | {node.name for node in definition.body if isinstance(node, FUNCTIONS)}


def test_screens_are_not_probed_for_what_they_have() -> None:
    probing = {
        path
        for path, tree in parsed()
        if path.startswith("app/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    }
    assert probing == set()


@pytest.mark.parametrize("folder", ["protocol", "cage", "runs", "player_tests"])
def test_the_host_has_no_import_circle(folder: str) -> None:
    """Its modules import each other by plain names, which the linter of imports can't follow."""
    imports = _imports_of_host()
    circular = [module for module in imports if module.startswith(folder) and module in _reached(module, imports)]
    assert circular == []


def _imports_of_host() -> dict[str, set[str]]:
    """The modules each module of the host imports, also where only for types."""
    host = SOURCE / "sandbox" / "host"
    trees = {
        ".".join(path.relative_to(host).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text())
        for path in host.rglob("*.py")
    }
    return {
        module: {
            name
            for node in ast.walk(tree)
            for name in (
                [f"{node.module}.{alias.name}" for alias in node.names] + [str(node.module)]
                if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else []
            )
            if name in trees
        }
        for module, tree in trees.items()
    }


def _reached(module: str, imports: dict[str, set[str]]) -> set[str]:
    """Every module that is imported on the way from one, by however many steps."""
    reached: set[str] = set()
    pending = [module]
    while pending:
        following = imports[pending.pop()] - reached
        reached |= following
        pending += following
    return reached


def creates_open_file(node: ast.AST) -> bool:
    """Whether a call creates a file or folder with the permissions that the umask leaves."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    return node.func.attr in CREATING and not names & MODES


def test_files_are_created_for_their_owner_alone() -> None:
    creating = {
        path
        for path, tree in parsed()
        if not path.startswith("sandbox/host/") and any(map(creates_open_file, ast.walk(tree)))
    }
    assert creating == CREATING_OPEN_FILES
