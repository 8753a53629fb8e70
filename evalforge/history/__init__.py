"""Attempts in SQLite: no judged attempt is ever lost."""
