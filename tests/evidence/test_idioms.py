"""One suite in forty-eight idioms: each passes wholly, and each notices every fault."""

import textwrap

import pytest

from tests.evidence.conftest import CLASSIFY, Examine, messages

IMPORT = "from classify import classify\n"
BOTH = 'assert (classify(1, 2), classify(2, 2)) == ("low", "high")'
PLAIN = f"{IMPORT}def test_it(): {BOTH}\n"
TOOL = CLASSIFY + 'if __name__ == "__main__":\n    import sys\n    print(classify(*map(int, sys.argv[1:])))\n'
ASK = (
    "def ask(*args): return subprocess.run([*PYTHON, *args], capture_output=True, text=True, cwd=HERE).stdout.strip()\n"
)
PROGRAM = """
import os, subprocess, sys
HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = {command}
{ask}
def test_it(): assert (ask("1", "2"), ask("2", "2")) == ("low", "high")
"""


def fixture(scope: str) -> str:
    return f"""
import pytest
{IMPORT}
@pytest.fixture(scope="{scope}")
def asked(): return classify(1, 2), classify(2, 2)
def test_it(asked): assert asked == ("low", "high")
"""


def program(command: str) -> dict[str, str]:
    return {"classify.py": TOOL, "test_it.py": PROGRAM.format(command=command, ask=ASK)}


def conftest(folder: str, test: str) -> dict[str, str]:
    return {f"{folder}conftest.py": fixture("module").rpartition("def test_it")[0], test: USES_FIXTURE}


def case(body: str) -> dict[str, str]:
    return {"test_it.py": f"import unittest\n{IMPORT}class ItTest(unittest.TestCase):\n{textwrap.indent(body, '    ')}"}


def settings(path: str, text: str) -> dict[str, str]:
    return {path: text, "checks/check_it.py": PLAIN.replace("test_it", "check_it"), "old/test_it.py": "1 / 0 # test\n"}


