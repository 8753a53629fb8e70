"""The decision."""


def average(values):
    """Mean of a list of numbers."""
    return sum(values) / len(values)


def choose_action(readings, target, tolerance):
    """HEAT below the tolerance, COOL above it, STABLE inside and on its edges."""
    mean = average(readings)
    if mean < target - tolerance:
        return "HEAT"
    elif mean > target + tolerance:
        return "COOL"
    return "STABLE"
