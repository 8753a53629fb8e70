"""Right programs lose their docstrings and nothing else, and each impostor is one change of what is left."""

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.planting import (
    bare_program,
    move_mutant,
    plant_impostors,
    read_program,
    read_statements,
    without_docstrings,
)
from evalforge.packs.impostors import plant, read_impostors
from tests import till

BOSSES = Path(__file__).parents[3] / "bosses"
PACKS = sorted(path.parent.parent for path in BOSSES.glob("*/impostors/impostors.yaml"))
NAMES = st.sampled_from(["total", "add", "undo"])
DOCSTRINGS = st.sampled_from(
    ['"""One line."""', '"""Several\n{indent}lines: ü.\n{indent}"""', "'short'", '"""é"""; 1', ""]
)


@st.composite
def functions(draw, indent=""):
    """A function or class with or without a docstring, and others inside."""
    head = draw(st.sampled_from(["def {}(value=1):", "class {}:", "async def {}():"])).format(draw(NAMES))
    inner = indent + "    "
    docstring = draw(DOCSTRINGS).replace("{indent}", inner)
    body = [inner + docstring] if docstring else []
    if len(indent) < 8:
        body += draw(st.lists(functions(inner), max_size=2))
    return "\n".join([indent + head, *body, inner + "kept = 'a string'"])


@settings(max_examples=40, deadline=None)
@given(DOCSTRINGS, st.lists(functions(), max_size=3))
def test_docstrings_alone_are_emptied(docstring, parts):
    source = "\n".join([docstring.replace("{indent}", ""), *parts, "last = 1"])
    bare = without_docstrings(source)
    assert read_statements(bare) == read_statements(source)
    assert not [word for word in ("lines", "short", "One") if word in bare]
    assert bare.count("kept = 'a string'") == source.count("kept = 'a string'")
    assert without_docstrings(bare) == bare


def applied(mutant: Mutant, source: str) -> str:
    content = source.encode()
    return (content[: mutant.start] + mutant.replacement.encode() + content[mutant.end :]).decode()


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_shipped_impostors_are_the_planted_programs(pack):
    impostors = read_impostors(pack)
    assert impostors
    for program in impostors.right:
        original = read_program(pack, program)
        for mutant in plant_impostors(impostors.impostors, program.name, original, bare_program(original)):
            (impostor,) = (each for each in impostors.impostors if each.id == mutant.impostor_id)
            whole = bare_program(plant(original, impostor))
            moved = move_mutant(mutant, "src/", 3)
            changes = (mutant, *mutant.copies)
            assert {change.path for change in changes} == {change.file for change in impostor.change}
            for change, moved_change in zip(changes, (moved, *moved.copies), strict=True):
                right = without_docstrings(original[change.path])
                wrong = applied(change, right)
                compile(wrong, change.path, "exec")
                assert ast.dump(ast.parse(wrong)) == ast.dump(ast.parse(whole[change.path])), impostor.id
                assert change.line <= change.last_line
                assert applied(moved_change, "\n\n\n" + right) == "\n\n\n" + wrong


def test_every_shipped_impostor_meets_the_tests() -> None:
    for pack in PACKS:
        impostors = read_impostors(pack)
        assert impostors
        planted: set[str] = set()
        for program in impostors.right:
            original = read_program(pack, program)
            bare = bare_program(original)
            mutants = plant_impostors(impostors.impostors, program.name, original, bare)
            planted |= {mutant.impostor_id for mutant in mutants}
        assert planted == {impostor.id for impostor in impostors.impostors}


def test_a_program_is_read_without_its_tests(tmp_path):
    source = till.write_pack(tmp_path)
    impostors = read_impostors(source.pack)
    assert impostors
    folder = impostors.right[0].path(source.pack)
    (folder / "tests").mkdir()
    (folder / "tests/test_till.py").write_text("")
    (folder / "test_more.py").write_text("")
    assert list(read_program(source.pack, impostors.right[0])) == ["till.py"]


def test_a_change_knows_its_scope_and_when_it_runs(tmp_path):
    source = till.write_pack(tmp_path)
    impostors = read_impostors(source.pack)
    assert impostors
    planted = {
        mutant.impostor_id: mutant
        for program in impostors.right
        for original in [read_program(source.pack, program)]
        for mutant in plant_impostors(impostors.impostors, program.name, original, bare_program(original))
    }
    assert set(planted) == set(till.IMPOSTORS)
    assert (planted["zero"].scope, planted["zero"].is_called) == ("Till.add", True)
    assert (planted["ceiling"].scope, planted["ceiling"].is_called) == ("", False)
