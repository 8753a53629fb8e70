"""A table of lambdas is a table: what stands in a lambda's body is not done on import."""

from evalforge.evidence.static import read_code
from tests import factories


def test_calls_inside_a_lambda_are_not_work_done_on_import() -> None:
    code = "import math\nTABLE = {'sin': lambda x: math.sin(x), 'len': lambda x: len(str(x))}\n"
    facts = {fact.name: fact.value for fact in read_code(factories.submission(main=code))}
    assert facts["code.module_level_statements"] == 0
