"""Static reading: what can be told about a submission without running it."""

from evalforge.evidence.reading.reading import read_code
from evalforge.evidence.reading.source import is_test_file

__all__ = ["is_test_file", "read_code"]
