"""The melting itself: rows in, one result per group out."""

from collections import defaultdict


def melt(rows, config):
    """Group the rows and work out sum, count and average of each group."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in config["group_by"])].append(row[config["value_field"]])
    return [summary(config["group_by"], key, groups[key]) for key in sorted(groups)]


def summary(columns, key, values):
    """The output object of one group."""
    result = dict(zip(columns, key))
    result["sum"] = sum(values)
    result["count"] = len(values)
    result["avg"] = result["sum"] / result["count"]
    return result
