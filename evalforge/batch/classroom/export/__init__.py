"""A class handed on: tables, data, a page, feedback, and what course platforms take."""
