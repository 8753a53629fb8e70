"""Strikes the training dummy."""

from .words import Herald, TemplateHerald, announce

__all__ = ["Herald", "TemplateHerald", "announce"]
