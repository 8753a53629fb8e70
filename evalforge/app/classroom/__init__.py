"""A class on the screen: the state of every row, findings about the whole, and actions on it."""
