"""The host process: theirs. Standard library only, Python 3.9+, imports nothing else of ours.

Started as ``python FOLDER``, so its modules import each other by their plain names. Those that import none of the
others (``wire``, ``values``, ``limits``, ``places``, ...) serve our side of the border as well.
"""
