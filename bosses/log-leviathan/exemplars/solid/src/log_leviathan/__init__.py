"""A summary of logs of any length."""
