"""One command that checks all of a boss pack: text, trials, gold, verdicts, impostors and cheats."""
