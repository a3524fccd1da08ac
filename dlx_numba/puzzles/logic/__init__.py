"""Puzzles on boards."""
