"""Services shared by all layers above: interrupts, executors, sources and exceptions."""
