"""A boss's hidden trials: plain pytest in a trusted process, with the player's code in another."""
