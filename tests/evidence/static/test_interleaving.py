"""Checking and changing in one loop, and what only looks like it."""

from collections.abc import Callable

import pytest

from evalforge.model.evidence import Fact

Facts = Callable[[str], dict[str, Fact]]

INTERLEAVED = """
class Ledger:
    def post(self, postings):
        for account, amount in postings:
            if account not in self.balances:
                raise KeyError(account)
            self.balances[account] += amount
"""
APART = """
class Ledger:
    def post(self, postings):
        for account, amount in postings:
            if account not in self.balances:
                raise KeyError(account)
        for account, amount in postings:
            self.balances[account] += amount
"""
COMPUTED_ASIDE = """
class Ledger:
    def post(self, postings):
        after = {}
        for account, amount in postings:
            if account not in self.balances:
                raise KeyError(account)
            after[account] = self.balances[account] + amount
        self.balances.update(after)
"""


@pytest.mark.parametrize(
    ("source", "fact", "count"),
    [
        (INTERLEAVED, "code.checking_changes", 1),
        (APART, "code.checking_changes", 0),
        (COMPUTED_ASIDE, "code.checking_changes", 0),
    ],
    ids=["one loop", "two loops", "computed aside"],
)
def test_jobs_that_should_be_apart(facts: Facts, source: str, fact: str, count: int) -> None:
    assert facts(source)[fact].value == count


def test_a_finding_names_the_method_and_its_loop(facts: Facts) -> None:
    (finding,) = facts(INTERLEAVED)["code.checking_changes"].findings
    assert (finding.message, finding.line) == ("`Ledger.post` raises errors in a loop that also changes state", 4)
