"""Good transactions happen whole, all others not at all, and each refusal says why."""

from decimal import Decimal

import pytest

from evalforge.evidence.trials.proxies import PlayerError

ROUNDS = 8
GIVEN = [("till", Decimal("20.00")), ("sales", Decimal("-16.50")), ("tax", Decimal("-3.50"))]
FAULTY = {
    "an unknown account in the last place": [GIVEN[0], GIVEN[1], ("attic", Decimal("-3.50"))],
    "a bad amount in the last place": [GIVEN[0], GIVEN[1], GIVEN[2], ("tax", Decimal("NaN"))],
    "amounts that do not add up": [GIVEN[0], GIVEN[1], ("tax", Decimal("-3.49"))],
}


def a_ledger(player):
    """A ledger with four accounts and one booked sale."""
    ledger = player.module("ledger").Ledger()
    for account in ("till", "sales", "tax", "bank"):
        ledger.open(account)
    ledger.post("sale 1", GIVEN, "bread")
    return ledger


def state(ledger):
    """All that can be seen of a ledger."""
    balances = ledger.balances()
    return [balances, [ledger.statement(account) for account in balances], ledger.history()]


def is_a(error, name):
    """Whether an error is an instance of the module's class of this name, and that one a LedgerError."""
    import ledger

    kind = getattr(ledger, name, None)
    return isinstance(kind, type) and isinstance(error, kind) and issubclass(kind, ledger.LedgerError)


def raised(call, *args):
    """The error a call raises, or None."""
    try:
        call(*args)
    except PlayerError as error:
        return error
    return None


def refuses(player, name, words, call, *args):
    """Fail with these words unless the call raises the contract's error."""
    error = raised(call, *args)
    assert error is not None, f"{words} must be refused."
    assert player.drive(is_a, error.original, name), f"{words} is a {name}, a LedgerError; it raised {error.type_name}."


@pytest.mark.group("booking")
def test_a_transaction_of_many_postings(player):
    """A transaction may have many postings, several of them to one account; balances lists all accounts."""
    ledger = a_ledger(player)
    postings = [("till", Decimal(7)), ("sales", Decimal(-9)), ("till", Decimal(4)), ("tax", Decimal(-2))]
    assert ledger.post("sale 2", postings, "cake") is True, "post returns True for a transaction that was booked now."
    assert list(ledger.balances().items()) == [
        ("till", Decimal(31)),
        ("sales", Decimal("-25.50")),
        ("tax", Decimal("-5.50")),
        ("bank", Decimal(0)),
    ], "balances has every open account in the order of opening, untouched ones with zero, and every posting counts."
    assert ledger.balance("till") == Decimal(31), "balance and balances must agree."


@pytest.mark.group("booking")
def test_what_does_not_add_up(player):
    """Amounts that do not add up to zero are refused."""
    ledger = a_ledger(player)
    a_trifle = [("till", Decimal("1.0000001")), ("sales", Decimal(-1))]
    faulty = [FAULTY["amounts that do not add up"], [("till", Decimal(1))], [GIVEN[0], GIVEN[0]], a_trifle]
    for number, postings in enumerate(faulty):
        assert raised(ledger.post, f"odd {number}", postings), (
            "What does not add up to zero, to the last digit, is no transaction: refuse it."
        )


@pytest.mark.group("apart")
def test_two_ledgers_share_nothing(player):
    """Two ledgers know nothing of each other."""
    first, second = a_ledger(player), player.module("ledger").Ledger()
    assert second.balances() == {}, "A new ledger has no accounts."
    assert second.history() == [], "A new ledger has no history."
    second.open("till")
    assert second.balance("till") == Decimal(0), "An account of one ledger has nothing to do with that of another."
    assert first.balance("till") == Decimal(20), "What happens in one ledger must not reach another."


@pytest.mark.group("traceless")
@pytest.mark.parametrize("fault", FAULTY)
def test_a_refusal_leaves_no_trace(player, fault):
    """What is refused leaves no trace, and its id stays free."""
    ledger = a_ledger(player)
    before = state(ledger)
    for _ in range(2):
        assert raised(ledger.post, "sale 2", FAULTY[fault]), f"A transaction with {fault} must be refused."
        assert state(ledger) == before, (
            "A refused transaction must leave balances, statements and history as they were."
        )
    assert ledger.post("sale 2", GIVEN) is True, "The id of a refused transaction stays free for a corrected one."


@pytest.mark.group("traceless")
def test_opening_twice_keeps_what_was_there(player):
    """An account that is open can't be opened again, and keeps its balance."""
    ledger = a_ledger(player)
    before = state(ledger)
    assert raised(ledger.open, "till"), "Opening an account that is open must be refused."
    assert state(ledger) == before, "A refused open must leave the account, its balance and its place as they were."


