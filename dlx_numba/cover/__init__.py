"""Exact cover problems of every kind: stated by names, made ready, and searched."""
