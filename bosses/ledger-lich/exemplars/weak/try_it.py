from ledger import Ledger

if __name__ == "__main__":
    ledger = Ledger()
    ledger.open("cash")
    ledger.open("sales")
    ledger.post("1", [("cash", 9.99), ("sales", -9.99)])
    print(ledger.balances())
