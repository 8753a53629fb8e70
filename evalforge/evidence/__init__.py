"""Facts about a submission: trials, player tests, mutation, static reading; and the level rules."""
