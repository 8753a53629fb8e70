"""A module and its tests, for measuring mutation testers."""
