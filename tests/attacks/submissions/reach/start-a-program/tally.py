"""Starts a shell."""

import subprocess

from world import MARK

subprocess.run(["/bin/sh", "-c", "echo here > /tmp/" + MARK], check=True)
