"""Good transactions happen whole, all others not at all, and each refusal says why."""

from decimal import Decimal
from fractions import Fraction

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("A GOOD TRANSACTION")

ROUNDS = 8
GIVEN = [("till", Decimal("20.00")), ("sales", Decimal("-16.50")), ("tax", Decimal("-3.50"))]
FAULTY = {
    "an unknown account in the last posting": [GIVEN[0], GIVEN[1], ("attic", Decimal("-3.50"))],
    "a bad amount in the last posting": [GIVEN[0], GIVEN[1], GIVEN[2], ("tax", Decimal("NaN"))],
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


def refuses(player, kind, ledger, name, *args):
    """Fail unless the call raises the contract's error, a LedgerError."""
    got = answer(getattr(ledger, name), *args)
    is_right = isinstance(got, PlayerError) and player.drive(is_a, got.original, kind)
    assert is_right, f"expected {kind}, a LedgerError, for {shown(name, args)}; {said(got)}"


@pytest.mark.group("booking")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Add up and book the postings in a loop, not as dict(postings), which keeps one per account."
    " Return True, and let `balance` read what `balances` copies."
)
def test_a_transaction_of_many_postings(player):
    """A transaction may have many postings, several of them to one account."""
    ledger = a_ledger(player)
    postings = [("till", Decimal(7)), ("sales", Decimal(-9)), ("till", Decimal(4)), ("tax", Decimal(-2))]
    got = answer(ledger.post, "sale 2", postings, "cake")
    assert got is True, f"expected True for {shown('post', ('sale 2', postings, 'cake'))}; {said(got)}"
    due = {"till": Decimal(31), "sales": Decimal("-25.50"), "tax": Decimal("-5.50"), "bank": Decimal(0)}
    got = ledger.balances()
    assert got == due, f"expected balances() == {due} after {GIVEN} and {postings}; got {got}"
    got = ledger.balance("till")
    assert got == Decimal(31), f"expected 31 for balance('till'), as balances() says; got {got!r}"


@pytest.mark.group("listing")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Keep balances in one dict whose keys only `open` adds, and return dict() of it."
    " Sort nothing, and never take a key out to put it back."
)
def test_accounts_in_the_order_they_were_opened(player):
    """balances() lists accounts in the order they were opened."""
    ledger = a_ledger(player)
    ledger.post("deposit", [("bank", Decimal(3)), ("till", Decimal(-3))])
    due, got = ["till", "sales", "tax", "bank"], list(ledger.balances())
    # An account that is missing is missed where booking is.
    assert got == due or sorted(got) != sorted(due), f"expected accounts in the order {due} in balances(); got {got}"


@pytest.mark.group("booking")
@pytest.mark.advice(
    "Add up all amounts exactly."
    " Raise UnbalancedError if the sum != 0, without rounding or a tolerance, or if len(postings) < 2."
)
def test_what_does_not_add_up(player):
    """Amounts that do not add up to zero are refused, even if they miss by a trifle."""
    ledger = a_ledger(player)
    a_trifle = [("till", Decimal("1.0000001")), ("sales", Decimal(-1))]
    faulty = [FAULTY["amounts that do not add up"], [("till", Decimal(1))], [GIVEN[0], GIVEN[0]], a_trifle]
    for number, postings in enumerate(faulty):
        got = answer(ledger.post, f"odd {number}", postings)
        assert isinstance(got, PlayerError), f"expected UnbalancedError for post('odd', {postings}); {said(got)}"


@pytest.mark.group("apart")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Create every dict and list in __init__, on self. Keep none in the class, in the module or as a default argument."
)
def test_two_ledgers_share_nothing(player):
    """Two ledgers are independent of each other."""
    first, second = a_ledger(player), player.module("ledger").Ledger()
    for name, due in (("balances", {}), ("history", [])):
        got = getattr(second, name)()
        assert got == due, f"expected {due} for {name}() of a new ledger beside a used one; got {got}"
    second.open("till")
    for ledger, due, whose in ((second, 0, "a new ledger"), (first, 20, "the other ledger")):
        got = ledger.balance("till")
        assert got == Decimal(due), f"expected {due} for balance('till') of {whose}; got {got!r}"


def holds(ledger, before, words):
    """Fail unless the ledger is what it was before a refused call."""
    for name, old, new in zip(("balances", "statements", "history"), before, state(ledger), strict=True):
        assert new == old, f"expected {name} as before, {old}, after {words} was refused; got {new}"


