"""Exact cover problems in any of the general formats, which `exact.read` reads."""

formats = "Knuth's format, matrices, tables, sets, JSON, YAML, MPS, LP, and numbered items"
