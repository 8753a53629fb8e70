"""One check of a boss pack: text, trials, gold, verdicts, impostors and cheats."""
