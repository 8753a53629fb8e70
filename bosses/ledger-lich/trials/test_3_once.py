"""What is sent again is booked once; what only looks the same is refused."""

from decimal import Decimal

import pytest

from evalforge.evidence.trials.proxies import PlayerError

SALE = [("till", Decimal("5.00")), ("till", Decimal("5.00")), ("sales", Decimal("-5.00")), ("sales", Decimal("-5.00"))]
TURNED = [("till", Decimal(-5)), ("sales", Decimal(5)), ("sales", Decimal(5)), ("till", Decimal(-5))]


def a_ledger(player):
    """A ledger with one sale in it."""
    ledger = player.module("ledger").Ledger()
    for account in ("till", "sales", "bank"):
        ledger.open(account)
    assert ledger.post("sale", SALE, "bread") is True, "post returns True for a transaction that was booked now."
    return ledger


def is_conflict(error):
    """Whether an error is the module's ConflictError."""
    import ledger

    return isinstance(error, ledger.ConflictError)


def raised(call, *args):
    """The error a call raises, or None."""
    try:
        call(*args)
    except PlayerError as error:
        return error
    return None


def conflicts(player, ledger, words, call, *args):
    """Fail with these words unless the call is refused as a conflict and changes nothing."""
    before = ledger.balances(), ledger.history()
    error = raised(call, *args)
    assert error is not None, f"{words} must be refused."
    assert player.drive(is_conflict, error.original), f"{words} is a ConflictError; it raised {error.type_name}."
    assert (ledger.balances(), ledger.history()) == before, f"{words} must change nothing."


@pytest.mark.group("repeats")
def test_the_same_again(player):
    """The same transaction sent again changes nothing and returns False."""
    ledger = a_ledger(player)
    for _ in range(2):
        assert ledger.post("sale", SALE, "bread") is False, "The same transaction again returns False."
        assert ledger.balance("till") == Decimal(10), "The same transaction again must not be booked again."
        assert len(ledger.statement("till")) == 2, "The same transaction again adds nothing to a statement."
    assert ledger.post("sale 2", SALE, "bread") is True, "The same postings under another id are another transaction."
    assert ledger.balance("till") == Decimal(20), "The same postings under another id are another transaction."


@pytest.mark.group("exactly_once")
def test_the_same_in_other_words(player):
    """Another order of postings, or other zeros at the end of an amount, make no difference."""
    ledger = a_ledger(player)
    shuffled = [SALE[2], SALE[0], SALE[3], SALE[1]]
    assert ledger.post("sale", shuffled, "bread") is False, (
        "The same postings in another order are the same transaction."
    )
    plain = [(account, Decimal(int(amount))) for account, amount in SALE]
    assert ledger.post("sale", plain, "bread") is False, "Decimals that are equal are the same amount: 5 is 5.00."
    assert len(ledger.history()) == 1, "What is the same transaction is in history once."


@pytest.mark.group("exactly_once")
def test_an_id_with_another_content(player):
    """A booked id with another memo or other postings is refused and changes nothing."""
    ledger = a_ledger(player)
    other = {
        "A booked id with another memo": (SALE, "cake"),
        "A booked id with another amount": ([(account, amount * 2) for account, amount in SALE], "bread"),
        "A booked id with another account": ([*SALE[:2], ("bank", Decimal(-5)), SALE[3]], "bread"),
        "A booked id with two postings made one": ([("till", Decimal(10)), ("sales", Decimal(-10))], "bread"),
        "A booked id with only some of its postings": ([SALE[0], SALE[2]], "bread"),
    }
    for words, (postings, memo) in other.items():
        conflicts(player, ledger, words, ledger.post, "sale", postings, memo)


@pytest.mark.group("exactly_once")
def test_a_repeat_costs_nothing(player):
    """A repeat returns False even where the accounts could not bear it a second time."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("world")
    ledger.post("wages", [("purse", Decimal(30)), ("world", Decimal(-30))])
    rent = [("purse", Decimal(-25)), ("world", Decimal(25))]
    assert ledger.post("rent", rent) is True, "A transaction that the accounts can bear is booked."
    assert ledger.post("rent", rent) is False, (
        "A repeat is recognised before minimums are looked at: it moves no money."
    )


def from_a_generator():
    """Post from a generator, and again from a list. Gives the answers, the balance and the number of postings."""
    from decimal import Decimal

    import ledger

    book = ledger.Ledger()
    book.open("till")
    book.open("sales")
    postings = [("till", Decimal(8)), ("sales", Decimal(-8))]
    first = book.post("sale", (posting for posting in postings))
    second = book.post("sale", iter([list(posting) for posting in postings]))
    return [first, second, book.balance("till"), len(book.history()[0][2])]


@pytest.mark.group("exactly_once")
def test_postings_that_can_be_read_once(player):
    """Postings from a generator are booked whole, and recognised when they come again."""
    first, second, till, count = player.drive(from_a_generator)
    assert first is True, "Any iterable of postings will do, also one that can be read only once."
    assert till == Decimal(8), "Postings that can be read only once are booked like any others."
    assert count == 2, "History has all postings, also where they came from a generator."
    assert second is False, "The same postings are the same transaction, whatever they come in."


@pytest.mark.group("exactly_once")
def test_a_reversal_again(player):
    """A reversal sent again returns False; its id is taken like any other."""
    ledger = a_ledger(player)
    assert ledger.reverse("sale", "back", "stale") is True, "reverse returns True for a reversal that was booked now."
    assert ledger.reverse("sale", "back", "stale") is False, "The same reversal again returns False."
    assert ledger.post("back", TURNED, "stale") is False, "A reversal is a transaction: posting the same returns False."
    assert ledger.balance("till") == Decimal(0), "A reversal sent again must not be booked again."
    conflicts(player, ledger, "A reversal again with another memo", ledger.reverse, "sale", "back", "mouldy")
    conflicts(player, ledger, "Another transaction under a reversal's id", ledger.post, "back", SALE, "stale")
    ledger.post("sale 2", SALE[::2])
    conflicts(player, ledger, "A reversal under an id that is taken", ledger.reverse, "sale 2", "back", "stale")
