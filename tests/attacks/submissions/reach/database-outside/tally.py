"""Has a library write outside: SQLite opens files by itself."""

import sqlite3

from world import OUTSIDE

base = sqlite3.connect(OUTSIDE + "/base.sqlite3")
base.execute("create table here (i integer)")
base.commit()
