"""Notes or changes what the player's functions answer, for ``evidence/effects``, which explains it."""
