"""The parts of the furnace controller."""
