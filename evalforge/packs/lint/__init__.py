"""Whether a boss pack is sound: every check that runs no code."""
