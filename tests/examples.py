"""How many examples a law is tried on. The profile says it: ``quick``, or ``thorough`` at night."""

from hypothesis import settings


def at_most(examples: int) -> settings:
    """For a law whose examples are dear: no more than so many, whatever the profile wants."""
    return settings(max_examples=min(examples, settings().max_examples))
