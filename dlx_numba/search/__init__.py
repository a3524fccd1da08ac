"""Searches that are held in the hand: steered, timed, saved, split, and spread over workers."""
