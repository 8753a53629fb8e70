"""The terminal game. Draws; decides nothing."""
