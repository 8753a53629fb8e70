"""A ring of nodes in order of use: a doubly linked list whose ends meet in a sentinel."""


class Node:
    """One entry, linked to its neighbours."""

    __slots__ = ("after", "before", "dies", "key", "value")

    def __init__(self, key, value, dies=None):
        self.key = key
        self.value = value
        self.dies = dies
        self.before = self.after = self



class Ring:
    """Nodes from the longest unused to the last used."""

    def __init__(self):
        self._sentinel = Node(None, None)

    def oldest(self):
        """The node that was not used for the longest time."""
        return self._sentinel.after

    def append(self, node):
        """Put a node at the end: it was just used."""
        last = self._sentinel.before
        node.before, node.after = last, self._sentinel
        last.after = self._sentinel.before = node

    def unlink(self, node):
        """Take a node out, wherever it stands."""
        node.before.after, node.after.before = node.after, node.before

    def __iter__(self):
        """All nodes, the longest unused first."""
        node = self._sentinel.after
        while node is not self._sentinel:
            yield node
            node = node.after
