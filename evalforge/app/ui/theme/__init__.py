"""How the game looks: palettes, glyphs, motion, and what the terminal can show."""
