"""The host process, which runs untrusted code. Standard library only, Python 3.9+, no imports from our other packages.

It is started as ``python FOLDER``, so its modules import each other by their plain names. Those that import none of the
others (``wire``, ``values``, ``limits``, ``places``, ...) are used on the trusted side as well.
"""
