# ruff: noqa: E501 - a file of a suite is a line
"""Small suites after pytest's documentation, page by page: what their tests do must be what they do under pytest."""

PROGRAM = {
    "tally.py": 'def count(text):\n    """Words.\n\n    >>> count("a b")\n    2\n    """\n    return len(text.split())\n'
}
IT = "from tally import count\n"
ONE = f"{IT}def test_one(): assert count('a') == 1\n"


def ini(text: str) -> dict[str, str]:
    return {"pytest.ini": f"[pytest]\n{text}\n"}


GETTING_STARTED = {
    "passing and failing": {"test_a.py": f"{ONE}def test_two(): assert count('a') == 2\n"},
    "classes": {
        "test_a.py": f"{IT}class TestA:\n    def test_a(self): assert count('')== 0\n    def test_b(self): assert hasattr(1, 'x')\n"
    },
    "a class with __init__": {
        "test_a.py": f"{ONE}class TestA:\n    def __init__(self): pass\n    def test_b(self): pass\n"
    },
    "xunit setup": {
        "test_a.py": "def setup_module(m): m.a = 1\ndef setup_function(f): f.b = 2\ndef test_a(): assert a == test_a.b - 1\ndef teardown_module(): 1 / 0\n"
    },
    "raises and groups": {
        "test_a.py": "import pytest\ndef test_a():\n    with pytest.raises(ExceptionGroup) as e: raise ExceptionGroup('x', [OSError()])\n    assert e.group_contains(OSError)\n"
    },
}
FIXTURES = {
    "scopes and teardown": {
        "test_a.py": "import pytest\nlog = []\n@pytest.fixture(scope='module')\ndef m():\n    log.append('m')\n    yield 1\n    log.append('end')\n@pytest.fixture\ndef f(m): return m + 1\ndef test_a(f): assert f == 2\ndef test_b(f): assert log == ['m']\n"
    },
    "autouse": {
        "conftest.py": "import os, pytest\n@pytest.fixture(autouse=True)\ndef e(monkeypatch): monkeypatch.setenv('E', '1')\n",
        "test_a.py": "import os\ndef test_a(): assert os.environ['E'] == '1'\n",
    },
    "parameters": {
        "test_a.py": "import pytest\n@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.skip), 3], ids=str)\ndef n(request): return request.param\ndef test_a(n): assert n == 1\n"
    },
    "factories": {
        "test_a.py": f"import pytest\n{IT}@pytest.fixture\ndef make():\n    return lambda n: ' '.join('a' * n)\ndef test_a(make): assert count(make(3)) == 3\n"
    },
    "getfixturevalue": {
        "test_a.py": "import pytest\n@pytest.fixture\ndef a(): return 1\n@pytest.mark.parametrize('name', ['a', 'b'])\ndef test_a(request, name): assert request.getfixturevalue(name) == 1\n"
    },
    "overridden in a folder": {
        "conftest.py": "import pytest\n@pytest.fixture\ndef who(): return 'root'\n",
        "a/conftest.py": "import pytest\n@pytest.fixture\ndef who(who): return who + '/a'\n",
        "a/test_a.py": "def test_a(who): assert who == 'root/a'\n",
        "test_b.py": "def test_b(who): assert who == 'root'\n",
    },
    "one that fails": {
        "test_a.py": "import pytest\n@pytest.fixture\ndef broken(): raise OSError\ndef test_a(broken): pass\ndef test_b(nowhere): pass\ndef test_c(): pass\n"
    },
    "a teardown that fails": {
        "test_a.py": "import pytest\n@pytest.fixture\ndef f():\n    yield\n    assert 0\ndef test_a(f): pass\ndef test_b(): pass\n"
    },
    "usefixtures in the settings": {
        **ini("usefixtures = ready"),
        "conftest.py": "import pytest\nstate = []\n@pytest.fixture\ndef ready(): state.append(1)\n",
        "test_a.py": "from conftest import state\ndef test_a(): assert state == [1]\n",
    },
    "cache and record_property": {
        "test_a.py": "def test_a(cache, record_property, record_testsuite_property):\n    record_property('a', 1)\n    record_testsuite_property('b', 2)\n    assert cache.get('x/y', 3) == 3\n"
    },
    "pytestconfig and request": {
        "test_a.py": "def test_a(pytestconfig, request): assert pytestconfig.rootpath == request.path.parent\n"
    },
}
PARAMETRIZE = {
    "ids and stacking": {
        "test_a.py": "import pytest\n@pytest.mark.parametrize('n', [1, 2], ids=['a b', 'é'])\n@pytest.mark.parametrize('m', [2, 3])\ndef test_a(n, m): assert n < m\n"
    },
    "indirect": {
        "test_a.py": "import pytest\n@pytest.fixture\ndef n(request): return request.param * 2\n@pytest.mark.parametrize('n', [1, 2], indirect=True)\ndef test_a(n): assert n in (2, 4)\n"
    },
    "of a class, and pytestmark": {
        "test_a.py": "import pytest\npytestmark = pytest.mark.parametrize('n', [1, 2])\nclass TestA:\n    def test_a(self, n): assert n\ndef test_b(n): assert n == 1\n"
    },
    "none": {"test_a.py": "import pytest\n@pytest.mark.parametrize('n', [])\ndef test_a(n): pass\n"},
    "pytest_generate_tests": {
        "conftest.py": "def pytest_generate_tests(metafunc):\n    if 'n' in metafunc.fixturenames: metafunc.parametrize('n', range(3))\n",
        "test_a.py": "def test_a(n): assert n < 2\n",
    },
}
MARKS = {
    "registered, and strict": {
        **ini("markers = slow: takes long\naddopts = --strict-markers"),
        "test_a.py": "import pytest\n@pytest.mark.slow\ndef test_a(): pass\n",
    },
    "chosen by -m": {
        **ini("markers = slow\naddopts = -m 'not slow'"),
        "test_a.py": "import pytest\n@pytest.mark.slow\ndef test_a(): 1 / 0\ndef test_b(): pass\n",
    },
    "chosen by -k": {
        **ini("addopts = -k 'good and not old'"),
        "test_a.py": "def test_good(): pass\ndef test_good_old(): 1 / 0\ndef test_bad(): 1 / 0\n",
    },
    "skipped": {
        "test_a.py": "import pytest, sys\n@pytest.mark.skipif(sys.version_info < (9,), reason='x')\ndef test_a(): 1 / 0\ndef test_b(): pytest.skip('x')\ndef test_c(): pytest.importorskip('nowhere_at_all')\n"
    },
    "a module skipped": {
        "test_a.py": "import pytest\npytest.skip('x', allow_module_level=True)\ndef test_a(): 1 / 0\n",
        "test_b.py": ONE,
    },
    "expected to fail": {
        "test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_a(): 1 / 0\n@pytest.mark.xfail(raises=OSError)\ndef test_b(): 1 / 0\n@pytest.mark.xfail(strict=True)\ndef test_c(): pass\n@pytest.mark.xfail\ndef test_d(): pass\n@pytest.mark.xfail(run=False)\ndef test_e(): 1 / 0\ndef test_f(): pytest.xfail('x')\n"
    },
    "strict by the settings": {
        **ini("xfail_strict = true"),
        "test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_a(): pass\n",
    },
    "put on by a hook": {
        "conftest.py": "import pytest\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        if 'slow' in item.name: item.add_marker(pytest.mark.skip)\n",
        "test_a.py": "def test_slow(): 1 / 0\ndef test_b(): pass\n",
    },
}
WARNINGS_AND_LOGS = {
    "warnings are errors": {
        **ini("filterwarnings = error"),
        "test_a.py": "import warnings, pytest\ndef test_a(): warnings.warn('x')\n@pytest.mark.filterwarnings('ignore')\ndef test_b(): warnings.warn('x')\ndef test_c(): pass\n",
    },
    "-W": {
        **ini("addopts = -W error::UserWarning"),
        "test_a.py": "import warnings\ndef test_a(): warnings.warn('x')\ndef test_b(): warnings.warn('x', DeprecationWarning)\n",
    },
    "warns and recwarn": {
        "test_a.py": "import warnings, pytest\ndef test_a(recwarn):\n    warnings.warn('x')\n    assert len(recwarn) == 1\ndef test_b():\n    with pytest.deprecated_call(): warnings.warn('x', DeprecationWarning)\ndef test_c():\n    with pytest.warns(UserWarning): pass\n"
    },
    "a level for logs": {
        **ini("log_level = INFO"),
        "test_a.py": "import logging\ndef test_a(caplog):\n    logging.info('x')\n    assert caplog.messages == ['x']\ndef test_b(): assert logging.getLogger().level == logging.INFO\n",
    },
    "caplog": {
        "test_a.py": "import logging\ndef test_a(caplog):\n    with caplog.at_level(logging.DEBUG, logger='x'): logging.getLogger('x').debug('y')\n    assert caplog.record_tuples == [('x', logging.DEBUG, 'y')]\ndef test_b(caplog): assert caplog.text == ''\n"
    },
    "what is printed": {
        "test_a.py": "import os, subprocess, sys\ndef test_a(capsys):\n    print('x')\n    assert capsys.readouterr().out == 'x\\n'\ndef test_b(capfd):\n    os.write(2, b'y')\n    assert capfd.readouterr().err == 'y'\n"
    },
    "standard input": {"test_a.py": "import pytest\ndef test_a():\n    with pytest.raises(OSError): input()\n"},
}
FOLDERS = {
    "tmp_path": {
        "test_a.py": "def test_a(tmp_path, tmp_path_factory, tmpdir):\n    (tmp_path / 'x').write_text('1')\n    assert tmp_path_factory.mktemp('a') != tmp_path and (tmpdir / 'x').read() == '1'\n"
    },
    "monkeypatch": {
        "test_a.py": "import os, tally\ndef test_a(monkeypatch, tmp_path):\n    monkeypatch.chdir(tmp_path)\n    monkeypatch.setattr(tally, 'count', lambda _: 5)\n    assert tally.count('') == 5\ndef test_b(): assert tally.count('') == 0\n"
    },
    "a copy of the program is run": {
        "test_a.py": "import shutil, subprocess, sys\ndef test_a(tmp_path):\n    shutil.copy('tally.py', tmp_path)\n    code = 'import tally; print(tally.count(\"a b\"))'\n    ran = subprocess.run([sys.executable, '-c', code], cwd=tmp_path, capture_output=True, text=True)\n    assert ran.stdout == '2\\n'\n"
    },
}
RUN = "import os, shutil, signal, subprocess, sys\nimport pytest\ndef run(command, **more): return subprocess.run(command, shell=True, capture_output=True, text=True, **more)\n"
PROGRAMS = {
    "streams of a shell": {
        "greet.py": "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(len(sys.argv))\n",
        "test_a.py": f"{RUN}def test_a(): assert run(f'{{sys.executable}} greet.py 2>/dev/null; echo $?').stdout == 'out\\n1\\n'\ndef test_b(tmp_path):\n    assert os.system(f'{{sys.executable}} greet.py x >{{tmp_path}}/o 2>&1') == 512\n    assert (tmp_path / 'o').read_text().split() in (['out', 'err'], ['err', 'out'])\n    assert os.popen(f'sort < {{tmp_path}}/o').read() == 'err\\nout\\n'\n",
    },
    "pipes and here documents": {
        "test_a.py": f"{RUN}def test_a(): assert run(f'echo a b | {{sys.executable}} -c \"import sys, tally; print(tally.count(sys.stdin.read()))\" | cat -').stdout == '2\\n'\ndef test_b(): assert run(f'{{sys.executable}} - <<END\\nimport tally\\nprint(tally.count(\"a\"))\\nEND').stdout == '1\\n'\ndef test_c(): assert run('cd / && pwd; false').returncode == 1\n",
    },
    "other programs": {
        "test_a.py": f"{RUN}def test_a(): assert subprocess.check_output(['sort', '-r'], input=b'a\\nb\\n') == b'b\\na\\n'\ndef test_b():\n    with pytest.raises(FileNotFoundError): subprocess.run(['no-such-program'])\ndef test_c(): assert run('no-such-program').returncode == 127\ndef test_d(): assert shutil.which('sh') and run('exit 3').returncode == 3\ndef test_e(): assert subprocess.run(['env', 'A=b', sys.executable, '-c', 'import os; print(os.environ[\"A\"])'], capture_output=True).stdout == b'b\\n'\n"
    },
    "programs that are ended": {
        "test_a.py": f"{RUN}def test_a():\n    with pytest.raises(subprocess.TimeoutExpired): subprocess.run(['sleep', '30'], timeout=0.1)\ndef test_b(): assert run('kill -TERM $$').returncode == -signal.SIGTERM\ndef test_c(): assert run(f'{{sys.executable}} -c \"import os; os.abort()\"; echo $?').stdout == '134\\n'\n@pytest.mark.parametrize('how', [dict(start_new_session=True), dict(preexec_fn=os.setsid)])\ndef test_d(how):\n    started = subprocess.Popen(f'{{sys.executable}} -c \"input()\"; true', shell=True, stdin=subprocess.PIPE, **how)\n    os.killpg(started.pid, signal.SIGKILL)\n    assert started.wait() == -9\ndef test_e(): assert run(f'timeout 0.2 {{sys.executable}} -c \"while True: pass\"').returncode == 124\n",
    },
    "programs in the background": {
        "test_a.py": f"{RUN}def test_a(): assert run(f'{{sys.executable}} -c \"print(1)\" & {{sys.executable}} -c \"print(1)\" & wait').stdout == '1\\n1\\n'\ndef test_b(tmp_path):\n    run(f'({{sys.executable}} -c \"open(\\'done\\', \\'w\\')\" && mv done over) > /dev/null 2>&1 & wait $!', cwd=tmp_path)\n    assert os.listdir(tmp_path) == ['over']\n",
    },
}
UNITTEST = {
    "cases": {
        "test_a.py": f"import unittest\n{IT}class A(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls): cls.n = 1\n    def setUp(self): self.addCleanup(lambda: None)\n    def test_a(self): self.assertEqual(count('a'), self.n)\n    def test_b(self): self.fail()\n    @unittest.skip('x')\n    def test_c(self): 1 / 0\n    @unittest.expectedFailure\n    def test_d(self): 1 / 0\n"
    },
    "parts": {
        "test_a.py": "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        for n in (1, 2):\n            with self.subTest(n=n): self.assertEqual(n, 1)\n    def test_b(self):\n        with self.subTest(): pass\n"
    },
    "asynchronous": {
        "test_a.py": "import unittest\nclass A(unittest.IsolatedAsyncioTestCase):\n    async def asyncSetUp(self): self.n = 1\n    async def test_a(self): self.assertEqual(self.n, 1)\n    async def test_b(self): self.assertEqual(self.n, 2)\n"
    },
    "load_tests is ignored": {
        "test_a.py": "import unittest\ndef load_tests(*a): return unittest.TestSuite()\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"
    },
}
DOCTEST = {
    "of modules": {**ini("addopts = --doctest-modules"), "test_a.py": ONE},
    "of texts": {
        **ini("addopts = --doctest-glob=*.md"),
        "USE.md": ">>> from tally import count\n>>> count('a')\n1\n>>> count('')\n1\n",
    },
    "with a namespace": {
        **ini("addopts = --doctest-modules"),
        "conftest.py": "import pytest\n@pytest.fixture(autouse=True)\ndef names(doctest_namespace): doctest_namespace['n'] = 3\n",
        "helper.py": '"""\n>>> n\n3\n"""\n',
    },
    "in a test": {"test_a.py": "import doctest, tally\ndef test_a(): assert doctest.testmod(tally) == (0, 1)\n"},
}
COLLECTION = {
    "functions by other names, and no word of it": {
        **ini("python_files = check*.py\npython_functions = it_* should_*"),
        "check.py": f"{IT}def it_counts(): assert count('a') == 1\ndef should_fail(): assert count('a') == 2\n",
    },
    "classes by other names": {
        **ini("python_classes = Describe"),
        "test_a.py": "class DescribeIt:\n    def test_a(self): pass\nclass TestIt:\n    def test_b(self): 1 / 0\n",
    },
    "testpaths": {
        **ini("testpaths = checks other*"),
        "checks/test_a.py": ONE.replace("test_one", "test_x"),
        "others/test_c.py": "def test_c(): pass\n",
        "test_b.py": "def test_b(): 1 / 0\n",
        "conftest.py": "",
    },
    "--ignore and --ignore-glob": {
        **ini("addopts = --ignore=old --ignore-glob=*_slow.py"),
        "old/test_a.py": "1 / 0\n",
        "test_b_slow.py": "1 / 0\n",
        "test_c.py": ONE,
    },
    "--deselect": {
        **ini("addopts = --deselect test_a.py::test_b"),
        "test_a.py": "def test_a(): pass\ndef test_b(): 1 / 0\n",
    },
    "norecursedirs": {**ini("norecursedirs = legacy"), "legacy/test_a.py": "1 / 0\n", "test_b.py": ONE},
    "collect_ignore": {
        "conftest.py": "collect_ignore = ['test_a.py']\ncollect_ignore_glob = ['old*']\n",
        "test_a.py": "1 / 0\n",
        "old_one/test_c.py": "1 / 0\n",
        "test_b.py": ONE,
    },
    "pytest_ignore_collect": {
        "conftest.py": "def pytest_ignore_collect(collection_path): return True if collection_path.name == 'test_a.py' else None\n",
        "test_a.py": "1 / 0\n",
        "test_b.py": ONE,
    },
    "__test__": {
        "test_a.py": "class TestA:\n    __test__ = False\n    def test_a(self): 1 / 0\ndef test_b(): pass\ntest_b.__test__ = False\ndef test_c(): pass\n"
    },
    "abstract tests, inherited": {
        "tests/__init__.py": "",
        "tests/base.py": "class TestBase:\n    n = None\n    def test_n(self): assert self.n == 1\n",
        "tests/test_a.py": "from tests import base\nclass TestReal(base.TestBase): n = 1\n",
    },
    "made by a factory": {
        "test_a.py": f"{IT}def make(n):\n    def test(): assert count('a ' * n) == n\n    return test\nfor n in (1, 2): globals()[f'test_{{n}}'] = make(n)\nclass TestX: pass\nsetattr(TestX, 'test_y', lambda self: None)\n"
    },
    "from checks import *": {
        "checks.py": f"{IT}def test_a(): assert count('a') == 1\n",
        "test_all.py": "from checks import *\n",
    },
    "items of a hook": {
        "conftest.py": "import pytest\nclass Line(pytest.Item):\n    def runtest(self): assert self.name == 'ok'\n    def reportinfo(self): return self.path, 0, self.name\nclass File(pytest.File):\n    def collect(self):\n        for line in self.path.read_text().split(): yield Line.from_parent(self, name=line)\ndef pytest_collect_file(file_path, parent):\n    return File.from_parent(parent, path=file_path) if file_path.suffix == '.lines' else None\n",
        "a.lines": "ok no\n",
    },
    "a file that can't be imported": {"test_a.py": "import nowhere_at_all\ndef test_a(): pass\n", "test_b.py": ONE},
    "a file that can't be read": {"test_a.py": "def test_a(:\n", "test_b.py": ONE},
    "two files of one name": {"a/test_x.py": "def test_a(): pass\n", "b/test_x.py": "def test_b(): pass\n"},
}
LAYOUTS = {
    "src by pythonpath": {
        **ini("pythonpath = src"),
        "src/pack/__init__.py": "n = 1\n",
        "tests/test_a.py": "from pack import n\ndef test_a(): assert n == 1\n",
    },
    "import mode importlib": {
        **ini("addopts = --import-mode=importlib"),
        "a/test_x.py": "def test_a(): assert __name__.endswith('test_x')\n",
        "b/test_x.py": "def test_b(): pass\n",
    },
    "packages of tests": {
        "tests/__init__.py": "",
        "tests/unit/__init__.py": "",
        "tests/helpers.py": "n = 1\n",
        "tests/unit/test_a.py": "from ..helpers import n\ndef test_a(): assert n == 1 and __name__ == 'tests.unit.test_a'\n",
    },
    "pyproject.toml": {
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['-ra', '--strict-config']\npython_files = ['check_*.py']\n",
        "check_a.py": ONE,
    },
    "setup.cfg": {"setup.cfg": "[tool:pytest]\npython_files = check_*.py\n", "check_a.py": ONE},
    "tox.ini": {"tox.ini": "[tox]\nenvlist = py\n[pytest]\npython_files = check_*.py\n", "check_a.py": ONE},
}
PLUGINS = {
    "-p own.plugin": {
        **ini("addopts = -p own.plugin"),
        "own/__init__.py": "",
        "own/plugin.py": "import pytest\n@pytest.fixture\ndef five(): return 5\n",
        "test_a.py": "def test_a(five): assert five == 5\n",
    },
    "pytest_plugins": {
        "conftest.py": "pytest_plugins = ['own']\n",
        "own.py": "import pytest\n@pytest.fixture\ndef five(): return 5\n",
        "test_a.py": "def test_a(five): assert five == 5\n",
    },
    "an option of a conftest": {
        **ini("addopts = --stage=two"),
        "conftest.py": "import pytest\ndef pytest_addoption(parser):\n    parser.addoption('--stage', default='one')\n    parser.addini('colour', 'x', default='red')\n@pytest.fixture\ndef stage(pytestconfig): return pytestconfig.getoption('stage') + pytestconfig.getini('colour')\n",
        "test_a.py": "def test_a(stage): assert stage == 'twored'\n",
    },
    "hooks around each test": {
        "conftest.py": "import pytest\nran = []\ndef pytest_runtest_setup(item): ran.append(item.name)\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_call(item): return (yield)\ndef pytest_sessionstart(session): session.config.began = True\n",
        "test_a.py": "import conftest\ndef test_a(pytestconfig): assert conftest.ran == ['test_a'] and pytestconfig.began\n",
    },
    "options that change what is shown": {
        **ini(
            "addopts = -vv -ra --tb=short --durations=3 --color=yes --maxfail=1 -p no:cacheprovider --show-capture=no"
        ),
        "test_a.py": f"{ONE}def test_two(): assert count('a') == 2\n",
    },
}
SUITES: dict[str, dict[str, str]] = {
    f"{page}: {name}": {**PROGRAM, **files}
    for page, suites in {
        "getting started": GETTING_STARTED, "fixtures": FIXTURES, "parametrize": PARAMETRIZE, "marks": MARKS,
        "warnings and logs": WARNINGS_AND_LOGS, "folders": FOLDERS, "programs": PROGRAMS, "unittest": UNITTEST, "doctest": DOCTEST,
        "collection": COLLECTION, "layouts": LAYOUTS, "plugins": PLUGINS,
    }.items()
    for name, files in suites.items()
}  # fmt: skip
"""Files by path, by the name of the suite."""
