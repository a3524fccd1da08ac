"""Exact cover problems as text and binary files: readers and writers."""
