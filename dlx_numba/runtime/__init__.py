"""Services that every layer above shares: interrupts, executors, sources and errors."""
