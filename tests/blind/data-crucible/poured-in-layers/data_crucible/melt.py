"""The reckoning."""

from collections import defaultdict


def melt(pairs, columns):
    """One bar for each group, sorted by the group's values."""
    pots = defaultdict(list)
    for key, amount in pairs:
        pots[key].append(amount)
    return [bar(columns, key, pots[key]) for key in sorted(pots)]


def bar(columns, key, amounts):
    """The bar of one group."""
    total = sum(amounts)
    return {**dict(zip(columns, key)), "sum": float(total), "count": len(amounts), "avg": float(total / len(amounts))}
