"""How far a player has come: records, achievements, rank. Pure; knows no database."""
