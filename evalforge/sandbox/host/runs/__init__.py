"""Runs of the player's programs: the host that forks a child for each, and what that child becomes.

server          the host's loop: one request, one run
  run           one run as the host sees it: fork, watch, end, gather
    child       the forked child: shut in, then the player's program
      session   or the player's modules, called from the other side of the border
"""
