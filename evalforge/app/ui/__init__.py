"""What every screen of the game is made of: theme, text, widgets, and the bases of screens."""
