"""What the player's functions answer: noted, or changed for one of them, in the player's process.

The host doesn't use this folder. A copy of it is staged beside a submission whose functions pass their answers to
``noting.answer`` (see ``evidence/effects``). So its modules import nothing of ours from outside this folder.
"""
