"""Which settings make sense. Each rule is asked so that NaN fails it."""

RULES = {
    "attempts": (lambda value: value >= 1, "1 or more"),
    "threshold": (lambda value: value >= 1, "1 or more"),
    "base": (lambda value: value > 0, "above 0"),
    "cap": (lambda value: value > 0, "above 0"),
    "cooldown": (lambda value: value > 0, "above 0"),
    "deadline": (lambda value: value is None or value > 0, "above 0, or None"),
    "jitter": (lambda value: 0 <= value <= 1, "from 0 to 1"),
}


def check(**settings):
    """Refuse the first setting that makes no sense."""
    for name, value in settings.items():
        rule, words = RULES[name]
        if not rule(value):
            raise ValueError(f"{name} must be {words}, not {value!r}")


def check_service(service):
    """Refuse what can't be called."""
    if not callable(service):
        raise TypeError(f"a service must be callable, and {service!r} isn't")
