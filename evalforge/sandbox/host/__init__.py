"""The host process: theirs. Standard library only, Python 3.9+, imports nothing else of ours.

Started as ``python FOLDER``, so its modules import each other by their plain names. ``wire`` is the one module that
both sides of the border share.
"""
