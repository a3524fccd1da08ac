"""Symmetries of problems: detection, groups, quotient problems and smallest covers."""
