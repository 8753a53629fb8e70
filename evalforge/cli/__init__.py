"""Commands: the same services as the game, as text and JSON."""
