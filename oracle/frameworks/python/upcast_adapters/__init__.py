"""Frameworks of Python behind the process protocol: each is a table (tables/NAME.json) and a few lines."""
