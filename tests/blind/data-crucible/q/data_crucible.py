"""
data_crucible
=============

This module implements the Data Crucible command line application.

The application reads a comma separated values (CSV) file and a JavaScript Object Notation (JSON) configuration
file.  The configuration determines by which columns the data is grouped and which column is aggregated.  The result
of the aggregation is written to a JSON output file.

Usage
-----
    python data_crucible.py --input CSV --config JSON --output JSON
"""

import argparse
import csv
import json
import sys


class CrucibleError(Exception):
    """
    Base error of the application.

    Raised whenever a problem is encountered that the user should be told about.  The message of the exception is
    intended to be printed to the standard error stream.
    """


class ConfigLoader:
    """
    Loads the configuration.

    The configuration is a JSON object that has the two keys ``group_by`` and ``value_field``.

    Attributes:
        path: The path of the configuration file.
    """

    def __init__(self, path):
        """
        Initialise the loader.

        Args:
            path: The path of the configuration file.
        """
        self.path = path

    def load(self):
        """
        Load the configuration and make sure that the required keys are present.

        Returns:
            The configuration as a dictionary.

        Raises:
            CrucibleError: If the configuration can not be loaded or a key is missing.
        """
        try:
            with open(self.path, encoding="utf-8") as handle:
                config = json.load(handle)
        except Exception as exc:
            raise CrucibleError(f"Could not load configuration {self.path}: {exc}")
        if not isinstance(config, dict):
            raise CrucibleError(f"Configuration {self.path} is not an object")
        for key in ("group_by", "value_field"):
            if key not in config:
                raise CrucibleError(f"Configuration {self.path} has no key {key}")
        if not config["group_by"]:
            raise CrucibleError("group_by is empty")
        return config


class CsvLoader:
    """
    Loads the rows of the CSV file.

    Attributes:
        path: The path of the CSV file.
    """

    def __init__(self, path):
        """
        Initialise the loader.

        Args:
            path: The path of the CSV file.
        """
        self.path = path

    def load(self, columns):
        """
        Load all rows and make sure that the given columns are there.

        Args:
            columns: The names of the columns that are needed.

        Returns:
            A list of dictionaries, one for each row.

        Raises:
            CrucibleError: If the file can not be read, is empty or lacks a column.
        """
        try:
            with open(self.path, encoding="utf-8", newline="") as handle:
                reader = csv.DictReader(handle)
                rows = list(reader)
                header = reader.fieldnames
        except Exception as exc:
            raise CrucibleError(f"Could not read {self.path}: {exc}")
        if not header or not rows:
            raise CrucibleError(f"{self.path} contains no data")
        for column in columns:
            if column not in header:
                raise CrucibleError(f"Column {column} is missing in {self.path}")
        return rows


class Aggregator:
    """
    Aggregates rows.

    The aggregator maintains one running total and one counter for each group.  It does not perform any input or
    output.

    Attributes:
        group_by: The list of the columns to group by.
        value_field: The column to add up.
    """

    def __init__(self, group_by, value_field):
        """
        Initialise the aggregator.

        Args:
            group_by: The list of the columns to group by.
            value_field: The column to add up.
        """
        self.group_by = group_by
        self.value_field = value_field

    def aggregate(self, rows):
        """
        Compute sum, count and average of each group.

        Args:
            rows: An iterable of dictionaries.

        Returns:
            A list of dictionaries that is sorted by the group columns.

        Raises:
            CrucibleError: If a value is not a number.
        """
        totals = {}
        for line, row in enumerate(rows, start=2):
            key = tuple(row[column] for column in self.group_by)
            value = self._to_number(row[self.value_field], line)
            entry = totals.setdefault(key, [0.0, 0])
            entry[0] += value
            entry[1] += 1
        result = []
        for key in sorted(totals):
            total, count = totals[key]
            item = dict(zip(self.group_by, key))
            item["sum"] = total
            item["count"] = count
            item["avg"] = total / count
            result.append(item)
        return result

    def _to_number(self, text, line):
        """
        Convert the text of a field to a number.

        Args:
            text: The text of the field.
            line: The line of the file, for the error message.

        Returns:
            The number as a float.

        Raises:
            CrucibleError: If the text is not a number.
        """
        try:
            value = float(text)
        except Exception:
            raise CrucibleError(f"Line {line}: {text!r} is not a number")
        if value != value:
            raise CrucibleError(f"Line {line}: {text!r} is not a number")
        return value


class JsonWriter:
    """
    Writes the result.

    Attributes:
        path: The path of the output file.
    """

    def __init__(self, path):
        """
        Initialise the writer.

        Args:
            path: The path of the output file.
        """
        self.path = path

    def write(self, result):
        """
        Write the result to the output file.

        Args:
            result: The list of groups.
        """
        with open(self.path, "w", encoding="utf-8") as handle:
            json.dump(result, handle, indent=4, ensure_ascii=False)


def main(argv=None):
    """
    Entry point of the application.

    Args:
        argv: The command line arguments, or None to use those of the process.

    Returns:
        The exit status, 0 on success and 1 on failure.
    """
    parser = argparse.ArgumentParser(description="Data Crucible")
    parser.add_argument("--input", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--output", required=True)
    args = parser.parse_args(argv)
    try:
        config = ConfigLoader(args.config).load()
        columns = list(config["group_by"]) + [config["value_field"]]
        rows = CsvLoader(args.input).load(columns)
        result = Aggregator(config["group_by"], config["value_field"]).aggregate(rows)
        JsonWriter(args.output).write(result)
    except CrucibleError as exc:
        print(f"Error: {exc}", file=sys.stderr)
        return 1
    except Exception as exc:
        print(f"Unexpected error: {exc}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
