"""What is sent again is booked once; what only looks the same is refused."""

from decimal import Decimal

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("ONCE")

SALE = [("till", Decimal("5.00")), ("till", Decimal("5.00")), ("sales", Decimal("-5.00")), ("sales", Decimal("-5.00"))]
TURNED = [("till", Decimal(-5)), ("sales", Decimal(5)), ("sales", Decimal(5)), ("till", Decimal(-5))]


def answer(call, *args):
    """What a call returns, or the error that it raises."""
    try:
        return call(*args)
    except PlayerError as error:
        return error


def said(got):
    """What was returned, in words."""
    return f"it raised {got.type_name}" if isinstance(got, PlayerError) else f"it returned {got!r}"


def shown(name, args):
    """A call as it is written."""
    return f"{name}({', '.join(map(repr, args))})"


def state(ledger):
    """What can be seen of a ledger."""
    return ledger.balances(), ledger.statement("till"), ledger.history()


def a_ledger(player):
    """A ledger with one sale in it."""
    ledger = player.module("ledger").Ledger()
    for account in ("till", "sales", "bank"):
        ledger.open(account)
    got = answer(ledger.post, "sale", SALE, "bread")
    assert got is True, f"expected True for {shown('post', ('sale', SALE, 'bread'))} when it is new; {said(got)}"
    return ledger


def is_conflict(error):
    """Whether an error is the module's ConflictError, and that one a LedgerError."""
    import ledger

    return isinstance(error, ledger.ConflictError) and isinstance(error, ledger.LedgerError)


def conflicts(player, ledger, name, *args):
    """Fail unless the call is refused as a conflict and changes nothing."""
    before = state(ledger)
    got = answer(getattr(ledger, name), *args)
    is_right = isinstance(got, PlayerError) and player.drive(is_conflict, got.original)
    assert is_right, (
        f"expected ConflictError, a LedgerError, for {shown(name, args)}: the id is booked with other content;"
        f" {said(got)}"
    )
    unchanged(ledger, before, shown(name, args))


def repeats(ledger, name, *args):
    """Fail unless the call returns False and changes nothing."""
    before = state(ledger)
    got = answer(getattr(ledger, name), *args)
    assert got is False, f"expected False for {shown(name, args)}, the same again; {said(got)}"
    unchanged(ledger, before, shown(name, args))


def unchanged(ledger, before, call):
    """Fail unless a ledger is what it was before a call."""
    for name, old, new in zip(("balances", "statement('till')", "history"), before, state(ledger), strict=True):
        assert new == old, f"expected {name} as before, {old}, after {call}; got {new}"


@pytest.mark.group("repeats")
@pytest.mark.advice(
    "Store memo and postings under their id."
    " If that very id comes again with the same content, return False before anything is booked."
)
def test_the_same_again(player):
    """The same transaction sent again changes nothing and returns False."""
    ledger = a_ledger(player)
    for _ in range(2):
        repeats(ledger, "post", "sale", SALE, "bread")
    got = answer(ledger.post, "sale 2", SALE, "bread")
    assert got is True, f"expected True for the postings of 'sale' under a new id, 'sale 2'; {said(got)}"


@pytest.mark.group("exactly_once")
@pytest.mark.advice(
    "Compare Counter(postings) of both as (account, Decimal) pairs: order doesn't count there, and Decimal(5) is"
    " the same key as Decimal('5.00')."
)
def test_the_same_in_other_words(player):
    """Postings in another order, or amounts with other trailing zeros, are a repeat."""
    ledger = a_ledger(player)
    repeats(ledger, "post", "sale", [SALE[2], SALE[0], SALE[3], SALE[1]], "bread")
    repeats(ledger, "post", "sale", [(account, Decimal(int(amount))) for account, amount in SALE], "bread")


