"""Sanitizers for student content in graded copies and HTML pages, so that opening them is safe."""
