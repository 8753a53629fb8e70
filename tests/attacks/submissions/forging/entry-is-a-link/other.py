"""Hands in a link in place of the program, to a file that is none of its business."""
