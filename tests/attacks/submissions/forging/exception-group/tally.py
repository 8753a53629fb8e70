"""Raises a whole group of exceptions, one of each kind, at its import."""

raise ExceptionGroup("many", [ValueError("a"), OverflowError("b"), ExceptionGroup("more", [KeyError("c")])])
