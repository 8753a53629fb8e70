"""Tests of the ledger, one for each feature."""

from decimal import Decimal

import pytest

from ledger import Ledger


@pytest.fixture
def ledger():
    """A ledger with two accounts."""
    result = Ledger()
    result.open("a")
    result.open("b", minimum=Decimal("-10"))
    return result


def test_create():
    """A ledger can be created."""
    assert Ledger() is not None


def test_open(ledger):
    """Accounts can be opened."""
    ledger.open("c")
    assert "c" in ledger.balances()


def test_open_twice(ledger):
    """Opening an account twice raises an error."""
    with pytest.raises(Exception):
        ledger.open("a")


def test_balance(ledger):
    """The balance is zero at first."""
    assert ledger.balance("a") == 0


def test_balance_type(ledger):
    """The balance is a Decimal."""
    assert isinstance(ledger.balance("a"), Decimal)


def test_balance_unknown(ledger):
    """An unknown account raises an error."""
    with pytest.raises(Exception):
        ledger.balance("x")


def test_post(ledger):
    """A transaction can be booked."""
    assert ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-5"))])


def test_post_balance(ledger):
    """A booked transaction changes the balances."""
    ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-5"))])
    assert ledger.balance("a") == Decimal("5")
    assert ledger.balance("b") == Decimal("-5")


def test_post_floats(ledger):
    """Floats are converted without loss."""
    ledger.post("1", [("a", 0.1), ("b", -0.1)])
    ledger.post("2", [("a", 0.2), ("b", -0.2)])
    assert ledger.balance("a") == Decimal("0.3")


def test_post_text(ledger):
    """Texts are converted, too."""
    assert ledger.post("1", [("a", "0.10"), ("b", "-0.10")])


def test_post_unbalanced(ledger):
    """Unbalanced transactions raise an error."""
    with pytest.raises(Exception):
        ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-4"))])


def test_post_nothing(ledger):
    """An empty transaction raises an error."""
    with pytest.raises(Exception):
        ledger.post("1", [])


def test_post_nonsense(ledger):
    """Nonsense raises an error."""
    with pytest.raises(Exception):
        ledger.post("1", [("a", "nonsense"), ("b", None)])


def test_post_twice(ledger):
    """A transaction that is sent twice is booked once."""
    postings = [("a", Decimal("5")), ("b", Decimal("-5"))]
    assert ledger.post("1", postings)
    assert not ledger.post("1", postings)


def test_overdraft(ledger):
    """Overdrafts raise an error."""
    with pytest.raises(Exception):
        ledger.post("1", [("a", Decimal("50")), ("b", Decimal("-50"))])


def test_reverse(ledger):
    """A transaction can be reversed."""
    ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-5"))])
    assert ledger.reverse("1", "2")


def test_reverse_unknown(ledger):
    """Reversing an unknown transaction raises an error."""
    with pytest.raises(Exception):
        ledger.reverse("1", "2")


def test_statement(ledger):
    """The statement is a list."""
    assert isinstance(ledger.statement("a"), list)


def test_statement_length(ledger):
    """The statement has one line for each posting."""
    ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-5"))])
    assert len(ledger.statement("a")) == 1


def test_history(ledger):
    """The history is a list."""
    assert isinstance(ledger.history(), list)


def test_history_length(ledger):
    """The history has one line for each transaction."""
    ledger.post("1", [("a", Decimal("5")), ("b", Decimal("-5"))])
    assert len(ledger.history()) == 1
