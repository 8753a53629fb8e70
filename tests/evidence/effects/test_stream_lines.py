"""A function mixes input and output with work if a line of it reads or writes when run, whatever it is called."""

from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from tests.evidence.effects.program_facts import program_facts

TRIALS = '''
def test_double(cli):
    """It doubles."""
    assert cli("4").stdout.strip() == "9"

def test_again(cli):
    """It doubles again."""
    assert cli("5").stdout.strip() == "11"
'''
PROGRAM = """
import functools, linecache, sys
{before}

def work(word):
    count = int(word)
    if count > 3:
        total = count * 2 + 1
        {line}
    return count / 7

def main():
    work(sys.argv[1])

if __name__ == "__main__":
    main()
"""
MIXED = {
    "print": ("", "print(total)"),
    "another name": ("first = print\nshow = first", "show(total)"),
    "partial": ("show = functools.partial(print, end='\\n')", "show(total)"),
    "looked up": ("import builtins", "getattr(builtins, 'pr' + 'int')(total)"),
    "stream": ("stream = sys", "stream.stdout.write(f'{total}\\n')"),
    "spare stream": ("", "sys.__stdout__.write(f'{total}\\n')"),
    "buffer": ("", "sys.stdout.buffer.write(b'%d\\n' % total)"),
    "lambda": ("show = {'a': lambda text: text and print(text)}", "print(total)"),
}
APART = {
    "a function that only prints": ("def show(total):\n    print(total)", "show(total)"),
    "a file opened elsewhere": ("def show(total, to):\n    to.write(f'{total}\\n')", "show(total, sys.stdout)"),
}


async def mixed_functions(engine: Engine, folder: Path, before: str, line: str) -> list[str]:
    (folder / "test_doubles.py").write_text(TRIALS)
    source = PROGRAM.format(before=before, line=line)
    facts = await program_facts(engine, folder, {"add.py": source})
    assert facts["trials.all"].value == 1.0
    return [finding.message.partition(" ")[0] for finding in facts["code.io_mixed"].findings]


@pytest.mark.parametrize(("before", "line"), MIXED.values(), ids=MIXED)
async def test_by_whatever_name_it_is_seen(engine: Engine, tmp_path: Path, before: str, line: str) -> None:
    assert await mixed_functions(engine, tmp_path, before, line) == ["`work`"]


@pytest.mark.parametrize(("before", "line"), APART.values(), ids=APART)
async def test_what_another_function_does_is_its_own(engine: Engine, tmp_path: Path, before: str, line: str) -> None:
    assert await mixed_functions(engine, tmp_path, before, line) == []
