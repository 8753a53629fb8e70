"""Runs when Python starts."""

import world

open("/tmp/" + world.MARK, "w").write("here")
