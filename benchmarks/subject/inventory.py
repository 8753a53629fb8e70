"""A small stock of named parts with a limit on how many fit."""


class FullError(Exception):
    """The stock has no room for more."""


class Inventory:
    """Parts by name, never more than ``limit`` in all."""

    def __init__(self, limit=100):
        if limit < 1:
            raise ValueError("limit must be at least 1")
        self.limit = limit
        self.parts = {}

    def total(self):
        """How many parts there are."""
        return sum(self.parts.values())

    def room(self):
        """How many more would fit."""
        return self.limit - self.total()

    def add(self, name, count=1):
        """Add parts; all of them or none."""
        if count < 1:
            raise ValueError("count must be at least 1")
        if count > self.room():
            raise FullError(f"no room for {count} {name}")
        self.parts[name] = self.parts.get(name, 0) + count
        return self.parts[name]

    def take(self, name, count=1):
        """Take parts out."""
        held = self.parts.get(name, 0)
        if count < 1 or count > held:
            raise ValueError(f"can't take {count} of {held} {name}")
        if held == count:
            del self.parts[name]
        else:
            self.parts[name] = held - count
        return held - count

    def cheapest(self, prices):
        """The name of the cheapest part in stock, or None."""
        best = None
        for name in sorted(self.parts):
            price = prices.get(name)
            if price is not None and (best is None or price < prices[best]):
                best = name
        return best

    def value(self, prices, discount=0.0):
        """What the stock is worth; from ten parts of a kind on, with a discount."""
        worth = 0.0
        for name, count in self.parts.items():
            price = prices.get(name, 0.0)
            if count >= 10:
                price = price * (1 - discount)
            worth += price * count
        return round(worth, 2)
