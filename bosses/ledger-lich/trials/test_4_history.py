"""What is written, and that it stays written."""

from decimal import Decimal

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("METHODS")

ONE = [("till", Decimal("12.50")), ("sales", Decimal("-12.50"))]
TWO = [("bank", Decimal(10)), ("till", Decimal(-4)), ("sales", Decimal(-6))]


def answer(call, *args):
    """What a call returns, or the error that it raises."""
    try:
        return call(*args)
    except PlayerError as error:
        return error


def said(got):
    """What was returned, in words."""
    return f"it raised {got.type_name}" if isinstance(got, PlayerError) else f"it returned {got!r}"


def a_ledger(player):
    """A ledger with two transactions."""
    ledger = player.module("ledger").Ledger()
    for account in ("till", "sales", "bank"):
        ledger.open(account)
    ledger.post("sale", ONE, "bread")
    ledger.post("deposit", TWO)
    return ledger


BOOKED = f"post('sale', {ONE}, 'bread') and post('deposit', {TWO})"


@pytest.mark.group("book")
@pytest.mark.advice(
    "Return a list of tuples (transaction_id, memo, amount, balance), oldest first, one per posting, with a"
    " balance that starts at Decimal(0)."
)
def test_a_statement(player):
    """A statement has a line for each posting, in order, with the balance after it."""
    ledger = a_ledger(player)
    till = [("sale", "bread", Decimal("12.50"), Decimal("12.50")), ("deposit", "", Decimal(-4), Decimal("8.50"))]
    bank = [("deposit", "", Decimal(10), Decimal(10))]
    ledger.open("new")
    for account, due in (("till", till), ("bank", bank), ("new", [])):
        got = ledger.statement(account)
        assert got == due, f"expected {due} for statement({account!r}) after {BOOKED}; got {got!r}"


@pytest.mark.group("book")
@pytest.mark.advice(
    "Append (transaction_id, memo, tuple of (account, amount) tuples) to a list when a transaction is booked,"
    " unsorted. Return a copy of the list."
)
def test_a_history(player):
    """history() has all transactions in order, with their postings as given."""
    due = [("sale", "bread", tuple(ONE)), ("deposit", "", tuple(TWO))]
    got = a_ledger(player).history()
    assert got == due, f"expected {due} for history() after {BOOKED}; got {got!r}"


@pytest.mark.group("stone")
@pytest.mark.advice(
    "Go through the postings in the order given."
    " For each one to the account, add its amount to a running balance, then append a line with both."
)
def test_an_account_that_is_touched_twice(player):
    """An account touched twice by a transaction has two lines in its statement."""
    ledger = a_ledger(player)
    twice = [("bank", Decimal(10)), ("till", Decimal(-4)), ("till", Decimal(-6))]
    if answer(ledger.post, "twice", twice) is not True or ledger.balance("till") != Decimal("-1.50"):
        return  # Whether it is booked is asked where booking is.
    due = [("twice", "", Decimal(-4), Decimal("4.50")), ("twice", "", Decimal(-6), Decimal("-1.50"))]
    got = ledger.statement("till")[2:]
    assert got == due, f"expected {due} in statement('till') for post('twice', {twice}); got {got!r}"


def meddle_with_what_was_handed_in():
    """Post a list of lists, then change it. Gives what the ledger says afterwards."""
    from decimal import Decimal

    import ledger

    book = ledger.Ledger()
    book.open("till")
    book.open("sales")
    postings = [["till", Decimal(3)], ["sales", Decimal(-3)]]
    book.post("sale", postings)
    postings[0][1] = Decimal(999)
    postings.append(["till", Decimal(1)])
    return [book.balance("till"), book.statement("till"), book.history()]


@pytest.mark.group("stone")
@pytest.mark.clause("WHAT IS WRITTEN")
@pytest.mark.advice(
    "Keep only tuple(tuple(pair) for pair in postings), made at the start of `post` and never sorted: the pairs"
    " inside belong to the caller."
)
def test_what_was_handed_in_may_change(player):
    """Changing a list of postings after it was posted does not change the ledger."""
    till, statement, history = player.drive(meddle_with_what_was_handed_in)
    words = "after the caller changed the list it had posted, [['till', 3], ['sales', -3]]"
    due = [("sale", "", (("till", Decimal(3)), ("sales", Decimal(-3))))]
    assert history == due, f"expected history() == {due} {words}; got {history}"
    due = [("sale", "", Decimal(3), Decimal(3))]
    assert statement == due, f"expected statement('till') == {due} {words}; got {statement}"
    assert till == Decimal(3), f"expected 3 for balance('till') {words}; got {till!r}"


