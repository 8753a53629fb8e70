"""Tests that need a library which isn't there are unmeasured, and the reason is said; mistyped names are failures."""

import pytest

from tests.evidence.conftest import CLASSIFY, Examine, messages

MISSING = {
    "known": ("import pyfakefs\ndef test_it(): pass\n", {}, "pyfakefs"),
    "within a test": ("def test_it():\n    import time_machine\n", {}, "time_machine"),
    "in requirements": ("import my_lab.kit\ndef test_it(): pass\n", {"requirements.txt": "my-lab>=3\n"}, "my_lab"),
    "in pyproject": (
        "import mylab\ndef test_it(): pass\n",
        {"pyproject.toml": '[project]\nname = "x"\n[dependency-groups]\ndev = ["mylab[all] ~= 3.1"]\n'},
        "mylab",
    ),
    "fixture": ("def test_it(mocker): pass\n", {}, "pytest-mock"),
}


@pytest.mark.parametrize("place", MISSING)
def test_tests_without_their_library_are_unmeasured(examine: Examine, place: str) -> None:
    test, files, library = MISSING[place]
    facts = examine({"classify.py": CLASSIFY, "test_it.py": test, **files})
    reason = f"The tests need {library}, which the Python that runs them does not have (see --python)."
    assert facts["tests.passed"].value is None
    assert facts["tests.mutation_score"].value is None
    assert facts["tests.missing_libraries"].value == 1
    assert messages(facts["tests.passed"]).startswith("test_it.py")
    assert messages(facts["tests.passed"]).endswith(reason)


def test_a_module_that_nobody_knows_is_the_tests_own_mistake(examine: Examine) -> None:
    facts = examine({"classify.py": CLASSIFY, "test_it.py": "import clasify\ndef test_it(): pass\n"})
    assert facts["tests.passed"].value == 0.0
    assert facts["tests.missing_libraries"].value == 0


def test_a_library_of_the_program_is_no_lack_of_tests(examine: Examine) -> None:
    files = {"classify.py": "import requests_mock\n" + CLASSIFY, "test_it.py": "import classify\ndef test_it(): pass\n"}
    facts = examine(files)
    assert facts["tests.passed"].value == 0.0
    assert facts["tests.missing_libraries"].value == 0