USES_FIXTURE = 'def test_it(asked): assert asked == ("low", "high")\n'
USES_HELPER = f"{IMPORT}def test_it(): assert (classify(1, 2), classify(2, 2)) == PAIR\n"
PAIRS = '[(1, "low"), (2, "high")]'
INI = "testpaths = checks\npython_files = check_*.py\npython_functions = check_*\n"
TOML = 'testpaths = ["checks"]\npython_files = ["check_*.py"]\npython_functions = ["check_*"]\n'
IDIOMS: dict[str, str | dict[str, str]] = {
    "plain": PLAIN,
    "class": f"{IMPORT}class TestIt:\n    def test_it(self): {BOTH}\n",
    "nested classes": f"{IMPORT}class TestIt:\n    class TestInner:\n        def test_it(self): {BOTH}\n",
    "setup_method": f"{IMPORT}class TestIt:\n    def setup_method(self): self.f = classify\n"
    '    def test_it(self): assert (self.f(1, 2), self.f(2, 2)) == ("low", "high")\n',
    "setup_module": f"{IMPORT}def setup_module(): global g; g = classify\n"
    'def test_it(): assert (g(1, 2), g(2, 2)) == ("low", "high")\n',
    "function fixture": fixture("function"),
    "class fixture": fixture("class"),
    "module fixture": fixture("module"),
    "package fixture": fixture("package"),
    "session fixture": fixture("session"),
    "yield fixture": fixture("function").replace("return classify", "yield classify"),
    "getfixturevalue": fixture("function").replace(
        "def test_it(asked): assert asked", 'def test_it(request): assert request.getfixturevalue("asked")'
    ),
    "usefixtures": f"import pytest\n{IMPORT}@pytest.fixture\ndef ready(): pass\n"
    f'@pytest.mark.usefixtures("ready")\ndef test_it(): {BOTH}\n',
    "parametrize": f"import pytest\n{IMPORT}@pytest.mark.parametrize(('n', 'x'), {PAIRS})\n"
    "def test_it(n, x): assert classify(n, 2) == x\n",
    "stacked parametrize": f"import pytest\n{IMPORT}@pytest.mark.parametrize('n', [0, 1])\n"
    "@pytest.mark.parametrize('m', [1, 2])\ndef test_it(n, m): assert classify(n, m) == ('low' if n < m else 'high')\n",
    "parametrize with ids": f"import pytest\n{IMPORT}@pytest.mark.parametrize(('n', 'x'), {PAIRS}, ids=['a b', 'é'])\n"
    "def test_it(n, x): assert classify(n, 2) == x\n",
    "indirect": f"import pytest\n{IMPORT}@pytest.fixture\ndef got(request): return classify(request.param, 2)\n"
    f"@pytest.mark.parametrize(('got', 'x'), {PAIRS}, indirect=['got'])\ndef test_it(got, x): assert got == x\n",
    "tmp_path": f"{IMPORT}def test_it(tmp_path):\n    (tmp_path / 'x').write_text(classify(1, 2) + classify(2, 2))\n"
    "    assert (tmp_path / 'x').read_text() == 'lowhigh'\n",
    "monkeypatch": f"{IMPORT}def test_it(monkeypatch, tmp_path):\n    monkeypatch.chdir(tmp_path)\n    {BOTH}\n",
    "capsys": f"{IMPORT}def test_it(capsys):\n    print(classify(1, 2), classify(2, 2))\n"
    "    assert capsys.readouterr().out == 'low high\\n'\n",
    "capfd": f"import os\n{IMPORT}def test_it(capfd):\n    os.write(1, (classify(1, 2) + classify(2, 2)).encode())\n"
    "    assert capfd.readouterr().out == 'lowhigh'\n",
    "caplog": f"import logging\n{IMPORT}def test_it(caplog):\n    logging.warning(classify(1, 2) + classify(2, 2))\n"
    "    assert caplog.messages == ['lowhigh']\n",
    "raises and warns": f"import pytest, warnings\n{IMPORT}def test_it():\n    {BOTH}\n"
    "    with pytest.raises(TypeError, match='not supported'): classify(None, 1)\n"
    "    with pytest.warns(UserWarning): warnings.warn('x')\n    assert 0.1 + 0.2 == pytest.approx(0.3)\n",
    "skip and xfail": f"import pytest\n{PLAIN}@pytest.mark.skipif(True, reason='x')\ndef test_a(): 1 / 0\n"
    "@pytest.mark.xfail(strict=True)\ndef test_b(): 1 / 0\n",
    "conftest in the root": conftest("", "tests/test_it.py"),
    "conftest in tests": conftest("tests/", "tests/test_it.py"),
    "conftest in a nested folder": conftest("tests/unit/deep/", "tests/unit/deep/test_it.py"),
    "autouse in a conftest": {
        "conftest.py": "import pytest\n@pytest.fixture(autouse=True)\n"
        "def e(monkeypatch): monkeypatch.setenv('E', '1')\n",
        "test_it.py": f"import os\n{IMPORT}def test_it():\n    assert os.environ['E'] == '1'\n    {BOTH}\n",
    },
    "pytest_generate_tests": {
        "conftest.py": f"def pytest_generate_tests(metafunc): metafunc.parametrize(('n', 'x'), {PAIRS})\n",
        "test_it.py": f"{IMPORT}def test_it(n, x): assert classify(n, 2) == x\n",
    },
    "pytest_collection_modifyitems": {
        "conftest.py": "def pytest_collection_modifyitems(items):\n"
        "    items[:] = [i for i in items if i.name != 'test_old']\n",
        "test_it.py": f"{PLAIN}def test_old(): 1 / 0\n",
    },
    "unittest": case('def test_it(self): self.assertEqual((classify(1, 2), classify(2, 2)), ("low", "high"))\n'),
    "subTest": case(
        f"def test_it(self):\n    for n, x in {PAIRS}:\n"
        "        with self.subTest(n=n): self.assertEqual(classify(n, 2), x)\n"
    ),
    "setUpClass": case(
        f"@classmethod\ndef setUpClass(cls): cls.pairs = {PAIRS}\n"
        "def test_it(self): [self.assertEqual(classify(n, 2), x) for n, x in self.pairs]\n"
    ),
    "IsolatedAsyncioTestCase": {
        "test_it.py": f"import unittest\n{IMPORT}class T(unittest.IsolatedAsyncioTestCase):\n"
        f"    async def test_it(self): {BOTH}\n"
    },
    "async": f"import asyncio\n{IMPORT}async def test_it():\n    await asyncio.sleep(0)\n    {BOTH}\n",
    "pytest.ini": settings("pytest.ini", f"[pytest]\n{INI}"),
    "pyproject.toml": settings("pyproject.toml", f"[tool.pytest.ini_options]\n{TOML}"),
    "setup.cfg": settings("setup.cfg", f"[tool:pytest]\n{INI}"),
    "tox.ini": settings("tox.ini", f"[tox]\n[pytest]\n{INI}"),
    "relative import in a package of tests": {
        "tests/__init__.py": "",
        "tests/helpers.py": "PAIR = ('low', 'high')\n",
        "tests/test_it.py": "from .helpers import PAIR\n" + USES_HELPER,
    },
    "helper beside tests, in two folders": {
        "tests/unit/helpers.py": "PAIR = ('low', 'high')\n",
        "tests/unit/test_it.py": "from helpers import PAIR\n" + USES_HELPER,
        "tests/integration/test_all.py": PLAIN,
    },
    "named it_test.py, with sys.path": {
        "tests/it_test.py": f"import os, sys\nsys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))\n{PLAIN}"
    },
    "sys.executable": program('[sys.executable, "classify.py"]'),
    "a program after a test that prints": {
        "classify.py": TOOL,
        "test_it.py": PROGRAM.format(command="[sys.executable, 'classify.py']", ask=ASK).replace(
            "def test_it", "import classify\ndef test_first(): print(classify.classify(1, 2))\ndef test_it"
        ),
    },
    "python": program('["python", "./classify.py"]'),
    "python -m": program('["python3", "-m", "classify"]'),
    "runpy": {
        "classify.py": TOOL,
        "test_it.py": "import runpy\ndef test_it():\n    f = runpy.run_path('classify.py')['classify']\n"
        "    assert (f(1, 2), f(2, 2)) == ('low', 'high')\n",
    },
    "hypothesis and threads": f"""
import threading
from hypothesis import example, given, strategies as st
{IMPORT}
@given(st.integers(), st.integers())
@example(1, 2)
@example(2, 2)
def test_it(n, m):
    got = []
    threads = [threading.Thread(target=lambda: got.append(classify(n, m))) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert got == ["low" if n < m else "high"] * 3
""",
}


def test_there_are_forty_eight() -> None:
    assert len(IDIOMS) == 48


@pytest.mark.parametrize("idiom", IDIOMS)
def test_any_idiom_is_worth_the_same(examine: Examine, idiom: str) -> None:
    written = IDIOMS[idiom]
    files = written if isinstance(written, dict) else {"test_it.py": written}
    facts = examine({"classify.py": CLASSIFY, **files})
    assert messages(facts["tests.passed"]) == ""
    assert facts["tests.passed"].value == 1.0
    assert messages(facts["tests.mutation_score"]) == ""
    assert facts["tests.mutation_score"].value == 1.0
