"""Amounts are what they are, to the last digit."""

from decimal import Decimal
from fractions import Fraction

import pytest

from evalforge.evidence.trials.proxies import PlayerError


def a_ledger(player, *accounts):
    """A new ledger with these accounts."""
    ledger = player.module("ledger").Ledger()
    for account in accounts:
        ledger.open(account)
    return ledger


def raised(call, *args):
    """The error a call raises, or None."""
    try:
        call(*args)
    except PlayerError as error:
        return error
    return None


def is_a(error, name):
    """Whether an error is an instance of the module's class of this name."""
    import ledger

    kind = getattr(ledger, name, None)
    return isinstance(kind, type) and isinstance(error, kind)


@pytest.mark.group("plain_money")
def test_cents_add_up(player):
    """What one account gets another gives, and cents add up without a rest."""
    ledger = a_ledger(player, "till", "sales")
    assert ledger.balance("till") == Decimal(0), "A new account has a balance of zero."
    for number in range(3):
        ledger.post(f"sale {number}", [("till", Decimal("0.10")), ("sales", Decimal("-0.10"))])
    till = ledger.balance("till")
    assert isinstance(till, Decimal), "A balance is a Decimal."
    assert till == Decimal("0.30"), "Three times ten cents are thirty cents, exactly."
    assert ledger.balance("sales") == Decimal("-0.30"), "What one account gets, the other gives."


@pytest.mark.group("plain_money")
def test_floats_are_refused(player):
    """A float is no amount, even where it looks like one."""
    ledger = a_ledger(player, "till", "sales")
    for number, pair in enumerate([(0.5, -0.5), (Decimal("0.5"), -0.5), (0.1, Decimal("-0.1"))]):
        postings = list(zip(("till", "sales"), pair, strict=True))
        # What a refusal leaves behind is asked where refusals are.
        assert raised(ledger.post, f"sale {number}", postings), "A float among the amounts is refused."


@pytest.mark.group("fine_money")
def test_what_is_no_amount(player):
    """Ints, text, True, zero and what is not finite are no amounts."""
    ledger = a_ledger(player, "till", "sales")
    pairs = [(5, -5), ("5", "-5"), (True, Decimal(-1)), (Fraction(5), Fraction(-5)), (None, Decimal(-5))]
    pairs += [(Decimal(0), Decimal(0)), (Decimal("-0"), Decimal("0.00"))]
    pairs += [(Decimal(name), Decimal(5)) for name in ("NaN", "sNaN", "-Infinity")]
    pairs += [(Decimal("Infinity"), Decimal("-Infinity"))]
    for number, (till, sales) in enumerate(pairs):
        words = "Only Decimals that are finite and not zero are amounts; all else is an InvalidAmountError."
        error = raised(ledger.post, f"sale {number}", [("till", till), ("sales", sales)])
        assert error is not None, words
        assert player.drive(is_a, error.original, "InvalidAmountError"), f"{words} It raised {error.type_name}."
    assert ledger.balance("till") == Decimal(0), "What was refused must not be booked."
    ledger.post("a sale", [("till", Decimal(5)), ("sales", Decimal(-5))])
    assert raised(ledger.post, "a sale", [("till", 5.0), ("sales", -5.0)]), (
        "Floats are no amounts in a repeat either, though Python calls 5.0 equal to Decimal(5)."
    )


@pytest.mark.group("fine_money")
def test_large_amounts_to_the_last_digit(player):
    """Amounts of 24 digits before the point and 12 after it are added without rounding."""
    vault, dust = Decimal("700000000000000000000001.000000000000"), Decimal("0.000000000003")
    ledger = a_ledger(player, "vault", "mint")
    ledger.post("minting", [("vault", vault), ("mint", vault.copy_negate())])
    ledger.post("dust", [("vault", dust), ("mint", dust.copy_negate())])
    assert ledger.balance("vault") == Decimal("700000000000000000000001.000000000003"), (
        "A large balance and a tiny amount must add up to the last digit: Decimal's default context keeps only 28."
    )
    assert Decimal("700000000000000000000001.000000000003") in [line[3] for line in ledger.statement("vault")], (
        "The balances of a statement are as exact as the balance itself."
    )
    off = Decimal("-700000000000000000000001.000000000004")
    assert raised(ledger.post, "forgery", [("vault", vault), ("mint", off)]), (
        "Amounts that miss zero by the last digit only do not add up, and must be refused."
    )


def smallest_units(number):
    """So many times the smallest unit that an amount may have, as a Decimal, without rounding."""
    return Decimal((int(number < 0), tuple(int(digit) for digit in str(abs(number))), -12))


@pytest.mark.group("fine_money")
def test_sums_longer_than_any_amount(player, rng):
    """Sums are exact even where they have more digits than a single amount may have."""
    names = ("vault", "attic", "mint", "forge")
    ledger = a_ledger(player, *names)
    units = 10**36 - 2 * rng.randint(1, 10**9) - 1
    most = smallest_units(units)

    def postings(forge):
        return list(zip(names, (most, most, most.copy_negate(), smallest_units(forge)), strict=True))

    for name in ("coins", "bars", "rings"):
        error = raised(ledger.post, name, postings(-units))
        assert error is None, (
            f"expected True for two postings of {most} and what balances them; it raised {error.type_name}"
        )
    vault = ledger.balance("vault")
    assert vault == smallest_units(3 * units), f"expected a balance of 3 times {most}, exactly; got {vault}"
    assert raised(ledger.post, "forgery", postings(1 - units)), (
        "expected UnbalancedError for large amounts that miss zero by the last digit; they were booked"
    )


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
def test_whatever_context_is_in_force(player):
    """The decimal context of whoever calls changes nothing: not its precision, its rounding or its traps."""
    words = "The decimal context in force must not matter: sums, checks and turned signs need a context of your own."
    try:
        booked, balances, till, postings = player.drive(in_a_poor_context)
    except PlayerError as error:
        raise AssertionError(f"{words} It ended in {error.type_name}.") from None
    amount = Decimal("12345.6789")
    assert booked == [True] * 4, words
    assert balances == {"till": Decimal(0), "sales": Decimal(0)}, words
    assert sorted(till) == [-amount, Decimal(0), Decimal(0), amount], words
    assert sorted(map(tuple, postings[3])) == [("sales", -amount), ("till", amount)], words
