"""The player's settings for pytest: which files have tests, where they import from, and which options they set.

Pytest takes them from the first file in the root that has any, and reads them itself where the tests run. Here they are
read for what must be known before: the test files, and the options that can't be used.
"""

import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any, cast

import iniconfig

from evalforge.evidence.static import is_test_file
from evalforge.evidence.static.suite_names import USUAL_NAMES, SuiteNames
from evalforge.model.submission import Submission

_CHOOSING_OPTIONS = ("-m", "-k")
_IGNORED_OPTIONS = frozenset(
    """
    -r -q -v -s -x -l -p -c -o -W --quiet --verbose --verbosity --tb --strict --strict-markers --strict-config
    --durations --durations-min --color --code-highlight --showlocals --no-showlocals --import-mode --maxfail
    --exitfirst
    --capture --show-capture --cache-clear --cache-show --lf --last-failed --ff --failed-first --nf --new-first
    --sw --stepwise --no-header --no-summary --no-fold-skipped --disable-warnings --disable-pytest-warnings --rootdir
    --basetemp --junitxml --junit-xml --junit-prefix --full-trace --assert --pythonwarnings --pyargs --log-level
    --log-format --log-date-format --log-cli-level --log-cli-format --log-file --log-file-level --ignore --ignore-glob
    --deselect --confcutdir --override-ini --setup-show --truncation-limit-lines --truncation-limit-chars --trace-config
    """.split()
)
"""Pytest's own options that affect neither which tests there are nor whether they pass."""
_VALUES = (str, int, float, bool)


@dataclass(frozen=True)
class PytestSettings:
    """The settings for pytest that are known before any test runs.

    Attributes:
        path: The file with the settings; empty if there is none.
        test_paths: The folders and files to search for tests, relative to the root; everything if empty.
        file_patterns: The name patterns of test files; the usual ones if empty.
        function_patterns: The beginnings or name patterns of tests; the usual ones if empty.
        class_patterns: The same of classes with tests.
        import_folders: The folders to import from, relative to the root.
        options: The options for pytest that select tests.
        left_out: The names of options that can't be used.
    """

    path: str = ""
    test_paths: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    function_patterns: tuple[str, ...] = ()
    class_patterns: tuple[str, ...] = ()
    import_folders: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def read_pytest_settings(submission: Submission) -> PytestSettings:
    """Read the settings of a submission from the file that pytest would find first."""
    files = submission.contents
    for path, reader in _READERS.items():
        values = reader(files[path]) if path in files else None
        if values is not None:
            break
    else:
        return PytestSettings()
    conftests = [content for name, content in files.items() if name.rpartition("/")[2] == "conftest.py"]
    options, left_out = _sort_options(_split_words(values.get("addopts")), conftests)
    return PytestSettings(
        path=path,
        test_paths=tuple(_inner_folders(_split_words(values.get("testpaths")))),
        file_patterns=tuple(_split_words(values.get("python_files"))),
        function_patterns=tuple(_split_words(values.get("python_functions"))),
        class_patterns=tuple(_split_words(values.get("python_classes"))),
        import_folders=tuple(_inner_folders(_split_words(values.get("pythonpath")))),
        options=tuple(options),
        left_out=tuple(left_out),
    )


def settings_notices(submission: Submission) -> tuple[str, ...]:
    """Notices to the player on each option that isn't used."""
    settings = read_pytest_settings(submission)
    why = "it needs a plugin that the judge does not have"
    return tuple(f"Option {name} in {settings.path} was left out of the run: {why}." for name in settings.left_out)


def suite_names(submission: Submission) -> SuiteNames:
    """How the tests of a submission are named, by its settings."""
    settings = read_pytest_settings(submission)
    code = {path: text for path, text in submission.contents.items() if path.endswith(".py")}
    return SuiteNames(
        files=frozenset(find_tests(code, settings) if settings.file_patterns else ()),
        functions=settings.function_patterns or USUAL_NAMES.functions,
        classes=settings.class_patterns or USUAL_NAMES.classes,
    )


