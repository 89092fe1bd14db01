"""Adapters that answer for frameworks of Python by the process protocol: each is a table (tables/NAME.json) and a few lines."""
