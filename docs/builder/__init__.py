"""The documentation as a site: the pages of ``docs/``. Those of ``docs/reference`` are made from the code."""