def find_tests(files: Mapping[str, str], settings: PytestSettings) -> tuple[str, ...]:
    """Find the files with tests among Python files by path."""
    patterns = settings.file_patterns
    candidates = [path for path in files if _may_hold_tests(path, patterns) and (patterns or "test" in files[path])]
    tests_in_paths = [path for path in candidates if any(_is_below(path, folder) for folder in settings.test_paths)]
    return tuple(tests_in_paths or candidates)  # like pytest, look everywhere if none of these paths exists


def _may_hold_tests(path: str, patterns: Iterable[str]) -> bool:
    name = path.rpartition("/")[2]
    if name == "conftest.py":
        return False
    return (
        any(fnmatch(path if "/" in pattern else name, pattern) for pattern in patterns)
        if patterns
        else is_test_file(path)
    )


def _is_below(path: str, folder: str) -> bool:
    parents = [path, *(parent.as_posix() for parent in PurePosixPath(path).parents)]
    return not folder or any(fnmatch(parent, folder) for parent in parents)


def _inner_folders(patterns: Iterable[str]) -> Iterator[str]:
    """Normalized paths below the root, without ``./`` and the like."""
    for pattern in patterns:
        path = PurePosixPath(pattern)
        if not path.is_absolute() and ".." not in path.parts:
            yield "" if path == PurePosixPath() else path.as_posix()


def _split_words(value: object) -> list[str]:
    """The words of a setting, which may be a text or a list."""
    if isinstance(value, list):
        return [str(word) for word in cast("list[object]", value) if isinstance(word, _VALUES)]
    try:
        return shlex.split(value) if isinstance(value, str) else []
    except ValueError:
        return []


def _sort_options(options: list[str], conftests: list[str]) -> tuple[list[str], list[str]]:
    """The options that select tests, and those that need a plugin that isn't installed."""
    used_options: list[str] = []
    left_out: list[str] = []
    pending = list(options)
    while pending:
        option = pending.pop(0)
        name = option.partition("=")[0]
        if option in _CHOOSING_OPTIONS and pending:
            used_options += [option, pending.pop(0)]
        elif name.startswith("--") and any(f'"{name}"' in text or f"'{name}'" in text for text in conftests):
            used_options += [option, *([pending.pop(0)] if pending and not pending[0].startswith("-") else [])]
        elif name.startswith("-") and not _is_ignored(name) and name not in left_out:
            left_out.append(name)
    return used_options, left_out


def _is_ignored(name: str) -> bool:
    return name in _IGNORED_OPTIONS or (not name.startswith("--") and name[:2] in _IGNORED_OPTIONS)


def _read_toml(content: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _table(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = values.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _read_pyproject(content: str) -> dict[str, Any] | None:
    table = _table(_table(_read_toml(content), "tool"), "pytest")
    return _table(table, "ini_options") or (table if table.keys() - {"ini_options"} else None)


def _read_section(content: str, name: str) -> dict[str, Any] | None:
    try:
        sections = iniconfig.IniConfig("settings", content)
    except iniconfig.ParseError:
        return None
    return dict(sections[name].items()) if name in sections else None


def _read_own_toml(content: str) -> dict[str, Any]:
    return _table(_read_toml(content), "pytest")


def _read_own_ini(content: str) -> dict[str, Any]:
    return _read_section(content, "pytest") or {}


def _read_tox(content: str) -> dict[str, Any] | None:
    return _read_section(content, "pytest")


def _read_setup(content: str) -> dict[str, Any] | None:
    return _read_section(content, "tool:pytest")


_READERS: dict[str, Callable[[str], dict[str, Any] | None]] = {
    "pytest.toml": _read_own_toml,
    ".pytest.toml": _read_own_toml,
    "pytest.ini": _read_own_ini,
    ".pytest.ini": _read_own_ini,
    "pyproject.toml": _read_pyproject,
    "tox.ini": _read_tox,
    "setup.cfg": _read_setup,
}
"""The files that pytest reads, in its order; one without pytest's section is skipped, except pytest's own files."""
