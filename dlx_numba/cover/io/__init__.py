"""Readers and writers of exact cover problems: text and binary files."""