@pytest.mark.group("traceless")
@pytest.mark.parametrize("fault", FAULTY)
@pytest.mark.clause("ALL OR NOTHING")
@pytest.mark.advice(
    "Loop over all postings to check accounts, amounts and the sum, and raise there."
    " Store id, balances and history only after the last check."
)
def test_a_refusal_leaves_no_trace(player, fault):
    """A refused call leaves no trace, and its id stays free."""
    ledger = a_ledger(player)
    before = state(ledger)
    words = shown("post", ("sale 2", FAULTY[fault]))
    for _ in range(2):
        got = answer(ledger.post, "sale 2", FAULTY[fault])
        assert isinstance(got, PlayerError), f"expected a refusal for {words}: {fault}; {said(got)}"
        holds(ledger, before, words)
    got = answer(ledger.post, "sale 2", GIVEN)
    assert got is True, f"expected True for post('sale 2', {GIVEN}) after {words} was refused; {said(got)}"


@pytest.mark.group("traceless")
@pytest.mark.clause("ALL OR NOTHING")
@pytest.mark.advice(
    "Begin `open` with the check: if the account is open already, raise DuplicateAccountError before its balance"
    " or minimum is stored."
)
def test_opening_twice_keeps_what_was_there(player):
    """Opening an open account leaves its balance and its place as they were."""
    ledger = a_ledger(player)
    before = state(ledger)
    answer(ledger.open, "till")  # Whether it is refused is asked where errors are.
    holds(ledger, before, "open('till') of an open account")


@pytest.mark.group("traceless")
@pytest.mark.clause("ALL OR NOTHING")
@pytest.mark.advice(
    "Let `reverse` book through the checks of `post`, which store nothing until all have passed."
    " Mark the transaction as reversed only after that."
)
def test_a_refused_reversal_leaves_no_trace(player):
    """A refused reversal leaves no trace: it can be booked later under another id."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("world")
    ledger.post("wages", [("purse", Decimal(30)), ("world", Decimal(-30))])
    ledger.post("rent", [("purse", Decimal(-25)), ("world", Decimal(25))])
    can_reverse = reverses(player)
    before = state(ledger)
    if not isinstance(answer(ledger.reverse, "wages", "back"), PlayerError):
        return  # Whether it is refused is asked where minimums are; here only what a refusal leaves behind.
    holds(ledger, before, "reverse('wages', 'back')")
    if not can_reverse:
        return  # Whether anything can be reversed is asked where history is.
    ledger.post("gift", [("purse", Decimal(40)), ("world", Decimal(-40))])
    got = answer(ledger.reverse, "wages", "back again")
    assert got is True, (
        f"expected True for reverse('wages', 'back again') after reverse('wages', 'back') was refused; {said(got)}"
    )
    purse = ledger.balance("purse")
    assert purse == Decimal(15), (
        f"expected a balance of 15 after the reversal was booked at the second try; got {purse}"
    )


def reverses(player):
    """Whether a plain reversal is booked."""
    ledger = player.module("ledger").Ledger()
    ledger.open("slip")
    ledger.open("stone")
    ledger.post("cake", [("slip", Decimal(2)), ("stone", Decimal(-2))])
    return answer(ledger.reverse, "cake", "cake back") is True


PAIR = [("till", Decimal(5)), ("sales", Decimal(-5))]
NO_AMOUNTS = [[("till", amount), ("sales", Decimal(-5))] for amount in (5.0, 5, "5", None, Fraction(5))]
NO_AMOUNTS += [
    [*PAIR, ("tax", amount)] for amount in (Decimal(0), Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"))
]


@pytest.mark.group("errors")
@pytest.mark.clause("ERRORS")
@pytest.mark.advice(
    "Raise UnbalancedError for a sum != 0 or len(postings) < 2, UnknownAccountError for an account that isn't open."
    " Derive both from LedgerError."
)
def test_why_a_transaction_is_refused(player):
    """Each reason to refuse a transaction has its own error, all LedgerErrors."""
    ledger = a_ledger(player)
    unknown = FAULTY["an unknown account in the last posting"]
    refuses(player, "UnbalancedError", ledger, "post", "a", [GIVEN[0], GIVEN[1]])
    refuses(player, "UnbalancedError", ledger, "post", "b", [])
    refuses(player, "UnknownAccountError", ledger, "post", "c", unknown)


@pytest.mark.group("errors")
@pytest.mark.clause("ERRORS")
@pytest.mark.advice(
    "Check amounts before sums and accounts: the type, then is_finite(), then zero."
    " Raise InvalidAmountError, a subclass of LedgerError."
)
def test_why_an_amount_is_refused(player):
    """Every invalid amount raises InvalidAmountError."""
    ledger = a_ledger(player)
    for number, postings in enumerate(NO_AMOUNTS):
        got = answer(ledger.post, f"d{number}", postings)
        if not isinstance(got, PlayerError):
            continue  # Whether it is refused at all is asked where money is.
        is_right = player.drive(is_a, got.original, "InvalidAmountError")
        assert is_right, f"expected InvalidAmountError, a LedgerError, for post('d{number}', {postings}); {said(got)}"


@pytest.mark.group("errors")
@pytest.mark.clause("MODULE", "ERRORS")
@pytest.mark.advice(
    "Write LedgerError(Exception) and its subclasses in ledger."
    " Look up the account or id at the start of each method, and raise the contract's error."
)
def test_why_other_calls_are_refused(player):
    """Unknown accounts or transactions, and double openings, have their own errors."""
    ledger = a_ledger(player)
    refuses(player, "DuplicateAccountError", ledger, "open", "tax")
    refuses(player, "UnknownAccountError", ledger, "balance", "attic")
    refuses(player, "UnknownAccountError", ledger, "statement", "attic")
    if reverses(player):
        refuses(player, "UnknownTransactionError", ledger, "reverse", "sale 9", "back 9")
    assert player.drive(is_exception), "expected LedgerError to be a subclass of Exception; it is not"


def is_exception():
    """Whether LedgerError is a class of its own below Exception."""
    import ledger

    return issubclass(ledger.LedgerError, Exception) and ledger.LedgerError is not Exception


@pytest.mark.group("minimums")
@pytest.mark.advice(
    "Let `post` and `reverse` compute new balances, and raise OverdraftError, a LedgerError, if minimum is not"
    " None and new < minimum. Then store them."
)
def test_down_to_the_minimum(player):
    """An account may go down to its minimum, but not below it."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("card", Decimal(-50))
    ledger.open("world")
    ledger.post("wages", [("purse", Decimal(30)), ("world", Decimal(-30))])
    for account, amount in (("purse", Decimal("30.01")), ("card", Decimal("50.01"))):
        before = state(ledger)
        refuses(player, "OverdraftError", ledger, "post", account, [("world", amount), (account, -amount)])
        holds(ledger, before, f"an overdraft of {account}")
    for account, amount, minimum in (("purse", Decimal(30), 0), ("card", Decimal(50), -50)):
        got = answer(ledger.post, account, [("world", amount), (account, -amount)])
        assert got is True, f"expected True for a post that takes {account} down to its minimum, {minimum}; {said(got)}"
    if reverses(player):
        refuses(player, "OverdraftError", ledger, "reverse", "wages", "back")


