"""Group the rows of a CSV and total one of its columns, as a config says."""
