"""Suites that copy the program and run the copy meet right programs and impostors with it."""

import pytest

from tests import till
from tests.evidence.impostors.examined.test_layouts import LAYOUTS

COPIES = """
    import importlib.util, runpy, shutil, subprocess, sys
    from pathlib import Path
    import pytest

    HERE = Path(__file__).resolve().parents[1] / {folder!r}

    @pytest.fixture
    def copied(tmp_path):
        source = HERE / {entry!r}
        copy = shutil.copytree if source.is_dir() else shutil.copy
        return Path(copy(source, tmp_path / {entry!r}))

    def start(*words, cwd=None):
        return subprocess.run([sys.executable, *words, "-3"], capture_output=True, cwd=cwd).returncode

    def test_by_path(copied):
        assert start(str(copied)) == 2

    def test_as_a_module(copied):
        assert start("-m", "till", cwd=copied.parent) == 2

    def test_by_run_path(copied, monkeypatch):
        monkeypatch.setattr(sys, "argv", ["till", "-3"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(copied), run_name="__main__")
        assert ended.value.code == 2

    def test_whole_folder(tmp_path):
        shutil.copytree(HERE, tmp_path / "all")
        assert start("-m", "till", cwd=tmp_path / "all") == 2
        assert start("-c", "import sys, till; sys.exit(till.main(['-3']))", cwd=tmp_path / "all") == 2
"""
IMPORTS = """
    def test_imported(copied):
        spec = importlib.util.spec_from_file_location("copied", copied)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.main(["-3"]) == 2

    def test_imported_by_its_name(copied):
        assert start("-c", "import sys, till; sys.exit(till.main(['-3']))", cwd=copied.parent) == 2
"""


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "nothing"])
def test_a_copy_is_the_program_that_is_laid_out(meet, layout):
    folder, entry, program = LAYOUTS[layout]
    text = COPIES + ("" if layout.startswith("package") else IMPORTS)
    met = meet({**program, "tests/test_till.py": text.format(folder=folder, entry=entry)})
    counts = met.count("contract", "inner", "wavering", "wrong_expectations")
    assert counts == [4 if layout.startswith("package") else 6, 0, 0, 0], met.said
    assert met.unmasked == {"status"}


def test_reading_a_copy_unmasks_nobody(meet):
    read = "assert copied.read_text() is not None\n    "
    body = COPIES.replace("def test_by_path(copied):\n        ", f"def test_by_path(copied):\n        {read}    ")
    body = body[: body.index("    def test_as_a_module")].format(folder="", entry="till.py")
    met = meet({"till.py": till.FILE, "tests/test_till.py": body})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [0, 0, 0, 0]
    assert met.unmasked == set()
