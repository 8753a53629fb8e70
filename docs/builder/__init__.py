"""The documentation as a site: the pages of ``docs/``, and reference pages made from the code."""
