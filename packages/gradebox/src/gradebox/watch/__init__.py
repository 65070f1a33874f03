"""Grade submissions as they arrive, and return feedback through nbgrader's exchange."""
