"""The terminal game. Draws; makes no decisions."""
