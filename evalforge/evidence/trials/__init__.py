"""A boss's hidden trials: plain pytest in a trusted process, the player's code in another."""
