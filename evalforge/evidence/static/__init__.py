"""Static reading: facts about a submission that need no run."""

from evalforge.evidence.static.read_code import read_code
from evalforge.evidence.static.source import is_test_file, test_files

__all__ = ["is_test_file", "read_code", "test_files"]
