"""Resumable searches: limited runs, checkpoints, splitting, threads, executors, estimates."""
