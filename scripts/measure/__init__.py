"""Measurements: `python -m scripts.measure NAME`. A module for each has `measure` and `tables`."""
