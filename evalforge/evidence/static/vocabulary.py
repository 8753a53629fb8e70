"""Names of the standard library, and of a few other libraries, grouped by the effect of calling them."""


def _name_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PURE_OS = _name_set("""
    join basename dirname split splitext normpath normcase relpath commonpath commonprefix fspath isabs
    fsencode fsdecode strerror getenv urandom
""")
"""Functions in ``os`` and ``os.path`` that don't touch the file system."""

EXITS = _name_set("sys.exit os._exit os.abort builtins.exit builtins.quit")

MUTATORS = _name_set("""
    append extend insert remove pop popitem clear sort reverse add discard update setdefault appendleft
    popleft extendleft put put_nowait writerow writerows intersection_update difference_update
    move_to_end subtract acquire release submit set
    __setitem__ __delitem__ __setattr__ __delattr__ __iadd__ __ior__
""")
"""Methods that change the object on which they are called."""

SILENT_MUTATORS = _name_set("append extend insert clear sort reverse add discard update")
"""Changing methods that return None; elsewhere methods of these names may do something else."""