@pytest.mark.group("traceless")
def test_a_refused_reversal_leaves_no_trace(player):
    """A reversal that was refused leaves no trace: the transaction can be reversed later, under another id."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("world")
    ledger.post("wages", [("purse", Decimal(30)), ("world", Decimal(-30))])
    ledger.post("rent", [("purse", Decimal(-25)), ("world", Decimal(25))])
    before = state(ledger)
    if raised(ledger.reverse, "wages", "back") is None:
        return  # Whether it is refused is asked where minimums are; here only what a refusal leaves behind.
    assert state(ledger) == before, "A refused reversal must leave balances, statements and history as they were."
    ledger.post("gift", [("purse", Decimal(40)), ("world", Decimal(-40))])
    error = raised(ledger.reverse, "wages", "back again")
    assert error is None, (
        f"expected True for a reversal under another id after the first was refused; it raised {error.type_name}"
    )
    purse = ledger.balance("purse")
    assert purse == Decimal(15), (
        f"expected a balance of 15 after the reversal was booked at the second try; got {purse}"
    )


@pytest.mark.group("errors")
def test_why_a_transaction_is_refused(player):
    """Each reason to refuse a transaction has its own error, and all are LedgerErrors."""
    ledger = a_ledger(player)
    unknown, bad, _ = FAULTY.values()
    refuses(player, "UnbalancedError", "A sum other than zero", ledger.post, "a", [GIVEN[0], GIVEN[1]])
    refuses(player, "UnbalancedError", "A transaction without postings", ledger.post, "b", [])
    refuses(player, "UnknownAccountError", "An account that is not open", ledger.post, "c", unknown)
    refuses(player, "InvalidAmountError", "A NaN among the amounts", ledger.post, "d", bad)


@pytest.mark.group("errors")
def test_why_other_calls_are_refused(player):
    """Unknown accounts, unknown transactions and double openings have errors of their own."""
    ledger = a_ledger(player)
    refuses(player, "DuplicateAccountError", "Opening an account twice", ledger.open, "tax")
    refuses(player, "UnknownAccountError", "The balance of an account that is not open", ledger.balance, "attic")
    refuses(player, "UnknownAccountError", "The statement of an account that is not open", ledger.statement, "attic")
    refuses(player, "UnknownTransactionError", "Reversing what was never booked", ledger.reverse, "sale 9", "back 9")
    assert player.drive(is_exception), "LedgerError is an Exception, and of the module's own making."


def is_exception():
    """Whether LedgerError is a class of its own below Exception."""
    import ledger

    return issubclass(ledger.LedgerError, Exception) and ledger.LedgerError is not Exception


@pytest.mark.group("minimums")
def test_down_to_the_minimum(player):
    """An account may go down to its minimum, and not below it."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("card", Decimal(-50))
    ledger.open("world")
    ledger.post("wages", [("purse", Decimal(30)), ("world", Decimal(-30))])
    for account, amount in (("purse", Decimal("30.01")), ("card", Decimal("50.01"))):
        before = state(ledger)
        words = "A transaction that leaves an account below its minimum"
        refuses(player, "OverdraftError", words, ledger.post, account, [("world", amount), (account, -amount)])
        assert state(ledger) == before, "A refused overdraft must leave no trace."
    for account, amount in (("purse", Decimal(30)), ("card", Decimal(50))):
        booked = ledger.post(account, [("world", amount), (account, -amount)])
        assert booked is True, "Exactly down to the minimum is allowed."
    refuses(
        player, "OverdraftError", "A reversal that leaves an account below its minimum", ledger.reverse, "wages", "back"
    )


