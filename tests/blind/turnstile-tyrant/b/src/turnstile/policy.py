"""Which limit a key has."""

from collections.abc import Hashable


class OverridablePolicy:
    """One limit for all keys, and others for some."""

    def __init__(self, default: int) -> None:
        """Make a policy without exceptions."""
        self._default = default
        self._own: dict[Hashable, int] = {}

    def limit_of(self, key: Hashable) -> int:
        """The limit of a key."""
        return self._own.get(key, self._default)

    def override(self, key: Hashable, limit: int | None) -> None:
        """Give a key a limit of its own, or take it away."""
        if limit is None:
            self._own.pop(key, None)
        else:
            self._own[key] = limit
