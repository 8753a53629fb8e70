"""
Log Leviathan
=============

This module provides a complete solution for summarising log files. It supports multiple log files, standard input,
a configurable number of slowest requests and an optional output file.

Example
-------
    python log_leviathan.py harbour.log --top 3
"""

import argparse
import json
import re
import sys
from datetime import datetime

VALID_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
ERROR_LEVELS = ["ERROR", "CRITICAL"]


class LogAnalyzer:
    """
    Analyzes log lines and accumulates statistics.

    Attributes:
        top (int): The number of slowest requests to list.
        total (int): The number of non-blank lines.
        malformed (int): The number of malformed lines.
        levels (dict): The number of lines per level.
        components (dict): The statistics per component.
        requests (list): The requests found.
        times (list): The times of the well-formed lines.
    """

    def __init__(self, top=5):
        """
        Initialize the analyzer.

        Args:
            top (int): The number of slowest requests to list. Must not be negative.

        Raises:
            ValueError: If top is negative.
        """
        if top < 0:
            raise ValueError("--top must not be negative")
        self.top = top
        self.total = 0
        self.malformed = 0
        self.levels = {level: 0 for level in VALID_LEVELS}
        self.components = {}
        self.requests = []
        self.times = []

    def is_valid_time(self, text):
        """
        Check whether a text is a valid timestamp.

        Args:
            text (str): The text to check.

        Returns:
            bool: True if the text is a valid timestamp, False otherwise.
        """
        try:
            if not re.match(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$", text):
                return False
            datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
            return True
        except Exception:
            return False

    def process_line(self, line):
        """
        Process a single line of the log and update the statistics.

        Args:
            line (str): The line to process.
        """
        if not line.strip():
            return
        self.total += 1
        try:
            time, level, component, message = line.split(" ", 3)
            if not self.is_valid_time(time):
                raise ValueError("Invalid time")
            if level not in VALID_LEVELS:
                raise ValueError("Invalid level")
            if not re.match(r"^[a-zA-Z0-9._-]+$", component):
                raise ValueError("Invalid component")
            if not message or message.startswith(" "):
                raise ValueError("Invalid message")
        except Exception:
            self.malformed += 1
            return
        self.times.append(time)
        self.levels[level] += 1
        stats = self.components.setdefault(component, {"lines": 0, "errors": 0})
        stats["lines"] += 1
        if level in ERROR_LEVELS:
            stats["errors"] += 1
        try:
            match = re.match(r"^([A-Z]+) (/[^ ]*) (\d{3}) (\d+)ms$", message)
            self.requests.append(
                {
                    "ms": int(match.group(4)),
                    "time": time,
                    "component": component,
                    "request": f"{match.group(1)} {match.group(2)}",
                    "status": int(match.group(3)),
                }
            )
        except Exception:
            # The message is not a request, which is perfectly fine.
            pass

    def process_data(self, data):
        """
        Process the data of a whole log.

        Args:
            data (bytes): The content of the log.
        """
        text = data.decode("utf-8", errors="ignore")
        for line in text.splitlines():
            self.process_line(line)

    def get_summary(self):
        """
        Build the summary.

        Returns:
            dict: The summary, ready to be written as JSON.
        """
        well_formed = self.total - self.malformed
        try:
            errors = self.levels["ERROR"] + self.levels["CRITICAL"]
            error_rate = errors / well_formed
        except Exception:
            error_rate = None
        return {
            "lines": self.total,
            "malformed": self.malformed,
            "first": min(self.times) if self.times else None,
            "last": max(self.times) if self.times else None,
            "levels": self.levels,
            "components": self.components,
            "error_rate": error_rate,
            "requests": len(self.requests),
            "slowest": sorted(self.requests, key=lambda request: -request["ms"])[: self.top],
        }


def main(arguments=None):
    """
    Run the program from the command line.

    Args:
        arguments (list): The command line arguments. Defaults to sys.argv.

    Returns:
        int: The exit status: 0 on success, 1 on failure.
    """
    parser = argparse.ArgumentParser(description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="the logs to read")
    parser.add_argument("--top", metavar="N", type=int, default=5, help="the number of slowest requests")
    parser.add_argument("--output", metavar="PATH", help="the output file")
    options = parser.parse_intermixed_args(arguments)
    try:
        analyzer = LogAnalyzer(options.top)
        if options.files:
            for name in options.files:
                with open(name, "rb") as file:
                    analyzer.process_data(file.read())
        else:
            analyzer.process_data(sys.stdin.buffer.read())
        result = json.dumps(analyzer.get_summary(), indent=2)
        if options.output:
            with open(options.output, "w") as file:
                file.write(result)
        else:
            print(result)
        return 0
    except Exception as error:
        print(f"An error occurred: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
