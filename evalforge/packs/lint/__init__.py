"""Checks of whether a boss pack is sound, none of which runs code."""
