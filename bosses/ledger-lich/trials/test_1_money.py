"""Amounts are what they are, to the last digit."""

from decimal import Decimal
from fractions import Fraction

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("MONEY")


def a_ledger(player, *accounts):
    """A new ledger with these accounts."""
    ledger = player.module("ledger").Ledger()
    for account in accounts:
        ledger.open(account)
    return ledger


def answer(call, *args):
    """What a call returns, or the error that it raises."""
    try:
        return call(*args)
    except PlayerError as error:
        return error


def said(got):
    """What was returned, in words."""
    return f"it raised {got.type_name}" if isinstance(got, PlayerError) else f"it returned {got!r}"


@pytest.mark.group("plain_money")
@pytest.mark.advice(
    "Start each balance at Decimal(0), and add each posting's Decimal to it as it is, without float() or round()."
)
def test_cents_add_up(player):
    """What one account gives, another gets, and cents add up exactly."""
    ledger = a_ledger(player, "till", "sales")
    new = ledger.balance("till")
    assert new == Decimal(0), f"expected Decimal('0') for balance('till') of a new account; got {new!r}"
    for number in range(3):
        ledger.post(f"sale {number}", [("till", Decimal("0.10")), ("sales", Decimal("-0.10"))])
    for account, due in (("till", Decimal("0.30")), ("sales", Decimal("-0.30"))):
        got = ledger.balance(account)
        assert isinstance(got, Decimal) and got == due, (
            f"expected {due!r} for balance({account!r}) after three times 0.10 from sales to till; got {got!r}"
        )


@pytest.mark.group("plain_money")
@pytest.mark.clause("A GOOD TRANSACTION")
@pytest.mark.advice(
    "Check isinstance(amount, Decimal) for every posting before anything is added, and raise InvalidAmountError if"
    " not. Convert nothing."
)
def test_floats_are_refused(player):
    """A float isn't an amount, even if it looks like one."""
    ledger = a_ledger(player, "till", "sales")
    for number, pair in enumerate([(0.5, -0.5), (Decimal("0.5"), -0.5), (0.1, Decimal("-0.1"))]):
        postings = list(zip(("till", "sales"), pair, strict=True))
        # What a refusal leaves behind, and which error it is, is asked where refusals are.
        got = answer(ledger.post, f"sale {number}", postings)
        assert isinstance(got, PlayerError), f"expected InvalidAmountError for post('sale', {postings}); {said(got)}"


NO_AMOUNTS = {
    "ints": (5, -5),
    "text": ("5", "-5"),
    "True": (True, Decimal(-1)),
    "Fractions": (Fraction(5), Fraction(-5)),
    "None": (None, Decimal(-5)),
    "zero": (Decimal(0), Decimal(0)),
    "minus zero": (Decimal("-0"), Decimal("0.00")),
    "NaN": (Decimal("NaN"), Decimal(5)),
    "sNaN": (Decimal("sNaN"), Decimal(5)),
    "minus infinity": (Decimal("-Infinity"), Decimal(5)),
    "infinities": (Decimal("Infinity"), Decimal("-Infinity")),
}


@pytest.mark.group("fine_money")
@pytest.mark.clause("A GOOD TRANSACTION")
@pytest.mark.advice(
    "Raise InvalidAmountError unless isinstance(amount, Decimal), amount.is_finite() and amount != 0 hold, tested"
    " in this order for each posting."
)
def test_what_is_no_amount(player):
    """Ints, text, True, zero, NaN and infinity aren't amounts."""
    ledger = a_ledger(player, "till", "sales")
    accepted = [
        words
        for words, (till, sales) in NO_AMOUNTS.items()
        # Which error it is, is asked where refusals are.
        if not isinstance(answer(ledger.post, words, [("till", till), ("sales", sales)]), PlayerError)
    ]
    assert not accepted, (
        f"expected InvalidAmountError for anything but a finite, nonzero Decimal; accepted: {', '.join(accepted)}"
    )


