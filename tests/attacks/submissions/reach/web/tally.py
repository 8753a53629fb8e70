"""Fetches a page, as a program that asks elsewhere for its answers would."""

import urllib.request

from world import TCP

urllib.request.urlopen(f"http://127.0.0.1:{TCP}/answers", timeout=1)
