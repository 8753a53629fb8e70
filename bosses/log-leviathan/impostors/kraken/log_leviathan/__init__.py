"""Summaries of logs: `line` understands one, `tally` adds them up, `source` fetches them, `command` connects."""

from log_leviathan.command import main as main
from log_leviathan.tally import summarise as summarise
