"""What is written, and that it stays written."""

from decimal import Decimal

import pytest

from evalforge.evidence.trials.proxies import PlayerError

ONE = [("till", Decimal("12.50")), ("sales", Decimal("-12.50"))]
TWO = [("bank", Decimal(10)), ("till", Decimal(-4)), ("till", Decimal(-6))]


def raised(call, *args):
    """The error a call raises, or None."""
    try:
        call(*args)
    except PlayerError as error:
        return error
    return None


def a_ledger(player):
    """A ledger with two transactions."""
    ledger = player.module("ledger").Ledger()
    for account in ("till", "sales", "bank"):
        ledger.open(account)
    ledger.post("sale", ONE, "bread")
    ledger.post("deposit", TWO)
    return ledger


@pytest.mark.group("book")
def test_a_statement(player):
    """A statement has a line for each posting, in order, with the balance after it."""
    ledger = a_ledger(player)
    assert ledger.statement("till") == [
        ("sale", "bread", Decimal("12.50"), Decimal("12.50")),
        ("deposit", "", Decimal(-4), Decimal("8.50")),
        ("deposit", "", Decimal(-6), Decimal("2.50")),
    ], "A statement is a list of (transaction_id, memo, amount, balance), one tuple for each posting to the account."
    assert ledger.statement("sales") == [("sale", "bread", Decimal("-12.50"), Decimal("-12.50"))], (
        "A statement shows the postings to its own account only."
    )
    ledger.open("new")
    assert ledger.statement("new") == [], "The statement of an untouched account is an empty list."


@pytest.mark.group("book")
def test_a_history(player):
    """History has all transactions in the order of booking, with their postings as they were given."""
    ledger = a_ledger(player)
    assert ledger.history() == [("sale", "bread", tuple(ONE)), ("deposit", "", tuple(TWO))], (
        "history is a list of (transaction_id, memo, postings), postings a tuple of pairs in the order they were given."
    )


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
    again = book.post("sale", [("till", Decimal(3)), ("sales", Decimal(-3))])
    return [again, book.balance("till"), book.statement("till"), book.history()]


@pytest.mark.group("stone")
def test_what_was_handed_in_may_change(player):
    """Changing a list of postings after it was posted changes nothing in the ledger."""
    again, till, statement, history = player.drive(meddle_with_what_was_handed_in)
    words = (
        "What the caller does to its list after post has returned must not reach the ledger: copy it, pairs included."
    )
    assert history == [("sale", "", (("till", Decimal(3)), ("sales", Decimal(-3))))], words
    assert statement == [("sale", "", Decimal(3), Decimal(3))], words
    assert till == Decimal(3), words
    assert again is False, words


def meddle_with_what_came_out():
    """Try to change everything that the ledger hands out. Gives what it says afterwards."""
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
def test_what_came_out_may_change(player):
    """Changing what balances, statement and history returned changes nothing in the ledger."""
    balances, statement, history = player.drive(meddle_with_what_came_out)
    words = "must be the caller's own: whatever is done to what it returned, the ledger stays as it was."
    assert balances == {"till": Decimal(3), "sales": Decimal(-3)}, f"balances {words}"
    assert statement == [("sale", "", Decimal(3), Decimal(3))], f"statement {words}"
    assert history == [("sale", "", (("till", Decimal(3)), ("sales", Decimal(-3))))], f"history {words}"


@pytest.mark.group("stone")
def test_a_reversal(player):
    """A reversal books the same postings with signs turned, and leaves the original where it was."""
    ledger = a_ledger(player)
    assert ledger.reverse("deposit", "deposit back", "wrong bank") is True, "reverse books a transaction of its own."
    assert ledger.balances() == {"till": Decimal("12.50"), "sales": Decimal("-12.50"), "bank": Decimal(0)}, (
        "After a reversal the balances are as if the transaction had never been."
    )
    turned = (("bank", Decimal(-10)), ("till", Decimal(4)), ("till", Decimal(6)))
    assert ledger.history()[1:] == [("deposit", "", tuple(TWO)), ("deposit back", "wrong bank", turned)], (
        "The original stays, and the reversal follows it: the same postings in their order, signs turned."
    )
    ledger.reverse("sale", "sale back")
    memo = ledger.history()[-1][1]
    assert memo == "", f'expected "" as the memo of a reversal that was given none; got {memo!r}'


@pytest.mark.group("stone")
def test_reversed_once(player):
    """A transaction can be reversed once; its reversal is a transaction and can be reversed, too."""
    ledger = a_ledger(player)
    ledger.reverse("sale", "back")
    before = ledger.history()
    error = raised(ledger.reverse, "sale", "back again")
    assert error is not None, "What has been reversed can't be reversed again under another id."
    assert player.drive(is_conflict, error.original), f"A second reversal is a ConflictError, no {error.type_name}."
    assert ledger.history() == before, "A refused reversal must leave no trace."
    assert ledger.reverse("back", "back to front") is True, "A reversal can be reversed like any transaction."
    assert ledger.balance("sales") == Decimal("-12.50"), "A reversed reversal restores what was there."


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


@pytest.mark.group("stone")
def test_the_books_agree(player, rng):
    """After random transactions and reversals, statements, history and balances tell one story."""
    accounts = ["a", "b", "c", "d"]
    names = [f"t{number}" for number in range(40)]
    open_names, transactions = list(names), []
    for number, name in enumerate(names):
        amount = Decimal(rng.randint(1, 10**6)) / 100
        postings = [(rng.choice(accounts), amount), (rng.choice(accounts), -amount)]
        back = rng.choice(names[: number + 1]) if rng.random() < 0.3 else None
        back = open_names.pop(open_names.index(back)) if back in open_names else None
        transactions.append((name, rng.sample(postings, 2), back))
    balances, statements, history = player.drive(keep, accounts, transactions)
    assert sum(balances.values()) == 0, "Whatever was booked, the sum of all balances is zero."
    reversals = sum(back is not None for *_, back in transactions)
    assert len(history) == len(transactions) + reversals, "History has every transaction and every reversal."
    for account in accounts:
        balance, lines = Decimal(0), []
        for name, memo, postings in history:
            for other, amount in postings:
                if other == account:
                    balance += amount
                    lines.append((name, memo, amount, balance))
        assert statements[account] == lines, (
            "A statement must tell what history tells, with the balance after each posting."
        )
        assert balances[account] == balance, "A balance is the sum of all postings to the account."
