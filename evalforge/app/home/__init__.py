"""The roster and the screens one key away from it: a boss's page, progress, the welcome."""
