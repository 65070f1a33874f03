"""Grades nbgrader courses: many submissions at once, contained, and by tests that are proven."""