def meddle_with_what_came_out():
    """Try to change everything that the ledger returns. Returns what it says afterwards."""
    from decimal import Decimal

    import ledger

    def spoil(thing):
        for name in ("clear", "pop", "reverse"):
            try:
                getattr(thing, name)()
            except (AttributeError, TypeError, IndexError, KeyError):
                continue
        try:
            thing["till"] = Decimal(999)
        except TypeError:
            return

    book = ledger.Ledger()
    book.open("till")
    book.open("sales")
    book.post("sale", [["till", Decimal(3)], ["sales", Decimal(-3)]])
    for transaction in list(book.history()):
        for pair in transaction[2]:
            spoil(pair)
        spoil(transaction[2])
        spoil(transaction)
    for line in book.statement("till"):
        spoil(line)
    for thing in (book.history(), book.statement("till"), book.balances()):
        spoil(thing)
    return [book.balances(), book.statement("till"), book.history()]


@pytest.mark.group("stone")
@pytest.mark.clause("WHAT IS WRITTEN")
@pytest.mark.advice(
    "Store pairs and transactions as tuples in the order given."
    " Return a new list or dict from every call of balances, statement and history."
)
def test_what_came_out_may_change(player):
    """Changing returned balances, statements or history does not change the ledger."""
    balances, statement, history = player.drive(meddle_with_what_came_out)
    words = "after the caller changed what balances, statement and history had returned"
    due = {"till": Decimal(3), "sales": Decimal(-3)}
    assert balances == due, f"expected balances() == {due} {words}; got {balances}"
    due = [("sale", "", Decimal(3), Decimal(3))]
    assert statement == due, f"expected statement('till') == {due} {words}; got {statement}"
    due = [("sale", "", (("till", Decimal(3)), ("sales", Decimal(-3))))]
    assert history == due, f"expected history() == {due} {words}; got {history}"


@pytest.mark.group("stone")
@pytest.mark.advice(
    "Book (account, amount.copy_negate()) for each posting, in the original's order, as a new transaction under"
    " reversal_id, with the memo of this call."
)
def test_a_reversal(player):
    """A reversal books the same postings with signs turned; the original stays."""
    ledger = a_ledger(player)
    got = answer(ledger.reverse, "deposit", "deposit back", "wrong bank")
    assert got is True, f"expected True for reverse('deposit', 'deposit back', 'wrong bank'); {said(got)}"
    due = {"till": Decimal("12.50"), "sales": Decimal("-12.50"), "bank": Decimal(0)}
    got = ledger.balances()
    assert got == due, f"expected balances() == {due} after 'deposit' was reversed; got {got}"
    turned = (("bank", Decimal(-10)), ("till", Decimal(4)), ("sales", Decimal(6)))
    due = [("deposit", "", tuple(TWO)), ("deposit back", "wrong bank", turned)]
    got = ledger.history()[1:]
    assert got == due, f"expected {due} in history() after reverse('deposit', 'deposit back', 'wrong bank'); got {got}"
    ledger.reverse("sale", "sale back")
    memo = ledger.history()[-1][1]
    assert memo == "", f'expected "" as the memo of a reversal that was given none; got {memo!r}'


