"""Libraries that tests need and the Python that runs them does not have: what such tests are worth is not known."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, cast

from evalforge.evidence.mutation_score import unmeasured_facts
from evalforge.model.evidence import Fact, Finding
from evalforge.model.submission import Submission

_MISSING_MODULE = re.compile(r"No module named '(\w+)")
"""As Python says it: ``ModuleNotFoundError: No module named 'numpy.linalg'``."""
_MISSING_FIXTURE = re.compile(r"FixtureLookupError: \('(\w+)'")
_REQUIREMENT_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
"""At the beginning of a requirement: ``pytest-mock >= 3 ; python_version < '3.12'``."""
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


def withhold_where_libraries_lack(facts: Sequence[Fact], submission: Submission) -> tuple[Fact, ...]:
    """The facts about tests as they are, or unmeasured with the reason if a test failed for want of a library.

    A name that is neither a known library nor one that the submission says it depends on is a mistake of the tests.
    """
    declared = frozenset(_normal(name) for name in _declared(submission))
    for finding in facts[0].findings:
        library = _missing_library(finding.message, declared)
        if library:
            reason = f"The tests need {library}, which the Python that runs them does not have (see --python)."
            place = Finding(message=reason, path=finding.path, line=finding.line)
            passed, *others = unmeasured_facts(reason, passed=None)
            return (passed.model_copy(update={"findings": (place,)}), *others)
    return tuple(facts)


def _missing_library(message: str, declared: frozenset[str]) -> str:
    module = _MISSING_MODULE.search(message)
    if module and (module[1] in _TEST_LIBRARIES or _normal(module[1]) in declared):
        return module[1]
    fixture = _MISSING_FIXTURE.search(message)
    return _FIXTURE_LIBRARIES.get(fixture[1], "") if fixture else ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _declared(submission: Submission) -> Iterator[str]:
    """Names of the packages that a submission says it depends on."""
    for file in submission.files:
        name = file.path.rpartition("/")[2]
        if name == "pyproject.toml":
            requirements = _pyproject_requirements(file.content)
        elif name.startswith("requirements") and name.endswith((".txt", ".in")):
            requirements = file.content.splitlines()
        else:
            continue
        yield from (found[1] for found in map(_REQUIREMENT_NAME.match, requirements) if found)


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
        for each in lists
        if isinstance(each, list)
        for requirement in cast("list[object]", each)
        if isinstance(requirement, str)
    ]


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
