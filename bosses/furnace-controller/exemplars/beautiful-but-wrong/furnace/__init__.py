"""Classify the thermal state of a furnace."""

from furnace.state import Band, State

__all__ = ["Band", "State"]
