"""A demonstration: python -m lichbook"""

from decimal import Decimal

from lichbook.service import Ledger


def main():
    """Book one sale and show the balances."""
    ledger = Ledger()
    ledger.open("till")
    ledger.open("sales")
    ledger.post("sale 1", [("till", Decimal("2.50")), ("sales", Decimal("-2.50"))])
    for account, balance in ledger.balances().items():
        print(f"{account:10} {balance:>10}")


if __name__ == "__main__":
    main()
