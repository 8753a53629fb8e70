# coding: utf-7
"""Declares an encoding in which its text means something else: +AAo-import os+AAo-os._exit(0)."""
