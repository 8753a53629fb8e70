"""Entry point: ``import cache`` gives ``cache.Cache``. Everything lives in the package ``coldstore``."""

from coldstore import Cache

__all__ = ["Cache"]
