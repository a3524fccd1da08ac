"""Exact cover problems with named items: encoding, preparation, solving and file formats."""