@pytest.mark.group("exactly_once")
@pytest.mark.advice(
    "If the id is booked, compare the memo and a Counter, not a set, of the postings."
    " Raise ConflictError, a LedgerError, if either differs."
)
def test_an_id_with_another_content(player):
    """A booked id with another memo or other postings is refused."""
    ledger = a_ledger(player)
    conflicts(player, ledger, "post", "sale", SALE, "cake")
    other = [
        [(account, amount * 2) for account, amount in SALE],
        [*SALE[:2], ("bank", Decimal(-5)), SALE[3]],
        [("till", Decimal(10)), ("sales", Decimal(-10))],
        [SALE[0], SALE[2]],
    ]
    for postings in other:
        conflicts(player, ledger, "post", "sale", postings, "bread")


@pytest.mark.group("exactly_once")
@pytest.mark.advice(
    "In `post` and `reverse`, compare with what is booked under the id right after checking the amounts."
    " Return False there, before minimums."
)
def test_a_repeat_costs_nothing(player):
    """A repeat returns False even if the accounts could not bear it a second time."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("till")
    ledger.post("wages", [("purse", Decimal(30)), ("till", Decimal(-30))])
    rent = [("purse", Decimal(-25)), ("till", Decimal(25))]
    if answer(ledger.post, "rent", rent) is True:  # Whether it is booked is asked where minimums are.
        repeats(ledger, "post", "rent", rent)
    coins = [("purse", Decimal(7)), ("till", Decimal(-7))]
    if answer(ledger.post, "coins", coins) is True and answer(ledger.reverse, "coins", "coins back") is True:
        ledger.post("gift", [("purse", Decimal(-4)), ("till", Decimal(4))])
        repeats(ledger, "reverse", "coins", "coins back")


def from_a_generator():
    """Post from a generator, and again from a list. Gives the answers and the balance."""
    from decimal import Decimal

    import ledger

    book = ledger.Ledger()
    book.open("till")
    book.open("sales")
    postings = [("till", Decimal(8)), ("sales", Decimal(-8))]
    first = book.post("sale", (posting for posting in postings))
    try:
        second = book.post("sale", iter([list(posting) for posting in postings]))
    except Exception as error:
        second = type(error).__name__
    return [first, second, book.balance("till")]


@pytest.mark.group("exactly_once")
@pytest.mark.clause("METHODS", "ONCE")
@pytest.mark.advice(
    "Begin `post` with postings = tuple((account, amount) for account, amount in postings), and use only this"
    " tuple from then on."
)
def test_postings_that_can_be_read_once(player):
    """Postings from a generator are booked whole, and recognised when repeated."""
    first, second, till = player.drive(from_a_generator)
    call = "post('sale', (p for p in [('till', Decimal('8')), ('sales', Decimal('-8'))]))"
    assert first is True, f"expected True for {call}; got {first!r}"
    assert till == Decimal(8), f"expected 8 for balance('till') after {call}; got {till!r}"
    assert second is False, f"expected False for the same from an iterator of lists after {call}; got {second!r}"


@pytest.mark.group("exactly_once")
@pytest.mark.advice(
    "Let `reverse` pass turned postings, id and memo to the code of `post`, which compares memo and"
    " Counter(postings) with what is booked."
)
def test_a_reversal_again(player):
    """A repeated reversal returns False; its id is taken like any other."""
    ledger = a_ledger(player)
    if answer(ledger.reverse, "sale", "back", "stale") is not True or ledger.balance("till") != Decimal(0):
        return  # Whether a reversal is booked is asked where history is.
    repeats(ledger, "reverse", "sale", "back", "stale")
    ledger.post("sale 3", SALE[::2])
    conflicts(player, ledger, "reverse", "sale 3", "sale 3", "stale")
    repeats(ledger, "post", "back", TURNED, "stale")
    conflicts(player, ledger, "reverse", "sale", "back", "mouldy")
    conflicts(player, ledger, "post", "back", SALE, "stale")
    ledger.post("sale 2", SALE[::2])
    conflicts(player, ledger, "reverse", "sale 2", "back", "stale")