@pytest.mark.group("minimums")
@pytest.mark.advice(
    "Add all postings to a dict of new balances first."
    " Then raise OverdraftError, a LedgerError, where minimum is not None and new < minimum."
)
def test_minimums_are_judged_at_the_end(player):
    """Within a transaction, an account may go below its minimum; only the end counts."""
    ledger = player.module("ledger").Ledger()
    ledger.open("purse", Decimal(0))
    ledger.open("world")
    postings = [("purse", Decimal(-80)), ("world", Decimal(-20)), ("purse", Decimal(100))]
    got = answer(ledger.post, "round trip", postings)
    assert got is True, f"expected True for post('round trip', {postings}), purse open with minimum 0; {said(got)}"
    outward = [("purse", Decimal(15)), ("world", Decimal(21)), ("purse", Decimal(-36))]
    refuses(player, "OverdraftError", ledger, "post", "out", outward)


def play(accounts, moves):
    """Make these calls. Gives the answers, the refused calls that changed something, and the balances."""
    import ledger

    def state():
        return book.balances(), [book.statement(account) for account, _ in accounts], book.history()

    book = ledger.Ledger()
    for account, minimum in accounts:
        book.open(account, minimum)
    answers, traces = [], []
    for number, (name, *args) in enumerate(moves):
        before = state()
        try:
            answers.append(getattr(book, name)(*args))
        except Exception:
            answers.append("refused")
            if state() != before:
                traces.append(number)
    balances = book.balances()
    return [answers, traces, {account: balances[account] for account, _ in accounts}]


