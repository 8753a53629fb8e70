"""Missing libraries that tests need in the Python that runs them: such tests can't be measured."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any, cast

from evalforge.evidence.static import is_test_file
from evalforge.model.evidence import Finding
from evalforge.model.submission import Submission

MISSING_LIBRARIES = "tests.missing_libraries"
_MISSING_MODULE = re.compile(r"No module named '(\w+)")
"""Matches Python's message ``ModuleNotFoundError: No module named 'numpy.linalg'``."""
_MISSING_FIXTURE = re.compile(r"FixtureLookupError: \('(\w+)'")
_REQUIREMENT_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
"""Matches the name in a requirement such as ``pytest-mock >= 3 ; python_version < '3.12'``."""
_TEST_LIBRARIES = frozenset(
    """
    aiohttp aioresponses anyio approvaltests assertpy attr attrs bs4 dateutil deepdiff dirty_equals django
    expects factory faker fakeredis fastapi flask freezegun hamcrest httpx hypothesis icontract
    inline_snapshot jsonschema lxml mock moto mypy nose nose2 numpy pact pandas parameterized PIL polars
    psutil pydantic pyfakefs pytest_asyncio pytest_benchmark pytest_bdd pytest_check pytest_cases pytest_httpx
    pytest_lazyfixture pytest_mock pytest_subtests pytest_timeout pytz regex requests requests_mock responses
    respx rich robot scipy schemathesis sure syrupy testcontainers testfixtures time_machine tomli trio
    twisted typing_extensions vcr yaml
    """.split()
)
_FIXTURE_LIBRARIES = {
    "mocker": "pytest-mock",
    "freezer": "pytest-freezer",
    "benchmark": "pytest-benchmark",
    "httpx_mock": "pytest-httpx",
    "requests_mock": "requests-mock",
    "respx_mock": "respx",
    "snapshot": "syrupy",
    "faker": "Faker",
    "fs": "pyfakefs",
    "datadir": "pytest-datadir",
    "event_loop": "pytest-asyncio",
    "check": "pytest-check",
    "subtests": "pytest-subtests",
    "httpserver": "pytest-httpserver",
}


def missing_library_reason(messages: Iterable[str], submission: Submission) -> str:
    """Why tests with these failures prove nothing, if they need a missing library; else empty.

    A name counts only if it is a known library or one of the submission's dependencies; otherwise it is a mistake in
    the tests. A library that only the program imports doesn't count either.
    """
    declared = frozenset(_normal(name) for name in _declared(submission))
    tests = [file.content for file in submission.files if is_test_file(file.path)]
    libraries = (_missing_library(message, declared, tests) for message in messages)
    return next((_reason(library) for library in libraries if library), "")


def missing_library_finding(findings: Iterable[Finding], submission: Submission) -> Finding | None:
    """The first of these findings about tests that is due to a missing library, with that as its message."""
    for finding in findings:
        if reason := missing_library_reason([finding.message], submission):
            return finding.model_copy(update={"message": reason})
    return None


def missing_pytest_finding() -> Finding:
    """The finding if there is no pytest to run the tests."""
    return Finding(message=_reason("pytest"))


def _reason(library: str) -> str:
    return f"The tests need {library}, which the Python that runs them does not have (see --python)."


def _missing_library(message: str, declared: frozenset[str], tests: Iterable[str]) -> str:
    module = _MISSING_MODULE.search(message)
    is_library = module and (module[1] in _TEST_LIBRARIES or _normal(module[1]) in declared)
    if module and is_library and any(_imports(source, module[1]) for source in tests):
        return module[1]
    fixture = _MISSING_FIXTURE.search(message)
    return _FIXTURE_LIBRARIES.get(fixture[1], "") if fixture else ""


def _imports(source: str, module: str) -> bool:
    return re.search(rf"^[ \t]*(?:import|from)\b.*\b{module}\b", source, re.MULTILINE) is not None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _declared(submission: Submission) -> Iterator[str]:
    """The names of the packages that a submission declares as dependencies."""
    for file in submission.files:
        name = file.path.rpartition("/")[2]
        if name == "pyproject.toml":
            requirements = _pyproject_requirements(file.content)
        elif name.startswith("requirements") and name.endswith((".txt", ".in")):
            requirements = file.content.splitlines()
        else:
            continue
        yield from (match[1] for match in map(_REQUIREMENT_NAME.match, requirements) if match)


def _pyproject_requirements(content: str) -> list[str]:
    try:
        document: dict[str, Any] = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    project = _table(document.get("project"))
    lists = [project.get("dependencies"), *_table(project.get("optional-dependencies")).values()]
    lists += _table(document.get("dependency-groups")).values()
    return [
        requirement
        for requirements in lists
        if isinstance(requirements, list)
        for requirement in cast("list[object]", requirements)
        if isinstance(requirement, str)
    ]


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
