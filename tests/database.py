"""Statements in the database of a history, as from another program."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def execute_sql(path: Path, statement: str) -> list[tuple[Any, ...]]:
    """Execute one statement and commit it; gives its rows."""
    with closing(sqlite3.connect(path)) as database, database:
        return database.execute(statement).fetchall()
