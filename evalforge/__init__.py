"""EvalForge: a terminal game about engineering skill."""

__version__ = "0.3.0"
