"""Decide what a furnace must do."""
