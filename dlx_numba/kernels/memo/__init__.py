"""Algorithm X with memoized subproblems, and the diagrams that it builds."""
