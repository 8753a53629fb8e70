"""How a submission's tests are named: as usual, or by its settings for pytest."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from evalforge.evidence.static.source import is_test_file


@dataclass(frozen=True)
class SuiteNames:
    """The names of tests.

    Attributes:
        files: The paths of test files besides those that are named as usual.
        functions: The beginnings or patterns of functions that are tests.
        classes: The same of classes that hold tests.
    """

    files: frozenset[str] = frozenset()
    functions: tuple[str, ...] = ("test",)
    classes: tuple[str, ...] = ("Test",)

    def is_test_file(self, path: str) -> bool:
        """Whether a Python file belongs to the tests."""
        return path in self.files or is_test_file(path)

    def is_test_function(self, name: str) -> bool:
        """Whether pytest takes a function of a test file as a test."""
        return _matches(name, self.functions)

    def is_test_class(self, name: str) -> bool:
        """Whether pytest looks for tests in a class, or its name says that it holds some."""
        return _matches(name, self.classes) or name.endswith("Test")


USUAL_NAMES = SuiteNames()


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(name.startswith(pattern) or fnmatchcase(name, pattern) for pattern in patterns)
