"""Library modules that engineers hold up as models: the facts answer as two readers did, but for what is named here."""

import pytest

from benchmarks.library_modules import MODULES, Module, answers, installed

DISAGREEMENTS = {
    "shlex": {"repeats"},
    "csv": {"repeats"},
    "asyncio.queues": {"repeats"},
    "parsy": {"repeats"},
    "pyrsistent._pvector": {"repeats"},
}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_facts_answer_as_readers_do(module: Module):
    path = installed(module)
    if path is None:
        pytest.skip("not installed in the version that was read")
    assert answers(path) ^ module.answers == DISAGREEMENTS.get(module.name, set())
