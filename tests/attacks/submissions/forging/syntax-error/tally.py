"""Is not Python."""

def add(:
    return )(
