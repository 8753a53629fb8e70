from decimal import Decimal
from ledger import *


def test_ledger():
    l = Ledger()
    l.open("a")
    l.open("b", Decimal("0"))
    print("True =", l.post("1", [("a", Decimal("-5")), ("b", Decimal("5"))]))
    print("False =", l.post("1", [("a", Decimal("-5")), ("b", Decimal("5"))]))
    print("-5 =", l.balance("a"))
    print("5 =", l.balance("b"))
    print(l.history())
    try:
        l.post("2", [("a", Decimal("6")), ("b", Decimal("-6"))])
        print("should not come here")
    except OverdraftError:
        print("overdraft ok")
    print("5 =", l.balance("b"))
    l.reverse("1", "r1")
    print("0 =", l.balance("a"))


test_ledger()
