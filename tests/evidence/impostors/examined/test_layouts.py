"""However a player's tests start the program, and wherever it is, they meet the one that is laid out in its place."""

import pytest

# What the player's own program does is wrong: a test that met it would fail.
FILE = """
    import sys
    class Till: pass
    class TillError(Exception): pass
    def main(argv=None): return 0
    if __name__ == "__main__": sys.exit(main())
"""
PACKAGE = {
    "__init__.py": "from .command import main\n",
    "command.py": "def main(argv=None): return 0\n",
    "__main__.py": "import sys\nfrom till.command import main\nsys.exit(main())\n",
}
STARTS = """
    import runpy, subprocess, sys
    from pathlib import Path
    import pytest

    FOLDER = Path(__file__).resolve().parents[1] / {folder!r}

    def start(*words):
        return subprocess.run([sys.executable, *words, "-3"], capture_output=True, cwd=FOLDER).returncode

    @pytest.fixture
    def arguments(monkeypatch):
        monkeypatch.setattr(sys, "argv", ["till", "-3"])
        monkeypatch.syspath_prepend(str(FOLDER))

    def test_by_path():
        assert start({entry!r}) == 2

    def test_as_a_module():
        assert start("-m", "till") == 2

    def test_by_run_path(monkeypatch):
        monkeypatch.setattr(sys, "argv", ["till", "-3"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(FOLDER / {entry!r}), run_name="__main__")
        assert ended.value.code == 2

    def test_by_run_module(arguments):
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("till", run_name="__main__", alter_sys=True)
        assert ended.value.code == 2

    def test_in_process(arguments):
        from till import main
        assert main(["-3"]) == 2
"""
LAYOUTS = {
    "nothing": ("", "till.py", {}),
    "file": ("", "till.py", {"till.py": FILE}),
    "file in src": ("src", "till.py", {"src/till.py": FILE}),
    "file in a folder": ("app", "till.py", {"app/till.py": FILE}),
    "package": ("", "till", {f"till/{name}": text for name, text in PACKAGE.items()}),
    "package in src": ("src", "till", {f"src/till/{name}": text for name, text in PACKAGE.items()}),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_start_meets_the_program_that_is_laid_out(meet, layout):
    folder, entry, program = LAYOUTS[layout]
    met = meet({**program, "tests/test_till.py": STARTS.format(folder=folder, entry=entry)})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [5, 0, 0, 0]
    assert met.unmasked == {"status"}


OWN_COMMANDS = """
    import subprocess, sys
    import {module}

    def start(*words):
        return subprocess.run([sys.executable, *words, "-3"], capture_output=True).returncode

    def test_by_its_file():
        assert start({module}.__file__) == 2

    def test_another_module():
        assert start("-m", "drawer") == 2
"""


def test_a_package_file_starts_it_and_own_commands_are_inner(meet):
    program = {"till.py": FILE, "drawer/__init__.py": "", "drawer/__main__.py": "import sys\nsys.exit(2)\n"}
    met = meet({**program, "test_till.py": OWN_COMMANDS.format(module="till")})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [1, 1, 0, 0]
