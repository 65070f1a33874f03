"""Grades a course's own solutions as submissions are graded and as stock nbgrader does, and compares."""