@pytest.mark.group("stone")
@pytest.mark.clause("METHODS", "ERRORS")
@pytest.mark.advice(
    "Map each reversed id to its reversal_id for good, and raise ConflictError for another."
    " Book a reversal like any transaction, so it can be reversed."
)
def test_reversed_once(player):
    """A transaction can be reversed once; its reversal can be reversed, too."""
    ledger = a_ledger(player)
    ledger.reverse("sale", "back")
    before = ledger.history()
    got = answer(ledger.reverse, "sale", "back again")
    is_right = isinstance(got, PlayerError) and player.drive(is_conflict, got.original)
    assert is_right, (
        f"expected ConflictError for reverse('sale', 'back again') after reverse('sale', 'back'); {said(got)}"
    )
    got = ledger.history()
    assert got == before, f"expected history as before, {before}, after a second reversal was refused; got {got}"
    got = answer(ledger.reverse, "back", "back to front")
    assert got is True, f"expected True for reverse('back', 'back to front'), 'back' being a reversal; {said(got)}"
    sales = ledger.balance("sales")
    assert sales == Decimal("-18.50"), f"expected -18.50 for balance('sales') after a reversed reversal; got {sales}"
    turned = tuple((account, -amount) for account, amount in ONE)
    due = [("sale", "bread", tuple(ONE)), ("deposit", "", tuple(TWO)), ("back", "", turned)]
    due.append(("back to front", "", tuple(ONE)))
    got = ledger.history()
    assert got == due, f"expected {due} for history() after a reversed reversal; got {got}"
    due = [
        ("sale", "12.50", "12.50"),
        ("deposit", "-4", "8.50"),
        ("back", "-12.50", "-4"),
        ("back to front", "12.50", "8.50"),
    ]
    due = [(name, "bread" if name == "sale" else "", Decimal(amount), Decimal(after)) for name, amount, after in due]
    got = ledger.statement("till")
    assert got == due, f"expected {due} for statement('till') after a reversed reversal; got {got}"
    got = answer(ledger.reverse, "sale", "back once more")
    is_right = isinstance(got, PlayerError) and player.drive(is_conflict, got.original)
    assert is_right, (
        "expected ConflictError for reverse('sale', 'back once more') after its reversal 'back' was reversed by 'back"
        f" to front'; {said(got)}"
    )


def is_conflict(error):
    """Whether an error is the module's ConflictError."""
    import ledger

    return isinstance(error, ledger.ConflictError)


def keep(accounts, transactions):
    """Post and reverse at random. Gives balances, statements and history."""
    import ledger

    book = ledger.Ledger()
    for account in accounts:
        book.open(account)
    for name, postings, back in transactions:
        book.post(name, postings)
        if back:
            book.reverse(back, f"{back} back")
    return [book.balances(), {account: book.statement(account) for account in accounts}, book.history()]


def story(history, account):
    """The statement and the balance of an account, from history."""
    balance, lines = Decimal(0), []
    for name, memo, postings in history:
        for amount in (amount for other, amount in postings if other == account):
            balance += amount
            lines.append((name, memo, amount, balance))
    return lines, balance


@pytest.mark.group("stone")
@pytest.mark.advice(
    "Append posts and reversals to one list as they are booked."
    " Derive each statement from it with a running balance, whose last value is balance(account)."
)
def test_the_books_agree(player, rng):
    """After random transactions and reversals, statements, history and balances agree."""
    accounts = ["a", "b", "c", "d"]
    names = [f"t{number}" for number in range(40)]
    open_names, transactions = list(names), []
    for number, name in enumerate(names):
        amount = Decimal(rng.randint(1, 10**6)) / 100
        giver, taker = rng.sample(accounts, 2)  # Double postings are asked above.
        back = rng.choice(names[: number + 1]) if rng.random() < 0.3 else None
        back = open_names.pop(open_names.index(back)) if back in open_names else None
        transactions.append((name, rng.sample([(taker, amount), (giver, -amount)], 2), back))
    balances, statements, history = player.drive(keep, accounts, transactions)
    words = "after 40 random transactions, some of them reversed"
    assert sum(balances.values()) == 0, f"expected balances that add up to zero {words}; got {sum(balances.values())}"
    due = [booked for name, _, back in transactions for booked in (name, *([f"{back} back"] if back else []))]
    got = [name for name, *_ in history]
    first = next((number for number, pair in enumerate(zip(due, got, strict=False)) if pair[0] != pair[1]), len(got))
    assert got == due, (
        f"expected {due[first : first + 3]} from place {first} of history {words}; got {got[first : first + 3]}"
    )
    for account in accounts:
        lines, balance = story(history, account)
        assert statements[account] == lines, (
            f"expected a statement as history implies {words}, ending in {lines[-2:]}; got {statements[account][-2:]}"
        )
        assert balances[account] == balance, (
            f"expected {balance}, the sum of all postings {words}; got {balances[account]}"
        )
