"""Schedules and rosters."""
