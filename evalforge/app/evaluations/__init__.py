"""Views of evaluations that were made on the command line."""
