from decimal import Decimal

from ledger import Ledger


def make():
    l = Ledger()
    l.open("a")
    l.open("b")
    return l


def test_post():
    l = make()
    l.post("x", [("a", Decimal("1")), ("b", Decimal("-1"))])
    print(l.balances())


def test_reverse():
    l = make()
    l.post("x", [("a", Decimal("1")), ("b", Decimal("-1"))])
    l.reverse("x", "y")