@pytest.mark.group("fine_money")
@pytest.mark.clause("A GOOD TRANSACTION")
@pytest.mark.advice(
    "Check that each amount is a Decimal before you look up the id: 5.0 == Decimal(5), so comparing contents lets"
    " a float through."
)
def test_no_amount_in_a_repeat(player):
    """A float isn't an amount in a repeat either, though 5.0 == Decimal(5)."""
    ledger = a_ledger(player, "till", "sales")
    ledger.post("sale", [("till", Decimal(5)), ("sales", Decimal(-5))])
    got = answer(ledger.post, "sale", [("till", 5.0), ("sales", -5.0)])
    assert isinstance(got, PlayerError), (
        "expected InvalidAmountError for post('sale', [('till', 5.0), ('sales', -5.0)]) where the same is booked "
        f"with Decimals; {said(got)}"
    )


def forgives_trifles(ledger):
    """Whether plain transactions that miss zero by a trifle are booked: that is asked where booking is."""
    postings = [("mint", Decimal("1.0000001")), ("vault", Decimal(-1))]
    return not isinstance(answer(ledger.post, "trifle", postings), PlayerError)


@pytest.mark.group("fine_money")
@pytest.mark.advice(
    "Add uncut amounts with Context(prec=200).add(a, b), in balances, statements and the check for zero."
    " A plain + or sum() keeps 28 digits."
)
def test_large_amounts_to_the_last_digit(player):
    """Amounts with 24 digits before the point and 12 after it add up exactly."""
    vault, dust = Decimal("700000000000000000000001.000000000000"), Decimal("0.000000000003")
    ledger = a_ledger(player, "vault", "mint")
    ledger.post("minting", [("vault", vault), ("mint", vault.copy_negate())])
    ledger.post("dust", [("vault", dust), ("mint", dust.copy_negate())])
    due = Decimal("700000000000000000000001.000000000003")
    got = ledger.balance("vault")
    assert got == due, f"expected a balance of {due} after {vault} and {dust}; got {got}"
    lines = [line[3] for line in ledger.statement("vault")]
    assert due in lines, f"expected a balance of {due} in the statement after {vault} and {dust}; got {lines[-1:]}"
    postings = [("vault", vault), ("mint", Decimal("-700000000000000000000001.000000000004"))]
    got = answer(ledger.post, "forgery", postings)
    assert isinstance(got, PlayerError) or forgives_trifles(ledger), (
        f"expected UnbalancedError for post('forgery', {postings}); {said(got)}"
    )


def smallest_units(number):
    """So many times the smallest unit that an amount may have, as a Decimal, without rounding."""
    return Decimal((int(number < 0), tuple(int(digit) for digit in str(abs(number))), -12))


@pytest.mark.group("fine_money")
@pytest.mark.advice(
    "Add uncut amounts with Context(prec=200).add(a, b), in balances and the check for zero."
    " A sum may have more digits than the 36 of an amount."
)
def test_sums_longer_than_any_amount(player, rng):
    """Sums are exact even if they have more digits than an amount may have."""
    names = ("vault", "attic", "mint", "forge")
    ledger = a_ledger(player, *names)
    units = 10**36 - 2 * rng.randint(1, 10**9) - 1
    most = smallest_units(units)

    def postings(forge):
        return list(zip(names, (most, most, most.copy_negate(), smallest_units(forge)), strict=True))

    for name in ("coins", "bars", "rings"):
        got = answer(ledger.post, name, postings(-units))
        assert got is True, (
            f"expected True for post() with two postings of {most} and a third that balances them; {said(got)}"
        )
    vault = ledger.balance("vault")
    assert vault == smallest_units(3 * units), f"expected a balance of 3 times {most}, exactly; got {vault}"
    got = answer(ledger.post, "forgery", postings(1 - units))
    assert isinstance(got, PlayerError) or forgives_trifles(ledger), (
        f"expected UnbalancedError for post('forgery', {postings(1 - units)}); {said(got)}"
    )


