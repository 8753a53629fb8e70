"""The roster and what is one key away from it: a boss's page, progress, the welcome."""
