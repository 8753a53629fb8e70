"""Summaries of logs: `line` understands one, `tally` adds them up, `source` fetches them, `command` connects."""