@pytest.mark.group("fine_money")
@pytest.mark.advice(
    "Add uncut amounts with Context(prec=200).add(a, b), in balances and the check for zero: a sum of many needs"
    " more digits than one amount."
)
def test_sums_of_hundreds_of_large_amounts(player, rng):
    """Sums of hundreds of the largest amounts are exact."""
    ledger = a_ledger(player, "vault", "mint")
    many, units = 2 * rng.randint(350, 450) + 1, 10**36 - 2 * rng.randint(1, 10**9) - 1
    most = smallest_units(units)
    postings = [("vault", most)] * many + [("mint", most.copy_negate())] * many
    words = f"{many} times {most} from mint to vault in one transaction"
    got = answer(ledger.post, "coins", postings)
    assert got is True, f"expected True for {words}; {said(got)}"
    vault, due = ledger.balance("vault"), smallest_units(many * units)
    assert vault == due, f"expected {due} for balance('vault') after {words}; got {vault}"


@pytest.mark.group("fine_money")
@pytest.mark.advice(
    "Store Decimal(0) as the balance in `open`: an int 0, or the sum() of no postings, isn't a Decimal."
)
def test_an_account_that_nothing_touched(player):
    """An account without postings has a balance of Decimal zero."""
    ledger = a_ledger(player, "till")
    for got, call in ((ledger.balance("till"), "balance('till')"), (ledger.balances()["till"], "balances()['till']")):
        assert isinstance(got, Decimal) and got == 0, f"expected Decimal('0') for {call} of a new account; got {got!r}"


def in_a_poor_context():
    """Keep books while the decimal context in force is of no use. Gives what the ledger says."""
    import decimal

    import ledger

    context = decimal.getcontext()
    context.prec, context.rounding = 3, decimal.ROUND_UP
    context.traps[decimal.Inexact] = context.traps[decimal.Rounded] = True
    book = ledger.Ledger()
    book.open("till", decimal.Decimal("-90000.25"))
    book.open("sales")
    amount = decimal.Decimal("12345.6789")
    booked = [book.post("one", [("till", amount), ("sales", amount.copy_negate())])]
    booked.append(book.post("two", [("sales", amount), ("till", amount.copy_negate())]))
    booked.append(book.post("three", [("sales", amount), ("till", amount.copy_negate())]))
    booked.append(book.reverse("two", "two back"))
    return [booked, book.balances(), [line[3] for line in book.statement("till")], [line[2] for line in book.history()]]


@pytest.mark.group("fine_money")
@pytest.mark.advice(
    "Add with Context(prec=200).add(a, b), and turn signs with copy_negate()."
    " A plain +, -, *, abs() or sum() uses the caller's context."
)
def test_whatever_context_is_in_force(player):
    """The caller's decimal context (precision, rounding, traps) changes nothing."""
    context = "in a decimal context with prec=3, ROUND_UP and traps for Inexact and Rounded"
    try:
        booked, balances, till, postings = player.drive(in_a_poor_context)
    except PlayerError as error:
        raise AssertionError(f"expected no error for 12345.6789 {context}; got {error.type_name}") from None
    amount = Decimal("12345.6789")
    assert booked == [True] * 4, f"expected True for three posts of 12345.6789 and a reverse {context}; got {booked}"
    due = {"till": Decimal(0), "sales": Decimal(0)}
    assert balances == due, f"expected balances {due} after 12345.6789 to and fro {context}; got {balances}"
    due = [-amount, Decimal(0), Decimal(0), amount]
    assert sorted(till) == due, f"expected {due} as balances in till's statement {context}; got {sorted(till)}"
    due = [("sales", -amount), ("till", amount)]
    got = sorted(map(tuple, postings[3]))
    assert got == due, f"expected {due} as postings of a reversal {context}; got {got}"
