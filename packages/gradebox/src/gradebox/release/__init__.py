"""Build released notebooks from lesson texts and source notebooks."""
