"""A program is laid out where the player's is, and only the player's program is taken away for it."""

from itertools import product

import pytest

from evalforge.evidence.suite.layout import (
    EntryPlace,
    find_place,
    imported_modules,
    lay_out,
    module_names,
    program_paths,
)
from evalforge.evidence.suite.run import Program
from tests import till

MAIN = "def main(): pass\nif __name__ == '__main__': main()\n"
PLACES = {
    "nothing": ({}, EntryPlace("", "till", is_package=False)),
    "file": ({"till.py": MAIN}, EntryPlace("", "till", is_package=False)),
    "file in a folder": ({"app/till.py": MAIN}, EntryPlace("app", "till", is_package=False)),
    "package": ({"till/__init__.py": "", "till/__main__.py": MAIN}, EntryPlace("", "till", is_package=True)),
    "package in src": (
        {"src/till/__init__.py": "", "src/till/__main__.py": MAIN},
        EntryPlace("src", "till", is_package=True),
    ),
}
PROGRAMS = {"file": {"till.py": till.FILE}, "package": till.PACKAGE}


@pytest.mark.parametrize("name", PLACES)
def test_the_place_of_the_players_entry_is_found(name):
    files, place = PLACES[name]
    assert find_place(till.submission_of(files), ("till.py",)) == place


@pytest.mark.parametrize(("place", "program"), list(product(PLACES, PROGRAMS)))
def test_programs_keep_their_files_and_start_in_place(place, program):
    where, files = PLACES[place][1], PROGRAMS[program]
    prefix = f"{where.folder}/" if where.folder else ""
    laid_out = lay_out(files, where)
    assert {prefix + path: source for path, source in files.items()}.items() <= laid_out.items()
    assert prefix + ("till/__main__.py" if where.is_package else "till.py") in laid_out
    for path, source in laid_out.items():
        compile(source, path, "exec")


def test_what_only_tests_import_stays():
    files = {
        "till.py": "import book\nfrom parts import coin\n",
        "book.py": "",
        "parts/coin.py": "",
        "sample_data.py": "",
        "unused.py": "",
        "tests/test_till.py": "import till, sample_data, helpers\n",
        "tests/helpers.py": "import book\n",
    }
    tests = ["tests/test_till.py", "tests/helpers.py"]
    paths = program_paths(till.submission_of(files), EntryPlace("", "till", is_package=False), tests)
    assert paths == {"till.py", "book.py", "parts/coin.py", "unused.py"}


def test_files_of_a_laid_out_program_hold_only_their_names():
    submission = till.submission_of({"till.py": "old = 1", "book.py": "old = 2", "tests/test_till.py": "new = 3"})
    program = Program(1.0, files=PROGRAMS["file"], replaced=frozenset({"book.py"}))
    on_disk = {file.path: file.content for file in program.on_disk(submission).files}
    assert on_disk == {"till.py": "# till.py\n", "tests/test_till.py": "new = 3"}


def test_modules_have_the_names_by_which_they_can_be_imported():
    names = module_names(["src/till/book.py", "src/till/__init__.py"], EntryPlace("src", "till", is_package=True))
    assert {"till", "till.book", "src.till.book", "book"} <= names
    assert "" not in names


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b", {"a", "a.b"}),
        ("from a.b import c", {"a", "a.b", "a.b.c"}),
        ("from . import c", {"c"}),
        ("def f():\n    import late", {"late"}),
        ("not python (", set()),
    ],
)
def test_an_import_means_every_module_it_may_mean(source, names):
    assert imported_modules(source) - {""} == names
