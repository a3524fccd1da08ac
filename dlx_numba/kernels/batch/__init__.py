"""Batches: variations of one problem, thousands of which one call of a kernel searches."""
