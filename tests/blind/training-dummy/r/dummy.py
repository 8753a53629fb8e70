"""Entry point: `python3 dummy.py NAME [--blows N]`."""

from yard.app import Application
from yard.console import ConsoleSink

if __name__ == "__main__":
    raise SystemExit(Application(sink=ConsoleSink()).run())