class Obvious:
    """A slow and obvious ledger, only of what is booked and what is refused."""

    def __init__(self, accounts):
        self.minimums = dict(accounts)
        self.balances = {account: Decimal(0) for account, _ in accounts}
        self.ids = set()
        self.has_repeats = False

    def post(self, name, postings, memo):
        """Book or refuse."""
        self.has_repeats = self.has_repeats or name in self.ids
        after = dict(self.balances)
        for account, amount in postings:
            if account not in after:
                return "refused"
            after[account] += amount
        low = any(self.minimums[a] is not None and after[a] < self.minimums[a] for a, _ in postings)
        if low or sum(amount for _, amount in postings):
            return "refused"
        self.balances = after
        self.ids.add(name)
        return True

    def open(self, account):
        """Refuse: whatever is opened here is open."""
        return "refused"

    def reverse(self, name, back):
        """Refuse: only what was never booked is reversed here."""
        return "refused"


def random_postings(rng, accounts):
    """Postings that add up to zero, on random accounts. Whole amounts: how exact money is, is asked elsewhere."""
    size = 10 ** rng.choice([1, 3, 3, 6])
    amounts = [rng.choice([-1, 1]) * rng.randint(1, size) for _ in range(rng.choice([1, 1, 2]))]
    if not sum(amounts):
        amounts[-1] += amounts[-1]
    amounts.append(-sum(amounts))
    return [
        (account, Decimal(amount)) for account, amount in zip(rng.sample(accounts, len(amounts)), amounts, strict=True)
    ]


def random_moves(rng, accounts, count):
    """Posts, slips of all kinds, and the id of each refused call again: no repeat, no reversal of what is booked."""
    model, moves, refused = Obvious(accounts), [], []
    names = [account for account, _ in accounts]
    for number in range(count):
        kind = rng.choice(["post", "post", "post", "post", "slip", "slip", "open", "reverse"])
        name = refused.pop() if refused and rng.random() < 0.5 else f"t{number}"
        postings = random_postings(rng, names)
        if kind == "slip":
            account, amount = postings.pop()
            postings += rng.choice([[("attic", amount)], [(account, amount * 3)], []])
        move = {"open": ("open", rng.choice(names)), "reverse": ("reverse", "never booked", f"r{number}")}.get(kind)
        moves.append(move or ("post", name, postings, rng.choice(["", "note"])))
        if getattr(model, moves[-1][0])(*moves[-1][1:]) == "refused" and not move:
            refused.append(name)
    return moves


def difference(player, accounts, moves):
    """Where the ledger differs from an obvious one: the number of the call, what was expected and what it gave."""
    model = Obvious(accounts)
    expected = [getattr(model, name)(*args) for name, *args in moves]
    if model.has_repeats:
        return None  # How repeats are answered is asked elsewhere.
    answers, traces, balances = player.drive(play, accounts, moves)
    for number, (due, got) in enumerate(zip(expected, answers, strict=True)):
        # A double opening that is accepted in silence is told where errors are.
        if due != got and moves[number][0] == "post":
            return number, f"{due!r}", f"{got!r}"
        if number in traces:
            return number, "a refusal without a trace", "a change of balances, statements or history"
    if balances != model.balances:
        return len(moves) - 1, f"balances {model.balances}", str(balances)
    return None


def shortest(player, accounts, moves, found):
    """The calls up to the one that differs, less those that it also differs without; and the difference."""
    moves = moves[: found[0] + 1]
    for number in reversed(range(len(moves) - 1)):
        fewer = moves[:number] + moves[number + 1 :]
        if again := difference(player, accounts, fewer):
            moves, found = fewer[: again[0] + 1], again
    return moves, found


@pytest.mark.group("mixture")
@pytest.mark.clause("A GOOD TRANSACTION", "ALL OR NOTHING")
@pytest.mark.advice(
    "Repeat the calls shown, and step through the last: did a refused one leave an id, account or balance?"
    " Check everything before you store anything."
)
def test_any_mixture_of_calls(player, rng):
    """After random valid and invalid calls, only the valid ones have had an effect."""
    for number in range(ROUNDS):
        # Names of their own for each round: what ledgers share is asked where state is.
        accounts = [(f"{name}{number}", None) for name in "abd"]
        accounts.insert(2, (f"c{number}", Decimal([0, -400, -(10**5)][number % 3])))
        moves = random_moves(rng, accounts, 45)
        moves = [(n, f"{i}/{number}", *rest) if n == "post" else (n, i, *rest) for n, i, *rest in moves]
        if found := difference(player, accounts, moves):
            moves, (_, due, got) = shortest(player, accounts, moves, found)
            calls = "; ".join(shown(name, args) for name, *args in moves).replace("Decimal", "")
            opened = ", ".join(f"{account} (minimum {minimum})" for account, minimum in accounts)
            raise AssertionError(f"expected {due} from the last of: {calls}; got {got}. Accounts: {opened}")
