"""Small faults seeded into a player's code: which could be, and which are tried."""
