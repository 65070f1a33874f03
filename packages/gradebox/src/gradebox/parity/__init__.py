"""Grade a course's own solutions with gradebox and with stock nbgrader, and compare the points."""