@pytest.mark.group("minimums")
def test_minimums_are_judged_at_the_end(player):
    """Within a transaction an account may stand below its minimum; only the end counts."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("world")
    postings = [("purse", Decimal(-80)), ("world", Decimal(-20)), ("purse", Decimal(100))]
    assert ledger.post("round trip", postings) is True, (
        "Minimums are judged when the whole transaction is booked, not posting by posting."
    )
    assert [line[3] for line in ledger.statement("purse")] == [Decimal(-80), Decimal(20)], (
        "A statement shows the balance right after each posting, in the order the postings were given."
    )
    outward = [("purse", Decimal(15)), ("world", Decimal(-15) - Decimal(-36)), ("purse", Decimal(-36))]
    refuses(player, "OverdraftError", "An account that ends below its minimum", ledger.post, "out", outward)


def play(accounts, moves):
    """Post what is told and list the answers; then all that can be seen."""
    import ledger

    book = ledger.Ledger()
    for account, minimum in accounts:
        book.open(account, minimum)
    answers = []
    for name, *args in moves:
        try:
            answers.append(getattr(book, name)(*args))
        except ledger.LedgerError:
            answers.append("refused")
    return [answers, book.balances(), [book.statement(account) for account, _ in accounts], book.history()]


class Obvious:
    """A slow and obvious ledger; amounts are whole numbers of the smallest unit."""

    def __init__(self, accounts):
        self.minimums = dict(accounts)
        self.balances = {account: 0 for account, _ in accounts}
        self.booked = {}
        self.reversals = {}

    def post(self, name, postings, memo):
        """Book, recognise or refuse."""
        if name in self.booked:
            same = self.booked[name][0] == memo and sorted(self.booked[name][1]) == sorted(postings)
            return False if same else "refused"
        after = dict(self.balances)
        for account, amount in postings:
            if account not in after or amount == 0:
                return "refused"
            after[account] += amount
        low = any(self.minimums[a] is not None and after[a] < self.minimums[a] for a, _ in postings)
        if low or len(postings) < 2 or sum(amount for _, amount in postings):
            return "refused"
        self.balances = after
        self.booked[name] = (memo, postings)
        return True

    def reverse(self, name, back, memo):
        """Book the opposite."""
        if name not in self.booked or self.reversals.get(name, back) != back:
            return "refused"
        answer = self.post(back, [(account, -amount) for account, amount in self.booked[name][1]], memo)
        if answer is True:
            self.reversals[name] = back
        return answer


def random_postings(rng, accounts):
    """Postings that add up to zero, some of them enormous, on random accounts."""
    size = 10 ** rng.choice([3, 3, 14, 33])
    amounts = [rng.choice([-1, 1]) * rng.randint(1, size) for _ in range(rng.choice([1, 1, 2, 3]))]
    amounts.append(-sum(amounts))
    return [(rng.choice(accounts), amount) for amount in amounts]


def random_moves(rng, accounts, count):
    """Posts, repeats, slips of all kinds, and reversals; few ids, so that they meet."""
    moves, seen = [], []
    for _ in range(count):
        kind = rng.choice(["post", "post", "post", "again", "slip", "reverse", "reverse"])
        if kind == "post" or not seen:
            moves.append(("post", f"t{rng.randint(0, 12)}", random_postings(rng, accounts), rng.choice(["", "note"])))
            seen.append(moves[-1])
        elif kind == "again":
            _, name, postings, memo = rng.choice(seen)
            moves.append(("post", name, postings, memo))
        elif kind == "slip":
            _, name, postings, memo = rng.choice(seen)
            slips = [
                [*postings[:-1], ("attic", postings[-1][1])],
                [*postings[:-1], (postings[-1][0], postings[-1][1] + 1)],
                [*postings, (accounts[0], 0)],
                postings[:1],
            ]
            moves.append(("post", rng.choice([name, "slip"]), rng.choice(slips), memo))
        else:
            moves.append(("reverse", f"t{rng.randint(0, 12)}", f"r{rng.randint(0, 6)}", rng.choice(["", "", "oops"])))
    return moves


def money(units):
    """So many times the smallest unit, as a Decimal, without rounding."""
    return Decimal((int(units < 0), tuple(int(digit) for digit in str(abs(units))), -9))


def with_money(move):
    """A move with its amounts as Decimals."""
    name, first, second, memo = move
    return (name, first, [(account, money(amount)) for account, amount in second] if name == "post" else second, memo)


@pytest.mark.group("mixture")
def test_any_mixture_of_calls(player, rng):
    """After random good, repeated and faulty calls, the ledger is what the good ones made it."""
    for number in range(ROUNDS):
        accounts = [("a", None), ("b", None), ("c", [0, -400, -(10**13)][number % 3]), ("d", None)]
        moves = random_moves(rng, [account for account, _ in accounts], 45)
        told = [(account, None if minimum is None else money(minimum)) for account, minimum in accounts]
        answers, balances, statements, history = player.drive(play, told, [with_money(move) for move in moves])
        model = Obvious(accounts)
        expected = [getattr(model, name)(*args) for name, *args in moves]
        wrong = next((i for i in range(len(moves)) if answers[i] != expected[i]), None)
        assert wrong is None, (
            f"In a random mixture of calls a {moves[wrong][0]} answered {answers[wrong]!r}, and a slow, obvious ledger "
            f"{expected[wrong]!r}."
        )
        assert balances == {a: money(v) for a, v in model.balances.items()}, (
            "After a random mixture a balance is wrong."
        )
        assert [(name, memo, tuple(map(tuple, postings))) for name, memo, postings in history] == [
            (name, memo, tuple((account, money(amount)) for account, amount in postings))
            for name, (memo, postings) in model.booked.items()
        ], "After a random mixture, history is not what was booked, in the order of booking."
        lines = [len([1 for _, ps in model.booked.values() for a, _ in ps if a == account]) for account, _ in accounts]
        assert [len(statement) for statement in statements] == lines, (
            "A statement has one line for each posting booked."
        )
