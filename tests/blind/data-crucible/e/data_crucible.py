"""
Data Crucible
=============

This module implements a flexible data aggregation tool. It reads a CSV file and a JSON configuration, groups the rows
and writes the sum, count and average of each group to a JSON file.
"""

import argparse
import csv
import json
import sys


class DataCrucible:
    """
    Aggregates the rows of a CSV file.

    Attributes:
        input_path (str): The path of the CSV file.
        config_path (str): The path of the JSON configuration.
        output_path (str): The path of the JSON output.
        config (dict): The configuration.
        groups (dict): The values of each group.
    """

    def __init__(self, input_path, config_path, output_path):
        """
        Initialize the crucible.

        Args:
            input_path (str): The path of the CSV file.
            config_path (str): The path of the JSON configuration.
            output_path (str): The path of the JSON output.
        """
        self.input_path = input_path
        self.config_path = config_path
        self.output_path = output_path
        self.config = {}
        self.groups = {}

    def load_config(self):
        """
        Load the configuration from the JSON file.

        Returns:
            dict: The configuration.

        Raises:
            ValueError: If the configuration can't be loaded.
        """
        try:
            with open(self.config_path, encoding="utf-8") as file:
                self.config = json.load(file)
        except Exception as error:
            raise ValueError(f"Could not load config: {error}")
        if not self.config.get("group_by"):
            raise ValueError("group_by is missing in the config")
        return self.config

    def get_group_columns(self):
        """
        Get the columns to group by.

        Returns:
            list: The names of the columns.
        """
        group_by = self.config["group_by"]
        if isinstance(group_by, str):
            # Be nice and accept a single column as well.
            return [group_by]
        return group_by

    def get_value_field(self):
        """
        Get the name of the column to add up.

        Returns:
            str: The name of the column.
        """
        return self.config.get("value_field", "value")

    def parse_value(self, text):
        """
        Parse a value.

        Args:
            text (str): The text of the value.

        Returns:
            float: The number.

        Raises:
            ValueError: If the text is not a number.
        """
        try:
            return float(text.strip())
        except Exception:
            raise ValueError(f"Invalid value: {text!r}")

    def process_rows(self):
        """
        Read the CSV file and collect the values of each group.

        Raises:
            ValueError: If the file can't be read or contains invalid data.
        """
        try:
            with open(self.input_path, encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                columns = self.get_group_columns()
                value_field = self.get_value_field()
                for row in reader:
                    key = tuple(row[column].strip() for column in columns)
                    value = self.parse_value(row[value_field])
                    self.groups.setdefault(key, []).append(value)
        except Exception as error:
            raise ValueError(f"Could not process {self.input_path}: {error}")
        if not self.groups:
            raise ValueError("The CSV file contains no rows")

    def build_result(self):
        """
        Build the result from the collected groups.

        Returns:
            list: One dictionary for each group, sorted by the group columns.
        """
        result = []
        for key in sorted(self.groups):
            values = self.groups[key]
            entry = dict(zip(self.get_group_columns(), key))
            entry["sum"] = round(sum(values), 6)
            entry["count"] = len(values)
            entry["avg"] = round(sum(values) / len(values), 6)
            result.append(entry)
        return result

    def write_output(self, result):
        """
        Write the result to the output file.

        Args:
            result (list): The result.
        """
        with open(self.output_path, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=2, ensure_ascii=False)

    def run(self):
        """
        Run the whole process.

        Returns:
            int: 0 on success, 1 on failure.
        """
        try:
            self.load_config()
            self.process_rows()
            self.write_output(self.build_result())
            return 0
        except Exception as error:
            print(f"Error: {error}", file=sys.stderr)
            return 1


def main(arguments=None):
    """
    Run the program from the command line.

    Args:
        arguments (list): The command line arguments. Defaults to sys.argv.

    Returns:
        int: The exit status.
    """
    parser = argparse.ArgumentParser(description="Group the rows of a CSV file and add up one column.")
    parser.add_argument("--input", required=True, help="The CSV file")
    parser.add_argument("--config", required=True, help="The JSON configuration")
    parser.add_argument("--output", required=True, help="The JSON output")
    options = parser.parse_args(arguments)
    return DataCrucible(options.input, options.config, options.output).run()


if __name__ == "__main__":
    sys.exit(main())
