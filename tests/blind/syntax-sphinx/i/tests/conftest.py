import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


@pytest.fixture
def calculate():
    import sphinx

    return sphinx.evaluate


@pytest.fixture
def place():
    """The kind and the position of the error of a text."""
    import sphinx

    def find(text, variables=None, functions=None):
        with pytest.raises(sphinx.ExpressionError) as caught:
            sphinx.evaluate(text, variables, functions)
        return type(caught.value), caught.value.position

    return find
