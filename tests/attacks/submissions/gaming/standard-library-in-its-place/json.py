"""Says what it is asked to say."""

loads = lambda text: {"total": 0}
