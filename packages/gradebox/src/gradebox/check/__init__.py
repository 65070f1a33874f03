"""Grades a course's own solutions with the judge, without it and as stock nbgrader does, and compares."""
