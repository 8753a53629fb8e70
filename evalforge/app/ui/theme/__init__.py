"""The look of the game: palettes, glyphs, motion, and the terminal's capabilities."""
